"""Operators for text formatting."""

from random import Random

from pptarena.decks import Shape
from pptarena.tasks.generator.deck_context import Target
from pptarena.tasks.generator.operator import Operator, Params, always, leaf
from pptarena.tasks.generator.operators.common import (
    has_text,
    hex_color,
    is_selectable,
    param,
    sample_from,
    shape_targets,
    single_edit,
)
from pptarena.tasks.generator.references import quotable
from pptarena.tasks.generator.slots import COLOR, COLORS, NUMBER, TEXT, choice

__all__ = ["OPERATORS"]

_ALIGNMENTS = ("left", "center", "right")
_FONTS = ("Arial", "Times New Roman", "Courier New", "Cambria", "Calibri")
_MIN_CHARACTERS = 4


def _toggle(key: str, verb: str, state: str, noun: str) -> Operator:
    """Return an operator that sets one property of all characters of a shape."""
    return Operator(
        f"{key}-text",
        "text",
        "shape",
        shape_targets(has_text),
        single_edit("set_run_format", **{key: True}),
        lambda target, params: [leaf("run_format", **target.args, **{key: True})],
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
        scope=lambda target, params: {"properties": [key]},
    )


def _sample_word(target: Target, rng: Random) -> Params | None:
    """Sample a word, but none in a link, which the application keeps as a single field."""
    text = target.shape.text
    runs = [run for p in target.shape.paragraphs for run in p.runs]
    if len(runs) >= len(text.split()):
        return None
    words = [w.strip(".,;:!?()") for run in runs if not run.link for w in run.text.split()]
    eligible = sorted(
        {w for w in words if len(w) >= _MIN_CHARACTERS and text.count(w) == 1 and quotable(w)}
    )
    return {"words": rng.choice(eligible)} if len(eligible) > 1 else None


def _sample_alignment(target: Target, rng: Random) -> Params | None:
    current = {paragraph.align for paragraph in target.shape.paragraphs}
    others = [each for each in _ALIGNMENTS if each not in current]
    return {"align": rng.choice(others)} if others else None


def _is_list(shape: Shape) -> bool:
    return has_text(shape) and sum(bool(p.text.strip()) for p in shape.paragraphs) > 1


OPERATORS = (
    _toggle("bold", "apply bold to", "bold", "bold type"),
    _toggle("italic", "italicize", "italic", "italics"),
    _toggle("underline", "underline", "underlined", "underlined type"),
    Operator(
        "bold-words",
        "text",
        "shape",
        shape_targets(has_text),
        single_edit("set_run_format", text=param("words"), bold=True),
        lambda target, params: [leaf("run_format", **target.args, text=params["words"], bold=True)],
        ("formatting",),
        (
            "make only the word {words} in {it} bold",
            "set just {words} in bold in {it}",
            "bold the word {words} in {it}",
            "emphasize {words} in {it} with bold",
            "put the word {words} of {it} in bold",
        ),
        ("the word {words} in {it} should be bold", "in {it}, only {words} should be bold"),
        params=_sample_word,
        slots={"words": TEXT},
        playable=lambda target, params: is_selectable(params["words"]),
        scope=lambda target, params: {"properties": ["bold"], "letters": params["words"]},
    ),
    Operator(
        "font-size",
        "text",
        "shape",
        shape_targets(has_text),
        single_edit("set_run_format", size_pt=param("size")),
        lambda target, params: [leaf("run_format", **target.args, size_pt=params["size"])],
        ("formatting",),
        (
            "set {it} in {size} point type",
            "change the font size of {it} to {size} pt",
            "give {it} a font size of {size}",
            "use {size} point type for {it}",
            "make the text of {it} {size} points in size",
        ),
        ("{it} should be set in {size} point type", "the text size of {it} should be {size} pt"),
        params=sample_from("size", 11, 13, 15, 17, 21, 23, 26, 30, 34, 38),
        slots={"size": NUMBER},
        playable=always,
        scope=lambda target, params: {"properties": ["size"]},
    ),
    Operator(
        "font-color",
        "text",
        "shape",
        shape_targets(has_text),
        single_edit("set_run_format", color=hex_color),
        lambda target, params: [leaf("run_format", **target.args, color=params["color"])],
        ("formatting",),
        (
            "color the text of {it} {color}",
            "set {it} in {color}",
            "make the text of {it} {color}",
            "use {color} text for {it}",
            "change the text color of {it} to {color}",
        ),
        ("the text of {it} should be {color}", "the font color of {it} should be {color}"),
        params=sample_from("color", *COLORS),
        slots={"color": COLOR},
        playable=always,
        scope=lambda target, params: {"properties": ["color"]},
    ),
    Operator(
        "font-face",
        "text",
        "shape",
        shape_targets(has_text),
        single_edit("set_run_format", font=param("font")),
        lambda target, params: [leaf("run_format", **target.args, font=params["font"])],
        ("formatting",),
        (
            "set {it} in the typeface {font}",
            "use the font {font} for {it}",
            "change the font of {it} to {font}",
            "switch {it} to the font {font}",
            "give {it} the typeface {font}",
        ),
        ("{it} should be set in the font {font}", "the font of {it} should be {font}"),
        params=sample_from("font", *_FONTS),
        slots={"font": choice({each: each for each in _FONTS})},
        scope=lambda target, params: {"properties": ["font"]},
    ),
    Operator(
        "align-text",
        "text",
        "shape",
        shape_targets(has_text),
        single_edit("set_paragraph_format", align=param("align")),
        lambda target, params: [leaf("paragraph_alignment", **target.args, align=params["align"])],
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
        params=_sample_alignment,
        slots={"align": choice({each: each for each in _ALIGNMENTS})},
        playable=always,
        scope=lambda target, params: {"properties": ["align"]},
    ),
    Operator(
        "line-spacing",
        "text",
        "shape",
        shape_targets(_is_list),
        single_edit("set_paragraph_format", line_spacing=lambda params: params["percent"] / 100),
        lambda target, params: [leaf("line_spacing", **target.args, percent=params["percent"])],
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
        params=sample_from("percent", 80, 110, 120, 130, 150, 180, 200),
        slots={"percent": NUMBER},
        scope=lambda target, params: {"properties": ["line_spacing", "place", "extent"]},
    ),
    Operator(
        "number-lines",
        "text",
        "shape",
        shape_targets(_is_list),
        single_edit("set_bullets", style="number"),
        lambda target, params: [
            leaf("paragraph_bullet", **target.args, bullet="number", char="arabic")
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
        scope=lambda target, params: {"properties": ["bullet"]},
        level=2,
    ),
)
"""The operators of this module."""
