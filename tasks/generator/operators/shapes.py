"""Operators for drawn shapes."""

from collections.abc import Iterator
from math import hypot
from random import Random

from pptx.util import Cm

from pptarena.decks import Box, Shape
from pptarena.tasks.generator.deck_context import DeckContext, Target
from pptarena.tasks.generator.operator import Operator, Params, always, leaf
from pptarena.tasks.generator.operators.common import (
    delete_shape,
    hex_color,
    make_edit,
    param,
    sample_from,
    shape_targets,
    single_edit,
    slide_targets,
)
from pptarena.tasks.generator.slots import COLOR, COLORS, NUMBER, TEXT, choice

__all__ = ["OPERATORS"]

_OUTLINES = {
    "rect": "rectangle",
    "ellipse": "ellipse",
    "triangle": "triangle",
    "rightArrow": "right_arrow",
    "diamond": "diamond",
}
_NAMES = {
    "rect": "rectangle",
    "ellipse": "ellipse",
    "triangle": "triangle",
    "rightArrow": "arrow to the right",
    "diamond": "diamond",
}
_LABELS = ("Start", "Draft", "New", "Checked", "Phase 2", "Later", "Goal", "Important", "See notes")


def _is_plain_shape(shape: Shape) -> bool:
    return shape.kind in ("shape", "text_box") and not shape.placeholder


def _rotatable_shapes(context: DeckContext) -> Iterator[Target]:
    """Yield shapes that cover no further shapes when rotated by any angle."""
    for target in shape_targets(lambda shape: _is_plain_shape(shape) or shape.kind == "picture")(
        context
    ):
        box = target.shape.box
        diagonal = hypot(box.width, box.height)
        growth = diagonal - box.width, diagonal - box.height
        others = [each.box for each in target.slide.shapes if each is not target.shape]
        if not any(_overlap(box, other, *growth) and not _overlap(box, other) for other in others):
            yield target


def _overlap(box: Box, other: Box, extra_width: float = 0, extra_height: float = 0) -> bool:
    """Return whether two boxes overlap, with the first one enlarged around its center."""
    return (
        box.left - extra_width / 2 < other.right
        and other.left < box.right + extra_width / 2
        and box.top - extra_height / 2 < other.bottom
        and other.top < box.bottom + extra_height / 2
    )


def _rotation_properties(target: Target) -> list[str]:
    """Return the properties that rotation may change; the application fits boxes to their text."""
    size = [] if target.shape.picture is not None else ["extent"]
    return ["rotation", "place", *size]


def _sample_angle(target: Target, rng: Random) -> Params:
    current = target.shape.box.rotation_deg
    return {"degrees": rng.choice([each for each in (15, 30, 45, 60, 90, 180) if each != current])}


def _free_box(target: Target, digits: int) -> dict[str, float]:
    """Return the position and size of the least covered area as arguments in centimeters."""
    names = ("left_cm", "top_cm", "width_cm", "height_cm")
    return {
        name: round(each / Cm(1), digits)
        for name, each in zip(names, _least_covered_area(target), strict=True)
    }


