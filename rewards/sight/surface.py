"""What lies above and below a point of a slide: shapes that cover it, colours behind it."""

import math
import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pptarena.rewards.deck import Animation, Box, Deck, Paint, Shape, Slide
from pptarena.rewards.sight.contrast import blend

__all__ = [
    "OPAQUE_PCT",
    "Layer",
    "Point",
    "Surface",
    "around",
    "grid",
    "layer_of",
    "paint_colors",
    "turned",
]

Point = tuple[float, float]
"""Place on a slide in EMU."""

OPAQUE_PCT = 90
"""From this opacity on nothing beneath can be read."""

_MAX_COLORS = 24
# More surfaces than these are not looked at: it would take seconds, and no slide needs it.
_MAX_LAYERS = 200
_STOP = re.compile(r"(#[0-9A-F]{6})(?:/(\d+))?")
_FULL = frozenset(("rect", "roundRect", "flowChartProcess", "actionButtonBlank", ""))
_HOLLOW = frozenset(
    ("frame", "halfFrame", "donut", "noSmoking", "blockArc", "chord", "arc", "line", "corner")
)
_HOLLOW_PARTS = ("bracket", "brace", "Connector", "border", "math")
# The part of a shape with slanted or curved sides that is surely filled.
_INNER = 0.6


@dataclass(frozen=True, slots=True)
class Layer:
    """A surface of a slide.

    Attributes:
        box: Where it is.
        outline: Preset of its outline.
        paint: Colours with their opacity in percent; None if it cannot be known what it shows.
        covers: Whether nothing beneath it can be seen.
    """

    box: Box
    outline: str
    paint: tuple[tuple[str, int], ...] | None
    covers: bool

    def at(self, point: Point) -> Literal["yes", "maybe", "no"]:
        """Return whether the surface is at a point; near slanted sides that is not known."""
        x, y = turned(point, self.box, -self.box.rotation_deg)
        box = self.box
        if not (box.left <= x <= box.right and box.top <= y <= box.bottom):
            return "no"
        if self.outline in _FULL or self.outline.startswith(("round", "snip")):
            return "yes"
        across = abs(2 * (x - box.left) - box.width) / max(box.width, 1)
        along = abs(2 * (y - box.top) - box.height) / max(box.height, 1)
        if self.outline == "ellipse":
            return "yes" if math.hypot(across, along) <= 1 else "no"
        return "yes" if max(across, along) <= _INNER else "maybe"


class Surface:
    """The surfaces of one slide.

    Args:
        deck: The deck, for what layout and master add.
        slide: The slide.
    """

    def __init__(self, deck: Deck, slide: Slide) -> None:
        self._deck = deck
        self._slide = slide
        self.layers = tuple(layer_of(shape) for shape in slide.shapes)

    @cached_property
    def _covers(self) -> tuple[tuple[int, int, int, int, int, Layer], ...]:
        """Index, left, top, right, bottom and surface of what hides things, the topmost first."""
        moving = _come_or_go(self._slide.animations)
        found = [
            (index, *_reach(layer.box), layer)
            for index, layer in enumerate(self.layers)
            if layer is not None and layer.covers and index not in moving
        ]
        return tuple(found[: -_MAX_LAYERS - 1 : -1])

    @cached_property
    def _painted(self) -> tuple[tuple[int, Layer], ...]:
        """The slide's own surfaces with their indexes, from bottom to top."""
        return tuple((i, layer) for i, layer in enumerate(self.layers) if layer is not None)

    @cached_property
    def _base(self) -> tuple[Layer | None, ...] | None:
        """What layout, master and background show, from top to bottom; None if not known."""
        deck, slide = self._deck, self._slide
        box = Box(0, 0, deck.width_emu, deck.height_emu)
        paper = Layer(box, "rect", paint_colors(slide.background) or None, True)
        if not slide.show_master_shapes:
            return (paper,)
        if not 0 <= slide.master < len(deck.masters):
            return None
        master = deck.masters[slide.master]
        at = slide.layout_index
        if at is None or not 0 <= at < len(master.layouts):
            return None
        layout = master.layouts[at]
        shapes = _shown(layout.shapes)
        if layout.show_master_shapes:
            shapes += _shown(master.shapes)
        return (*(layer_of(shape) for shape in shapes), paper)

    def covers_above(self, index: int, box: Box) -> tuple[Layer, ...]:
        """Return the surfaces above a shape that may hide something within an upright box."""
        left, top, right, bottom = box.left, box.top, box.right, box.bottom
        return tuple(
            layer
            for at, l_edge, t_edge, r_edge, b_edge, layer in self._covers
            if at > index
            and l_edge <= right
            and left <= r_edge
            and t_edge <= bottom
            and top <= b_edge
        )

    def colors_behind(self, index: int, point: Point) -> frozenset[str] | None:
        """Return the colours that may be behind a shape at a point.

        Args:
            index: Of the shape; its own fill does not count.
            point: Where.

        Returns:
            Colours ``#RRGGBB``, several for a gradient; None if they cannot be known, as on a
            picture.
        """
        end = bisect_left(self._painted, index, key=lambda each: each[0])
        below = [layer for _, layer in self._painted[max(0, end - _MAX_LAYERS) : end]]
        if self._base is None or end > _MAX_LAYERS:
            # What is right beneath may still be enough.
            return _colors(below[::-1], point, open_end=True)
        return _colors((*below[::-1], *self._base), point)


