"""Operators for the position, size and order of shapes."""

from collections.abc import Iterator
from random import Random

from pptarena.decks import Shape
from pptarena.edits import Solution
from pptarena.tasks.generator.deck_context import DeckContext, Target
from pptarena.tasks.generator.operator import Operator, Params, always, leaf
from pptarena.tasks.generator.operators.common import (
    as_cm,
    keeps_size,
    make_edit,
    param,
    shape_targets,
    single_edit,
)
from pptarena.tasks.generator.slots import NAME, NUMBER, choice

__all__ = ["OPERATORS"]

_EMU_PER_CM = 360_000
_EDGES = {
    "align_left": "left edge",
    "align_right": "right edge",
    "align_top": "upper edge",
    "align_bottom": "lower edge",
}
_SIDES = {"align_left": "left", "align_right": "left", "align_top": "top", "align_bottom": "top"}
_MOVABLE_KINDS = ("shape", "text_box", "picture")


def _is_movable(shape: Shape) -> bool:
    return shape.kind in _MOVABLE_KINDS and not shape.placeholder and shape.box.rotation_deg == 0


def _sample_position(target: Target, rng: Random) -> Params:
    free_x_cm = (target.deck.width_emu - target.shape.box.width) / _EMU_PER_CM
    free_y_cm = (target.deck.height_emu - target.shape.box.height) / _EMU_PER_CM
    return {
        "left_cm": round(max(0.0, free_x_cm) * rng.choice((0, 0.1, 0.3, 0.5, 0.7, 0.9)), 1),
        "top_cm": round(max(0.0, free_y_cm) * rng.choice((0, 0.1, 0.3, 0.5, 0.7, 0.9)), 1),
    }


def _keeps_size(target: Target, params: Params) -> bool:
    return keeps_size(target)


def _pairs(context: DeckContext) -> Iterator[Target]:
    for target in shape_targets(_is_movable)(context):
        assert target.slide_index is not None
        names = context.references.shape_names[target.slide_index]
        others = [index for index in names if index != target.shape_index]
        for index in others:
            other = target.slide.shapes[index]
            if other.kind in (*_MOVABLE_KINDS, "placeholder", "table", "chart"):
                detail = {"other": names[index][0]}
                yield Target(context, target.slide_index, target.shape_index, detail, index)


def _cm(emu: float) -> float:
    return round(emu / _EMU_PER_CM, 2)


def _aligned_position(target: Target, edge: str) -> tuple[str, float]:
    """Return the argument that moves the left or the upper edge, and its new position in EMU."""
    box, other = target.shape.box, target.other.box
    if edge == "align_left":
        return "left_cm", other.left
    if edge == "align_right":
        return "left_cm", other.right - box.width
    if edge == "align_top":
        return "top_cm", other.top
    return "top_cm", other.bottom - box.height


def _align(target: Target, params: Params) -> Solution:
    name, emu = _aligned_position(target, params["edge"])
    return [make_edit(target, "move_shape", **{name: as_cm(emu)})]


def _centered_left(target: Target) -> int:
    return (target.deck.width_emu - target.shape.box.width) // 2


def _can_match_size(target: Target, params: Params) -> bool:
    return min(target.other.box.width, target.other.box.height) > 0 and keeps_size(target)


def _sample_edge(target: Target, rng: Random) -> Params:
    return {"edge": rng.choice(list(_EDGES))}