def _least_covered_area(target: Target) -> tuple[int, int, int, int]:
    """Return left, top, width and height of the least covered area of the slide."""
    slide_width, slide_height = target.deck.width_emu, target.deck.height_emu
    width, height = min(Cm(4.5), slide_width // 4), min(Cm(1.6), slide_height // 8)
    best: tuple[float, int, int] | None = None
    for row in range(9):
        for column in range(9):
            left = (slide_width - width) * column // 8
            top = (slide_height - height) * row // 8
            covered = 0.0
            for shape in target.slide.shapes:
                box = shape.box
                shared_width = min(left + width, box.right) - max(left, box.left)
                shared_height = min(top + height, box.bottom) - max(top, box.top)
                covered += max(0, shared_width) * max(0, shared_height)
            if best is None or covered < best[0]:
                best = covered, left, top
    assert best is not None
    return best[1], best[2], width, height


_ONE_NEW_SHAPE = {"shapes": [], "new_shapes": 1}


def _has_no_text(target: Target, params: Params) -> bool:
    # With a text selected, LibreOffice closes the list of widths at the first click.
    return not target.shape.all_text.strip()


OPERATORS = (
    Operator(
        "fill-shape",
        "shapes",
        "shape",
        shape_targets(_is_plain_shape),
        single_edit("set_fill", color=hex_color),
        lambda target, params: [leaf("shape_fill_color", **target.args, color=params["color"])],
        ("style",),
        (
            "fill {it} with {color}",
            "give {it} a {color} fill",
            "color {it} {color}",
            "change the fill color of {it} to {color}",
            "make the fill of {it} {color}",
        ),
        ("{it} should be filled with {color}", "the fill of {it} should be {color}"),
        params=sample_from("color", *COLORS),
        slots={"color": COLOR},
        playable=always,
    ),
    Operator(
        "unfill-shape",
        "shapes",
        "shape",
        shape_targets(lambda shape: _is_plain_shape(shape) and shape.fill.kind != "none"),
        single_edit("set_fill", color=None),
        lambda target, params: [leaf("shape_fill_color", **target.args, color="none")],
        ("style",),
        (
            "take the fill off {it}",
            "remove the fill of {it}",
            "set {it} to no fill",
            "leave {it} without any fill",
            "make {it} see-through by removing its fill",
        ),
        ("{it} should have no fill", "the fill of {it} should be removed"),
    ),
    Operator(
        "outline-shape",
        "shapes",
        "shape",
        shape_targets(_is_plain_shape),
        single_edit("set_line", color=hex_color, width_pt=param("width")),
        lambda target, params: [
            leaf("shape_line", **target.args, color=params["color"], width_pt=params["width"])
        ],
        ("style",),
        (
            "give {it} a {color} outline of {width} pt",
            "draw a {color} border of {width} points around {it}",
            "outline {it} in {color}, {width} pt thick",
            "set the outline of {it} to {color} and {width} points",
            "frame {it} with a {color} line of {width} pt",
        ),
        (
            "{it} should have a {color} outline of {width} points",
            "the border of {it} should be {color} and {width} pt thick",
        ),
        params=lambda target, rng: {
            "color": rng.choice(list(COLORS)),
            "width": rng.choice((2, 3, 4, 5, 6)),
        },
        slots={"color": COLOR, "width": NUMBER},
        playable=_has_no_text,
        level=2,
    ),
    Operator(
        "rotate-shape",
        "shapes",
        "shape",
        _rotatable_shapes,
        single_edit("move_shape", rotation_deg=param("degrees")),
        lambda target, params: [leaf("shape_rotation", **target.args, degrees=params["degrees"])],
        ("geometry",),
        (
            "turn {it} to an angle of {degrees} degrees clockwise",
            "rotate {it} so that its rotation is {degrees} degrees clockwise",
            "set the rotation of {it} to {degrees} degrees clockwise",
            "tilt {it} to {degrees} degrees in the clockwise direction",
            "give {it} a clockwise rotation of {degrees} degrees",
        ),
        (
            "{it} should be rotated by {degrees} degrees clockwise in all",
            "the clockwise rotation of {it} should be {degrees} degrees",
        ),
        params=_sample_angle,
        slots={"degrees": NUMBER},
        playable=always,
        scope=lambda target, params: {"properties": _rotation_properties(target)},
    ),
    Operator(
        "delete-shape",
        "shapes",
        "shape",
        shape_targets(_is_plain_shape),
        delete_shape,
        lambda target, params: [leaf("shape_deleted", **target.args)],
        ("shapes", "animation"),
        (
            "delete {it}",
            "remove {it}",
            "take {it} off the slide",
            "get rid of {it}",
            "clear {it} from the slide",
        ),
        ("{it} should be deleted", "{it} should be removed"),
        playable=always,
    ),
    Operator(
        "add-shape",
        "shapes",
        "slide",
        slide_targets(),
        lambda target, params: [
            make_edit(
                target,
                "add_shape",
                outline=_OUTLINES[params["kind"]],
                text=params["text"],
                **_free_box(target, 3),
            )
        ],
        lambda target, params: [
            leaf(
                "shape_exists",
                slide=target.slide_number,
                geometry=params["kind"],
                text=params["text"],
            )
        ],
        ("shapes",),
        (
            "draw a {kind} with the text {text} on {it}",
            "add a {kind} that says {text} to {it}",
            "put a {kind} labeled {text} on {it}, where there is room",
            "insert a {kind} reading {text} on {it}",
            "place a new {kind} with {text} in it on {it}",
        ),
        (
            "on {it} there should be a new {kind} that says {text}",
            "{it} should get a {kind} labeled {text}",
        ),
        params=lambda target, rng: {
            "kind": rng.choice(list(_OUTLINES)),
            "text": rng.choice(_LABELS),
        },
        slots={"kind": choice(_NAMES), "text": TEXT},
        playable=always,
        scope=lambda target, params: _ONE_NEW_SHAPE,
        level=2,
    ),
    Operator(
        "add-text-box",
        "shapes",
        "slide",
        slide_targets(),
        lambda target, params: [
            make_edit(
                target, "add_text_box", text=params["text"], wrap=False, **_free_box(target, 3)
            )
        ],
        lambda target, params: [
            leaf("shape_exists", slide=target.slide_number, kind="text_box", text=params["text"])
        ],
        ("shapes",),
        (
            "add a text box with {text} to {it}",
            "put a text box that says {text} on {it}",
            "insert {text} as a text box on {it}",
            "place a new text box reading {text} on {it}",
            "write {text} on {it} in a separate text box",
        ),
        (
            "{it} should get a text box that says {text}",
            "on {it} there should be a new text box with {text}",
        ),
        params=sample_from("text", *_LABELS),
        slots={"text": TEXT},
        playable=always,
        scope=lambda target, params: _ONE_NEW_SHAPE,
        level=2,
    ),
)
"""The operators of this module."""
