"""Operators for the position, size and order of shapes."""

from collections.abc import Iterator
from random import Random

from pptarena.decks import Shape
from pptarena.edits import Solution
from pptarena.tasks.grow.ground import Ground, Site
from pptarena.tasks.grow.operator import Operator, Params, always, leaf
from pptarena.tasks.grow.operators.common import (
    as_cm,
    as_edit,
    keeps_size,
    of_shapes,
    param,
    sets,
)
from pptarena.tasks.grow.slots import NAME, NUMBER, choice

__all__ = ["OPERATORS"]

_EMU_PER_CM = 360_000
_EDGES = {
    "align_left": "left edge",
    "align_right": "right edge",
    "align_top": "upper edge",
    "align_bottom": "lower edge",
}
_SIDES = {"align_left": "left", "align_right": "left", "align_top": "top", "align_bottom": "top"}
_FREE = ("shape", "text_box", "picture")


def _is_free(shape: Shape) -> bool:
    return shape.kind in _FREE and not shape.placeholder and shape.box.rotation_deg == 0


def _draw_place(site: Site, rng: Random) -> Params:
    room_x = (site.deck.width_emu - site.shape.box.width) / _EMU_PER_CM
    room_y = (site.deck.height_emu - site.shape.box.height) / _EMU_PER_CM
    return {
        "left_cm": round(max(0.0, room_x) * rng.choice((0, 0.1, 0.3, 0.5, 0.7, 0.9)), 1),
        "top_cm": round(max(0.0, room_y) * rng.choice((0, 0.1, 0.3, 0.5, 0.7, 0.9)), 1),
    }


def _keeps_size(site: Site, params: Params) -> bool:
    return keeps_size(site)


def _pairs(ground: Ground) -> Iterator[Site]:
    for site in of_shapes(_is_free)(ground):
        assert site.slide_index is not None
        names = ground.references.shape_names[site.slide_index]
        others = [index for index in names if index != site.shape_index]
        for index in others:
            other = site.slide.shapes[index]
            if other.kind in (*_FREE, "placeholder", "table", "chart"):
                where = {"other": names[index][0]}
                yield Site(ground, site.slide_index, site.shape_index, where, index)


def _cm(emu: float) -> float:
    return round(emu / _EMU_PER_CM, 2)


def _aligned(site: Site, edge: str) -> tuple[str, float]:
    """Return the argument that moves the left or the upper edge, and its new position in EMU."""
    box, other = site.shape.box, site.other.box
    if edge == "align_left":
        return "left_cm", other.left
    if edge == "align_right":
        return "left_cm", other.right - box.width
    if edge == "align_top":
        return "top_cm", other.top
    return "top_cm", other.bottom - box.height


def _align(site: Site, params: Params) -> Solution:
    name, emu = _aligned(site, params["edge"])
    return [as_edit(site, "move_shape", **{name: as_cm(emu)})]


def _centered(site: Site) -> int:
    return (site.deck.width_emu - site.shape.box.width) // 2


def _can_take_size(site: Site, params: Params) -> bool:
    return min(site.other.box.width, site.other.box.height) > 0 and keeps_size(site)


def _draw_edge(site: Site, rng: Random) -> Params:
    return {"edge": rng.choice(list(_EDGES))}


OPERATORS = (
    Operator(
        "place-shape",
        "arrangement",
        "shape",
        of_shapes(_is_free),
        sets("move_shape", left_cm=param("left_cm"), top_cm=param("top_cm")),
        lambda site, params: [
            leaf(
                "shape_position",
                **site.args,
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
        params=_draw_place,
        slots={"left_cm": NUMBER, "top_cm": NUMBER},
        playable=_keeps_size,
        scope=lambda site, params: {"properties": ["place"]},
        alone=True,
    ),
    Operator(
        "align-shape",
        "arrangement",
        "shape",
        _pairs,
        _align,
        lambda site, params: [
            leaf("shape_relation", **site.args, other=site.other_spec, relation=params["edge"])
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
        params=_draw_edge,
        slots={"other": NAME, "edge": choice(_EDGES)},
        playable=_keeps_size,
        scope=lambda site, params: {"properties": [_SIDES[params["edge"]]]},
        level=2,
    ),
    Operator(
        "match-size",
        "arrangement",
        "shape",
        _pairs,
        lambda site, params: [
            as_edit(
                site,
                "move_shape",
                width_cm=as_cm(site.other.box.width),
                height_cm=as_cm(site.other.box.height),
            )
        ],
        lambda site, params: [
            leaf(
                "looks_like",
                **site.args,
                other=site.other_spec,
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
        playable=_can_take_size,
        scope=lambda site, params: {"properties": ["extent", "size"]},
        level=2,
    ),
    Operator(
        "center-shape",
        "arrangement",
        "shape",
        of_shapes(_is_free),
        lambda site, params: [as_edit(site, "move_shape", left_cm=as_cm(_centered(site)))],
        lambda site, params: [leaf("shape_relation", **site.args, relation="center_x")],
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
        scope=lambda site, params: {"properties": ["left"]},
    ),
    Operator(
        "order-shape",
        "arrangement",
        "shape",
        of_shapes(lambda shape: _is_free(shape)),
        sets("reorder_shape", to=param("to")),
        lambda site, params: [leaf("shape_z_order", **site.args, to=params["to"])],
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
        params=lambda site, rng: {"to": rng.choice(("front", "back"))},
        alone=True,
        slots={"to": choice({"front": "front", "back": "back"})},
        playable=always,
    ),
)
"""The operators of this module."""