def layer_of(shape: Shape) -> Layer | None:
    """Return the surface of a shape; None if it has none, or none that is shown."""
    if shape.hidden or shape.kind in ("group", "line") or shape.shows_nothing:
        return None
    if shape.picture is not None:
        solid = shape.picture.opacity_pct >= OPAQUE_PCT and not shape.picture.see_through
        return Layer(shape.box, shape.geometry, None, solid and not _hollow(shape.geometry))
    if shape.chart is not None or shape.kind == "graphic":
        return Layer(shape.box, "", None, False)
    if shape.table is not None:
        cells = [cell for row in shape.table.rows for cell in row if cell.spans != (0, 0)]
        solid = bool(cells) and all(_opaque(cell.fill) for cell in cells)
        return Layer(shape.box, "", None, solid)
    empty = shape.kind == "placeholder" and not shape.paragraphs
    if shape.fill.kind == "none" or empty:
        # An application does not draw an empty placeholder in a show.
        return None
    solid = _opaque(shape.fill) and not _hollow(shape.geometry)
    if _hollow(shape.geometry):
        return Layer(shape.box, shape.geometry, None, False)
    return Layer(shape.box, shape.geometry, paint_colors(shape.fill), solid)


def paint_colors(paint: Paint) -> tuple[tuple[str, int], ...] | None:
    """Return the colours of a fill with their opacity in percent; None if not known."""
    if paint.kind == "none":
        return (("#FFFFFF", 0),)
    if paint.kind == "solid":
        return None if paint.color is None else ((paint.color, paint.opacity_pct),)
    if paint.kind == "picture":
        return None
    stops = tuple((color, int(opacity or 100)) for color, opacity in _STOP.findall(paint.detail))
    return stops or None


def turned(point: Point, box: Box, degrees: float) -> Point:
    """Return a point turned clockwise about the middle of a box."""
    if not degrees:
        return point
    angle = math.radians(degrees)
    middle_x, middle_y = box.left + box.width / 2, box.top + box.height / 2
    x, y = point[0] - middle_x, point[1] - middle_y
    return (
        middle_x + x * math.cos(angle) - y * math.sin(angle),
        middle_y + x * math.sin(angle) + y * math.cos(angle),
    )


def grid(
    box: Box, left: float, top: float, right: float, bottom: float, steps: Sequence[float]
) -> list[Point]:
    """Return points spread over an area of a box, turned as the box is."""
    points = (
        (left + (right - left) * across, top + (bottom - top) * along)
        for across in steps
        for along in steps
    )
    return [turned(point, box, box.rotation_deg) for point in points]


def around(points: Sequence[Point]) -> Box:
    """Return the upright box around some points."""
    left, top = (min(point[i] for point in points) for i in (0, 1))
    right, bottom = (max(point[i] for point in points) for i in (0, 1))
    return Box(round(left), round(top), round(right - left), round(bottom - top))


def _colors(
    layers: Sequence[Layer | None], point: Point, *, open_end: bool = False
) -> frozenset[str] | None:
    for number, layer in enumerate(layers):
        where = "no" if layer is None else layer.at(point)
        if layer is None or where == "no":
            continue
        if layer.paint is None:
            return None
        if where == "yes" and all(opacity >= OPAQUE_PCT for _, opacity in layer.paint):
            return frozenset(color for color, _ in layer.paint)
        rest = _colors(layers[number + 1 :], point, open_end=open_end)
        if rest is None or len(rest) * len(layer.paint) > _MAX_COLORS:
            return None
        mixed = frozenset(
            blend(color, back, opacity) for color, opacity in layer.paint for back in rest
        )
        return mixed | rest if where == "maybe" else mixed
    return None if open_end else frozenset(("#FFFFFF",))


def _come_or_go(effects: Sequence[Animation]) -> frozenset[int]:
    """Return shapes that are not there all the time, so that they hide nothing for good."""
    found = set()
    clicked = False
    for effect in effects:
        clicked = clicked or effect.trigger in ("on_click", "on_shape_click")
        leaves = effect.kind in ("exit", "motion")
        if effect.shape is not None and (leaves or (effect.kind == "entrance" and clicked)):
            found.add(effect.shape)
    return frozenset(found)


def _shown(shapes: Sequence[Shape]) -> tuple[Shape, ...]:
    """Return what slides show of a layout or master, from top to bottom."""
    return tuple(shape for shape in reversed(shapes) if not shape.placeholder)


def _opaque(paint: Paint) -> bool:
    if paint.kind == "picture":
        return True
    colors = paint_colors(paint)
    return bool(colors) and all(opacity >= OPAQUE_PCT for _, opacity in colors or ())


def _hollow(geometry: str) -> bool:
    return geometry in _HOLLOW or any(part in geometry for part in _HOLLOW_PARTS)


def _reach(box: Box) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom that a box cannot go beyond however it is turned."""
    room = max(box.width, box.height) if box.rotation_deg else 0
    return box.left - room, box.top - room, box.right + room, box.bottom + room
