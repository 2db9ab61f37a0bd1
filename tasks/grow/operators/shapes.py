"""Operators for drawn shapes."""

from collections.abc import Iterator
from math import hypot
from random import Random

from pptx.util import Cm

from pptarena.decks import Box, Shape
from pptarena.tasks.grow.ground import Ground, Site
from pptarena.tasks.grow.operator import Operator, Params, always, leaf
from pptarena.tasks.grow.operators.common import (
    as_edit,
    chosen,
    delete_shape,
    of_shapes,
    of_slides,
    paint,
    param,
    sets,
)
from pptarena.tasks.grow.slots import COLOR, COLORS, NUMBER, TEXT, choice

__all__ = ["OPERATORS", "empty_place"]

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


def _is_drawn(shape: Shape) -> bool:
    return shape.kind in ("shape", "text_box") and not shape.placeholder


def _turnable(ground: Ground) -> Iterator[Site]:
    """Yield shapes that cover nothing more when rotated by any angle."""
    for site in of_shapes(lambda shape: _is_drawn(shape) or shape.kind == "picture")(ground):
        box = site.shape.box
        across = hypot(box.width, box.height)
        grown = across - box.width, across - box.height
        others = [each.box for each in site.slide.shapes if each is not site.shape]
        if not any(_meet(box, other, *grown) and not _meet(box, other) for other in others):
            yield site


def _meet(box: Box, other: Box, wider: float = 0, higher: float = 0) -> bool:
    """Return whether two boxes overlap, with the first one enlarged around its center."""
    return (
        box.left - wider / 2 < other.right
        and other.left < box.right + wider / 2
        and box.top - higher / 2 < other.bottom
        and other.top < box.bottom + higher / 2
    )


def _turned(site: Site) -> list[str]:
    """Return what may change on a rotated shape; the application fits boxes to their text."""
    fitted = [] if site.shape.picture is not None else ["extent"]
    return ["rotation", "place", *fitted]


def _draw_angle(site: Site, rng: Random) -> Params:
    now = site.shape.box.rotation_deg
    return {"degrees": rng.choice([each for each in (15, 30, 45, 60, 90, 180) if each != now])}


def _room(site: Site, digits: int) -> dict[str, float]:
    """Return the empty place of a slide as arguments in centimeters."""
    names = ("left_cm", "top_cm", "width_cm", "height_cm")
    return {
        name: round(each / Cm(1), digits)
        for name, each in zip(names, empty_place(site), strict=True)
    }


def empty_place(site: Site) -> tuple[int, int, int, int]:
    """Return left, top, width and height of the least covered area of the slide."""
    wide, high = site.deck.width_emu, site.deck.height_emu
    width, height = min(Cm(4.5), wide // 4), min(Cm(1.6), high // 8)
    best: tuple[float, int, int] | None = None
    for down in range(9):
        for across in range(9):
            left = (wide - width) * across // 8
            top = (high - height) * down // 8
            covered = 0.0
            for shape in site.slide.shapes:
                box = shape.box
                both = min(left + width, box.right) - max(left, box.left)
                tall = min(top + height, box.bottom) - max(top, box.top)
                covered += max(0, both) * max(0, tall)
            if best is None or covered < best[0]:
                best = covered, left, top
    assert best is not None
    return best[1], best[2], width, height


_ONE_NEW = {"shapes": [], "new_shapes": 1}


def _has_no_text(site: Site, params: Params) -> bool:
    # With a text selected, LibreOffice closes the list of widths at the first click.
    return not site.shape.all_text.strip()


OPERATORS = (
    Operator(
        "fill-shape",
        "shapes",
        "shape",
        of_shapes(_is_drawn),
        sets("set_fill", color=paint),
        lambda site, params: [leaf("shape_fill_color", **site.args, color=params["color"])],
        ("style",),
        (
            "fill {it} with {color}",
            "give {it} a {color} fill",
            "color {it} {color}",
            "change the fill color of {it} to {color}",
            "make the fill of {it} {color}",
        ),
        ("{it} should be filled with {color}", "the fill of {it} should be {color}"),
        params=chosen("color", *COLORS),
        slots={"color": COLOR},
        playable=always,
    ),
    Operator(
        "unfill-shape",
        "shapes",
        "shape",
        of_shapes(lambda shape: _is_drawn(shape) and shape.fill.kind != "none"),
        sets("set_fill", color=None),
        lambda site, params: [leaf("shape_fill_color", **site.args, color="none")],
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
        of_shapes(_is_drawn),
        sets("set_line", color=paint, width_pt=param("width")),
        lambda site, params: [
            leaf("shape_line", **site.args, color=params["color"], width_pt=params["width"])
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
        params=lambda site, rng: {
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
        _turnable,
        sets("move_shape", rotation_deg=param("degrees")),
        lambda site, params: [leaf("shape_rotation", **site.args, degrees=params["degrees"])],
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
        params=_draw_angle,
        slots={"degrees": NUMBER},
        playable=always,
        scope=lambda site, params: {"properties": _turned(site)},
    ),
    Operator(
        "delete-shape",
        "shapes",
        "shape",
        of_shapes(_is_drawn),
        delete_shape,
        lambda site, params: [leaf("shape_deleted", **site.args)],
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
        of_slides(),
        lambda site, params: [
            as_edit(
                site,
                "add_shape",
                outline=_OUTLINES[params["kind"]],
                text=params["text"],
                **_room(site, 3),
            )
        ],
        lambda site, params: [
            leaf("shape_exists", slide=site.number, geometry=params["kind"], text=params["text"])
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
        params=lambda site, rng: {"kind": rng.choice(list(_OUTLINES)), "text": rng.choice(_LABELS)},
        slots={"kind": choice(_NAMES), "text": TEXT},
        playable=always,
        scope=lambda site, params: _ONE_NEW,
        level=2,
    ),
    Operator(
        "add-text-box",
        "shapes",
        "slide",
        of_slides(),
        lambda site, params: [
            as_edit(site, "add_text_box", text=params["text"], wrap=False, **_room(site, 3))
        ],
        lambda site, params: [
            leaf("shape_exists", slide=site.number, kind="text_box", text=params["text"])
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
        params=chosen("text", *_LABELS),
        slots={"text": TEXT},
        playable=always,
        scope=lambda site, params: _ONE_NEW,
        level=2,
    ),
)
"""The operators of this module."""
