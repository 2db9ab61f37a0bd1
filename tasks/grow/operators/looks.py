"""Operators for text formatting."""

from random import Random

from pptarena.decks import Shape
from pptarena.tasks.grow.ground import Site
from pptarena.tasks.grow.operator import Operator, Params, always, leaf
from pptarena.tasks.grow.operators.common import (
    chosen,
    is_selectable,
    of_shapes,
    paint,
    param,
    sets,
    with_text,
)
from pptarena.tasks.grow.references import quotable
from pptarena.tasks.grow.slots import COLOR, COLORS, NUMBER, TEXT, choice

__all__ = ["OPERATORS"]

_ALIGN = ("left", "center", "right")
_FONTS = ("Arial", "Times New Roman", "Courier New", "Cambria", "Calibri")
_LEAST_LETTERS = 4


def _toggle(key: str, verb: str, state: str, noun: str) -> Operator:
    """Return an operator that sets one property of all characters of a shape."""
    return Operator(
        f"{key}-text",
        "text",
        "shape",
        of_shapes(with_text),
        sets("set_run_format", **{key: True}),
        lambda site, params: [leaf("run_format", **site.args, **{key: True})],
        ("formatting",),
        (
            f"make {{it}} {state}",
            f"{verb} {{it}}",
            f"set {{it}} in {noun}",
            f"use {noun} for {{it}}",
            f"make all the text of {{it}} {state}",
        ),
        (f"{{it}} should be {state}", f"all the text of {{it}} should be {state}"),
        playable=always,
        scope=lambda site, params: {"properties": [key]},
    )


def _draw_words(site: Site, rng: Random) -> Params | None:
    """Sample a word, but none in a link, which the application keeps as a single field."""
    text = site.shape.text
    runs = [run for p in site.shape.paragraphs for run in p.runs]
    if len(runs) >= len(text.split()):
        return None
    words = [w.strip(".,;:!?()") for run in runs if not run.link for w in run.text.split()]
    fitting = sorted(
        {w for w in words if len(w) >= _LEAST_LETTERS and text.count(w) == 1 and quotable(w)}
    )
    return {"words": rng.choice(fitting)} if len(fitting) > 1 else None


def _draw_align(site: Site, rng: Random) -> Params | None:
    now = {paragraph.align for paragraph in site.shape.paragraphs}
    others = [each for each in _ALIGN if each not in now]
    return {"align": rng.choice(others)} if others else None


def _is_list(shape: Shape) -> bool:
    return with_text(shape) and sum(bool(p.text.strip()) for p in shape.paragraphs) > 1


