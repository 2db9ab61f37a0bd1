"""Operators for pictures and media clips."""

from random import Random
from typing import Any

from pptarena.decks import Shape
from pptarena.decks.selectors import is_kind
from pptarena.edits import Solution
from pptarena.tasks.generator.deck_context import Target
from pptarena.tasks.generator.operator import Operator, Params, always, leaf
from pptarena.tasks.generator.operators.common import (
    as_cm,
    delete_shape,
    make_edit,
    param,
    sample_from,
    shape_targets,
    single_edit,
)
from pptarena.tasks.generator.slots import NUMBER, choice

__all__ = ["OPERATORS"]

_EMU_PER_CM = 360_000
_SIDES = ("left", "top", "right", "bottom")


def _is_picture(shape: Shape) -> bool:
    return is_kind(shape, "picture") and shape.kind == "picture" and not shape.placeholder


def _is_media(shape: Shape) -> bool:
    return shape.kind == "media"


def _sample_width(target: Target, rng: Random) -> Params | None:
    current_cm = target.shape.box.width / _EMU_PER_CM
    max_cm = (target.deck.width_emu - target.shape.box.left) / _EMU_PER_CM
    if current_cm < 1 or target.shape.box.rotation_deg:
        return None
    widths = [round(current_cm * factor, 1) for factor in (0.5, 0.6, 0.75, 0.8, 1.2)]
    eligible = [width for width in widths if 0.5 < width < max_cm]
    return {"width_cm": rng.choice(eligible)} if eligible else None


def _resize(target: Target, params: Params) -> Solution:
    box, width = target.shape.box, params["width_cm"]
    height = as_cm(box.height * width * _EMU_PER_CM / box.width)
    return [make_edit(target, "move_shape", width_cm=width, height_cm=height)]


def _crop(target: Target, params: Params) -> Solution:
    # The frame shrinks with the crop, so that the picture is not stretched.
    side, fraction, box = params["side"], params["percent"] / 100, target.shape.box
    edge, size = _affected_dimensions(side)
    length, start = getattr(box, size), getattr(box, edge)
    frame = {f"{size}_cm": as_cm(length * (1 - fraction))}
    if side == edge:
        frame[f"{edge}_cm"] = as_cm(start + length * fraction)
    return [
        make_edit(target, "crop_picture", **{side: fraction}),
        make_edit(target, "move_shape", **frame),
    ]


def _affected_dimensions(side: str) -> tuple[str, str]:
    """Return the offset and size of a picture's frame that a crop at a side changes."""
    return ("left", "width") if side in ("left", "right") else ("top", "height")


def _is_uncropped(shape: Shape) -> bool:
    return shape.picture is not None and not any(shape.picture.crop_pct)


def _is_original_color(shape: Shape) -> bool:
    return shape.picture is not None and not shape.picture.recolor


def _size_leaf(target: Target, params: Params, **args: Any) -> dict[str, Any]:
    return leaf(
        "shape_size", **target.args, width_emu=f"{params['width_cm']}cm", keep_ratio=True, **args
    )


_RESIZE_ASPECTS = ("geometry",)

OPERATORS = (
    Operator(
        "delete-picture",
        "images",
        "shape",
        shape_targets(_is_picture),
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
        "resize-picture",
        "images",
        "shape",
        shape_targets(_is_picture),
        _resize,
        lambda target, params: [_size_leaf(target, params, same_picture=True)],
        _RESIZE_ASPECTS,
        (
            "make {it} {width_cm} cm wide without distorting it",
            "scale {it} to a width of {width_cm} cm",
            "resize {it} to {width_cm} cm across, in proportion",
            "change {it} to {width_cm} cm in width and keep its proportions",
            "set the width of {it} to {width_cm} cm, height to match",
        ),
        (
            "{it} should be {width_cm} cm wide and keep its proportions",
            "{it} should have a width of {width_cm} cm without being distorted",
        ),
        params=_sample_width,
        slots={"width_cm": NUMBER},
        playable=always,
        scope=lambda target, params: {"properties": ["extent", "place"]},
    ),
    Operator(
        "crop-picture",
        "images",
        "shape",
        shape_targets(lambda shape: _is_picture(shape) and _is_uncropped(shape)),
        _crop,
        lambda target, params: [
            leaf("picture_cropped", **target.args, **{f"{params['side']}_pct": params["percent"]})
        ],
        ("pictures", "geometry"),
        (
            "crop {percent} percent off the {side} of {it}",
            "cut {percent} percent off {it} at the {side} edge",
            "trim {it} by {percent} percent at the {side}",
            "crop {it} at the {side} by {percent} percent of the picture",
            "crop {percent} percent from the {side} edge of {it}",
        ),
        (
            "{percent} percent should be cropped off the {side} of {it}",
            "{it} should be cropped by {percent} percent at its {side} edge",
        ),
        params=lambda target, rng: {
            "percent": rng.choice((10, 15, 20, 25, 30)),
            "side": rng.choice(_SIDES),
        },
        slots={"percent": NUMBER, "side": choice({side: side for side in _SIDES})},
        scope=lambda target, params: {
            "properties": ["crop", *_affected_dimensions(params["side"])]
        },
        level=2,
    ),
    Operator(
        "grey-picture",
        "images",
        "shape",
        shape_targets(lambda shape: _is_picture(shape) and _is_original_color(shape)),
        single_edit("set_picture_grayscale"),
        lambda target, params: [leaf("picture_adjusted", **target.args, recolor="grayscale")],
        ("pictures",),
        (
            "show {it} in grayscale",
            "turn {it} into shades of gray",
            "take the color out of {it}",
            "set the color mode of {it} to grayscale",
            "make {it} gray instead of color",
        ),
        ("{it} should be in grayscale", "{it} should be gray instead of color"),
    ),
    Operator(
        "delete-media",
        "media",
        "shape",
        shape_targets(_is_media),
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
        "resize-media",
        "media",
        "shape",
        shape_targets(_is_media),
        _resize,
        lambda target, params: [_size_leaf(target, params)],
        _RESIZE_ASPECTS,
        (
            "make {it} {width_cm} cm wide in proportion",
            "scale {it} to {width_cm} cm in width",
            "resize {it} to a width of {width_cm} cm without distorting it",
            "change {it} to a width of {width_cm} cm and keep its aspect ratio",
            "set {it} to {width_cm} cm in width, height to match",
        ),
        (
            "{it} should be {width_cm} cm wide in proportion",
            "the width of {it} should be {width_cm} cm, height to match",
        ),
        params=_sample_width,
        slots={"width_cm": NUMBER},
        scope=lambda target, params: {"properties": ["extent", "place"]},
    ),
    Operator(
        "move-media",
        "media",
        "shape",
        shape_targets(_is_media),
        single_edit("move_shape", left_cm=param("left_cm")),
        lambda target, params: [
            leaf("shape_position", **target.args, left_emu=f"{params['left_cm']}cm")
        ],
        ("geometry",),
        (
            "put the left edge of {it} at {left_cm} cm",
            "move {it} so that it starts {left_cm} cm from the left",
            "shift {it} to {left_cm} cm from the left edge of the slide",
            "set the horizontal position of {it} to {left_cm} cm",
            "have {it} start {left_cm} cm from the left side",
        ),
        (
            "{it} should start {left_cm} cm from the left",
            "the left edge of {it} should be at {left_cm} cm",
        ),
        params=sample_from("left_cm", 1, 1.5, 2, 2.5, 3, 4, 5),
        slots={"left_cm": NUMBER},
        scope=lambda target, params: {"properties": ["place"]},
    ),
)
"""The operators of this module."""
