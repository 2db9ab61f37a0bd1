"""Operators on words and on how they look."""

from random import Random
from typing import Any

from pptx.dml.color import RGBColor
from pptx.util import Pt

from pptarena.tasks.grow.edits import runs_of, set_text, shape_of
from pptarena.tasks.grow.ground import Site
from pptarena.tasks.grow.operator import Macros, Operator, Params, leaf
from pptarena.tasks.grow.operators.common import PHRASES, as_macro, of_shapes, with_text
from pptarena.tasks.grow.slots import COLOR, COLORS, NUMBER, TEXT

__all__ = ["OPERATORS"]


def _toggle(name: str, key: str, verb: str, state: str, noun: str) -> Operator:
    """Return the operator that sets one property of all letters of a shape."""

    def apply(presentation: Any, site: Site, params: Params) -> None:
        for run in runs_of(shape_of(presentation, site)):
            setattr(run.font, key, True)

    def macros(site: Site, params: Params) -> Macros:
        return [as_macro(site, "format_text", **{key: True})]

    return Operator(
        name,
        "text",
        "shape",
        of_shapes(with_text),
        apply,
        lambda site, params: [leaf("run_format", **site.args, **{key: True})],
        ("formatting",),
        (
            f"make {{it}} {state}",
            f"{verb} {{it}}",
            f"set {{it}} in {noun} type",
            f"switch on {noun} letters for {{it}}",
            f"have all words of {{it}} {state}",
        ),
        (f"{{it}} should be {state}", f"all letters of {{it}} should be {state}"),
        macros=macros,
        scope=lambda site, params: {"properties": [key]},
    )


def _draw_title(site: Site, rng: Random) -> Params:
    return {"text": rng.choice([each for each in PHRASES if each != site.shape.text])}


def _set_text(presentation: Any, site: Site, params: Params) -> None:
    set_text(shape_of(presentation, site).text_frame, params["text"])


def _size(presentation: Any, site: Site, params: Params) -> None:
    for run in runs_of(shape_of(presentation, site)):
        run.font.size = Pt(params["size"])


def _color(presentation: Any, site: Site, params: Params) -> None:
    kind: Any = RGBColor
    for run in runs_of(shape_of(presentation, site)):
        run.font.color.rgb = kind.from_string(COLORS[params["color"]])


OPERATORS = (
    Operator(
        "set-title",
        "text",
        "shape",
        of_shapes(lambda shape: shape.placeholder in ("title", "ctrTitle") and with_text(shape)),
        _set_text,
        lambda site, params: [leaf("title_is", slide=site.number, text=params["text"])],
        ("text",),
        (
            "change {it} to {text}",
            "replace {it} by {text}",
            "let {it} read {text}",
            "reword {it} as {text}",
            "put {text} in the place of {it}",
        ),
        ("{it} should read {text}", "{it} should say {text} and nothing else"),
        params=_draw_title,
        slots={"text": TEXT},
        macros=lambda site, params: [as_macro(site, "edit_text", text=params["text"])],
    ),
    _toggle("bold-text", "bold", "embolden", "bold", "bold"),
    _toggle("italic-text", "italic", "italicise", "italic", "italic"),
    Operator(
        "font-size",
        "text",
        "shape",
        of_shapes(with_text),
        _size,
        lambda site, params: [leaf("run_format", **site.args, size_pt=params["size"])],
        ("formatting",),
        (
            "set {it} in {size} points",
            "change the type size of {it} to {size} pt",
            "give {it} a font size of {size}",
            "use {size} point letters in {it}",
            "bring the letters of {it} to {size} points",
        ),
        ("{it} should be set in {size} points", "the letters of {it} should have {size} pt"),
        params=lambda site, rng: {"size": rng.choice((11, 13, 15, 17, 21, 23, 26, 30, 34, 38))},
        slots={"size": NUMBER},
        macros=lambda site, params: [as_macro(site, "format_text", size_pt=params["size"])],
        scope=lambda site, params: {"properties": ["size"]},
    ),
    Operator(
        "font-color",
        "text",
        "shape",
        of_shapes(with_text),
        _color,
        lambda site, params: [leaf("run_format", **site.args, color=params["color"])],
        ("formatting",),
        (
            "colour the letters of {it} {color}",
            "write {it} in {color}",
            "make the words of {it} {color}",
            "set {it} in {color} letters",
            "change the text colour of {it} to {color}",
        ),
        ("the letters of {it} should be {color}", "{it} should be written in {color}"),
        params=lambda site, rng: {"color": rng.choice(list(COLORS))},
        slots={"color": COLOR},
        macros=lambda site, params: [as_macro(site, "format_text", color=params["color"])],
        scope=lambda site, params: {"properties": ["color"]},
    ),
)
"""The operators of this file."""