OPERATORS = (
    _toggle("bold", "apply bold to", "bold", "bold type"),
    _toggle("italic", "italicize", "italic", "italics"),
    _toggle("underline", "underline", "underlined", "underlined type"),
    Operator(
        "bold-words",
        "text",
        "shape",
        of_shapes(with_text),
        sets("set_run_format", text=param("words"), bold=True),
        lambda site, params: [leaf("run_format", **site.args, text=params["words"], bold=True)],
        ("formatting",),
        (
            "make only the word {words} in {it} bold",
            "set just {words} in bold in {it}",
            "bold the word {words} in {it}",
            "emphasize {words} in {it} with bold",
            "put the word {words} of {it} in bold",
        ),
        ("the word {words} in {it} should be bold", "in {it}, only {words} should be bold"),
        params=_draw_words,
        slots={"words": TEXT},
        playable=lambda site, params: is_selectable(params["words"]),
        scope=lambda site, params: {"properties": ["bold"], "letters": params["words"]},
    ),
    Operator(
        "font-size",
        "text",
        "shape",
        of_shapes(with_text),
        sets("set_run_format", size_pt=param("size")),
        lambda site, params: [leaf("run_format", **site.args, size_pt=params["size"])],
        ("formatting",),
        (
            "set {it} in {size} point type",
            "change the font size of {it} to {size} pt",
            "give {it} a font size of {size}",
            "use {size} point type for {it}",
            "make the text of {it} {size} points in size",
        ),
        ("{it} should be set in {size} point type", "the text size of {it} should be {size} pt"),
        params=chosen("size", 11, 13, 15, 17, 21, 23, 26, 30, 34, 38),
        slots={"size": NUMBER},
        playable=always,
        scope=lambda site, params: {"properties": ["size"]},
    ),
    Operator(
        "font-color",
        "text",
        "shape",
        of_shapes(with_text),
        sets("set_run_format", color=paint),
        lambda site, params: [leaf("run_format", **site.args, color=params["color"])],
        ("formatting",),
        (
            "color the text of {it} {color}",
            "set {it} in {color}",
            "make the text of {it} {color}",
            "use {color} text for {it}",
            "change the text color of {it} to {color}",
        ),
        ("the text of {it} should be {color}", "the font color of {it} should be {color}"),
        params=chosen("color", *COLORS),
        slots={"color": COLOR},
        playable=always,
        scope=lambda site, params: {"properties": ["color"]},
    ),
    Operator(
        "font-face",
        "text",
        "shape",
        of_shapes(with_text),
        sets("set_run_format", font=param("font")),
        lambda site, params: [leaf("run_format", **site.args, font=params["font"])],
        ("formatting",),
        (
            "set {it} in the typeface {font}",
            "use the font {font} for {it}",
            "change the font of {it} to {font}",
            "switch {it} to the font {font}",
            "give {it} the typeface {font}",
        ),
        ("{it} should be set in the font {font}", "the font of {it} should be {font}"),
        params=chosen("font", *_FONTS),
        slots={"font": choice({each: each for each in _FONTS})},
        scope=lambda site, params: {"properties": ["font"]},
    ),
    Operator(
        "align-text",
        "text",
        "shape",
        of_shapes(with_text),
        sets("set_paragraph_format", align=param("align")),
        lambda site, params: [leaf("paragraph_alignment", **site.args, align=params["align"])],
        ("formatting",),
        (
            "align the text of {it} to the {align}",
            "make the text of {it} {align}-aligned",
            "set the alignment of {it} to {align}",
            "align the paragraphs of {it} to the {align}",
            "change the text alignment of {it} to {align}",
        ),
        (
            "the text of {it} should be aligned to the {align}",
            "the alignment of {it} should be {align}",
        ),
        params=_draw_align,
        slots={"align": choice({each: each for each in _ALIGN})},
        playable=always,
        scope=lambda site, params: {"properties": ["align"]},
    ),
    Operator(
        "line-spacing",
        "text",
        "shape",
        of_shapes(_is_list),
        sets("set_paragraph_format", line_spacing=lambda params: params["percent"] / 100),
        lambda site, params: [leaf("line_spacing", **site.args, percent=params["percent"])],
        ("formatting", "geometry"),
        (
            "set the line spacing of {it} to {percent} percent",
            "space the lines of {it} at {percent} percent",
            "change the spacing between the lines of {it} to {percent} percent",
            "give {it} a line spacing of {percent} percent",
            "use {percent} percent line spacing in {it}",
        ),
        (
            "the line spacing of {it} should be {percent} percent",
            "{it} should have {percent} percent line spacing",
        ),
        params=chosen("percent", 80, 110, 120, 130, 150, 180, 200),
        slots={"percent": NUMBER},
        scope=lambda site, params: {"properties": ["line_spacing", "place", "extent"]},
    ),
    Operator(
        "number-lines",
        "text",
        "shape",
        of_shapes(_is_list),
        sets("set_bullets", style="number"),
        lambda site, params: [
            leaf("paragraph_bullet", **site.args, bullet="number", char="arabic")
        ],
        ("formatting",),
        (
            "number the lines of {it}",
            "turn {it} into a numbered list",
            "give every paragraph of {it} a number",
            "put numbers in front of the points of {it}",
            "use numbers for the points of {it}",
        ),
        ("the lines of {it} should be numbered", "{it} should be a numbered list"),
        scope=lambda site, params: {"properties": ["bullet"]},
        level=2,
    ),
)
"""The operators of this module."""