OPERATORS = (
    Operator(
        "place-shape",
        "arrangement",
        "shape",
        shape_targets(_is_movable),
        single_edit("move_shape", left_cm=param("left_cm"), top_cm=param("top_cm")),
        lambda target, params: [
            leaf(
                "shape_position",
                **target.args,
                left_emu=f"{params['left_cm']}cm",
                top_emu=f"{params['top_cm']}cm",
            )
        ],
        ("geometry",),
        (
            "move {it} to {left_cm} cm from the left and {top_cm} cm from the top",
            "put {it} {left_cm} cm from the left edge and {top_cm} cm from the top edge",
            "set the position of {it} to {left_cm} cm across and {top_cm} cm down",
            "place {it} at {left_cm} cm horizontally and {top_cm} cm vertically",
            "shift {it} so that it starts {left_cm} cm from the left and {top_cm} cm from the top",
        ),
        (
            "{it} should be {left_cm} cm from the left and {top_cm} cm from the top",
            "the upper left corner of {it} should be {left_cm} cm across and {top_cm} cm down",
        ),
        params=_sample_position,
        slots={"left_cm": NUMBER, "top_cm": NUMBER},
        playable=_keeps_size,
        scope=lambda target, params: {"properties": ["place"]},
        once_per_slide=True,
    ),
    Operator(
        "align-shape",
        "arrangement",
        "shape",
        _pairs,
        _align,
        lambda target, params: [
            leaf("shape_relation", **target.args, other=target.other_spec, relation=params["edge"])
        ],
        ("geometry",),
        (
            "line up the {edge} of {it} with that of {other}",
            "bring the {edge} of {it} in line with the same edge of {other}",
            "move {it} so that its {edge} is level with that of {other}",
            "align {it} by its {edge} with {other}",
            "make the {edge} of {it} match that of {other}",
        ),
        (
            "the {edge} of {it} should be in line with that of {other}",
            "{it} should be aligned by its {edge} with {other}",
        ),
        params=_sample_edge,
        slots={"other": NAME, "edge": choice(_EDGES)},
        playable=_keeps_size,
        scope=lambda target, params: {"properties": [_SIDES[params["edge"]]]},
        level=2,
    ),
    Operator(
        "match-size",
        "arrangement",
        "shape",
        _pairs,
        lambda target, params: [
            make_edit(
                target,
                "move_shape",
                width_cm=as_cm(target.other.box.width),
                height_cm=as_cm(target.other.box.height),
            )
        ],
        lambda target, params: [
            leaf(
                "looks_like",
                **target.args,
                other=target.other_spec,
                properties=["width", "height"],
            )
        ],
        ("geometry", "formatting"),
        (
            "make {it} as large as {other}",
            "give {it} the same width and height as {other}",
            "resize {it} to the size of {other}",
            "change the dimensions of {it} to match {other}",
            "change the size of {it} to that of {other}",
        ),
        (
            "{it} should be exactly as large as {other}",
            "{it} should have the width and height of {other}",
        ),
        slots={"other": NAME},
        playable=_can_match_size,
        scope=lambda target, params: {"properties": ["extent", "size"]},
        level=2,
    ),
    Operator(
        "center-shape",
        "arrangement",
        "shape",
        shape_targets(_is_movable),
        lambda target, params: [
            make_edit(target, "move_shape", left_cm=as_cm(_centered_left(target)))
        ],
        lambda target, params: [leaf("shape_relation", **target.args, relation="center_x")],
        ("geometry",),
        (
            "center {it} horizontally on its slide",
            "move {it} to the horizontal middle of the slide",
            "place {it} midway between the left and right edges of the slide",
            "put {it} in the center of the slide, at the same height",
            "shift {it} sideways to the middle of the slide",
        ),
        (
            "{it} should be centered between the left and right edges of the slide",
            "{it} should be in the horizontal middle of the slide",
        ),
        playable=_keeps_size,
        scope=lambda target, params: {"properties": ["left"]},
    ),
    Operator(
        "order-shape",
        "arrangement",
        "shape",
        shape_targets(lambda shape: _is_movable(shape)),
        single_edit("reorder_shape", to=param("to")),
        lambda target, params: [leaf("shape_z_order", **target.args, to=params["to"])],
        ("shapes",),
        (
            "bring {it} all the way to the {to}",
            "move {it} to the very {to} of the stack",
            "send {it} right to the {to}",
            "put {it} at the {to} of all shapes on its slide",
            "order {it} to the very {to}",
        ),
        (
            "{it} should be at the very {to}",
            "among all shapes on the slide, {it} should be at the {to}",
        ),
        params=lambda target, rng: {"to": rng.choice(("front", "back"))},
        once_per_slide=True,
        slots={"to": choice({"front": "front", "back": "back"})},
        playable=always,
    ),
)
"""The operators of this module."""
