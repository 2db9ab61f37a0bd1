"""Surfaces that shapes draw on a slide: fills, thick lines, table cells, block characters."""

import math
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from pptarena.decks import Animation, Box, Deck, Paint, Shape, Slide
from pptarena.decks.visibility.contrast import blend
from pptarena.decks.visibility.text_layout import cell_boxes, text_areas

__all__ = [
    "OPAQUE_PCT",
    "Layer",
    "Point",
    "Row",
    "Surface",
    "bounding_box",
    "grid",
    "is_opaque",
    "layer_bounds",
    "layers_of",
    "paint_colors",
    "rotate_point",
    "row_points",
]

Point = tuple[float, float]
"""Position on a slide in EMU."""

Row = tuple[float, float, float, float]
"""Left, top, right and bottom of a text line before rotation of its shape, in EMU."""

OPAQUE_PCT = 80
"""Opacity from which nothing beneath is readable: black on white drops to a contrast of 1.6."""

_EMU_PER_PT = 12_700
_MIN_THICK_PT = 6.0
_DASHED_PCT = 60
_MAX_CELLS = 100
_RECTANGULAR = frozenset(("rect", "roundRect", "flowChartProcess", "actionButtonBlank", ""))
_HOLLOW = frozenset(
    ("frame", "halfFrame", "donut", "noSmoking", "blockArc", "chord", "arc", "line", "corner")
)
_HOLLOW_PARTS = ("bracket", "brace", "Connector", "border", "math")
# Default thickness of the sides, in 100,000ths of the shorter edge.
_SIDES = {"frame": 12_500, "donut": 25_000, "halfFrame": 33_333, "corner": 50_000}
# Characters that fill most of their square: blocks, shades, squares, circles.
_BLOCKS = re.compile(
    r"[\u2580-\u259f\u25a0\u25a3-\u25ac\u25ae\u25b0\u25cf\u25fc\u25fe\u2b1b\u2b24\u2b25\u2588\u3013\u2b1c\u25fb\U0001f7e5-\U0001f7eb\U0001fb00-\U0001fbef]"
)
_MIN_BLOCK_SHARE = 0.5
# Share of a shape with slanted or curved sides that is certainly filled.
_CERTAIN_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Layer:
    """A surface on a slide.

    Attributes:
        box: Position and size.
        outline: Preset of its outline; ``stroke`` for a line, ``ring`` for a thick outline.
        paint: Colors with their opacity in percent; None if unknown.
        opacity_pct: Opacity for content beneath; 0 for none or unknown.
        thickness_emu: Width of a stroke, or thickness of the sides around a hole.
        round: Whether outline and hole are elliptical.
    """

    box: Box
    outline: str
    paint: tuple[tuple[str, int], ...] | None
    opacity_pct: int
    thickness_emu: float = 0.0
    round: bool = False

    def coverage_at(self, point: Point) -> Literal["yes", "maybe", "no"]:
        """Return whether the surface covers a point; unknown near slanted sides."""
        box = self.box
        x, y = rotate_point(point, box, -box.rotation_deg)
        if self.outline == "stroke":
            return "yes" if _distance_from_diagonal(box, x, y) <= self.thickness_emu / 2 else "no"
        margin = self.thickness_emu / 2 if self.outline == "ring" else 0.0
        is_inside = box.left - margin <= x <= box.right + margin
        if not is_inside or not box.top - margin <= y <= box.bottom + margin:
            return "no"
        if self.thickness_emu:
            return "yes" if self._is_on_side(x, y, margin) else "no"
        if self.outline in _RECTANGULAR or self.outline.startswith(("round", "snip")):
            return "yes"
        dx = abs(2 * (x - box.left) - box.width) / max(box.width, 1)
        dy = abs(2 * (y - box.top) - box.height) / max(box.height, 1)
        if self.outline == "ellipse":
            return "yes" if math.hypot(dx, dy) <= 1 else "no"
        return "yes" if max(dx, dy) <= _CERTAIN_SHARE else "maybe"

    def _is_on_side(self, x: float, y: float, margin: float) -> bool:
        """Return whether a point within the outer edge is outside the hole."""
        box, thickness = self.box, self.thickness_emu - margin
        if self.outline in ("halfFrame", "corner"):
            is_upper = self.outline == "halfFrame"
            distance = y - box.top if is_upper != box.flip_v else box.bottom - y
            return (
                distance <= thickness
                or (box.right - x if box.flip_h else x - box.left) <= thickness
            )
        if not self.round:
            edges = x - box.left, box.right - x, y - box.top, box.bottom - y
            return min(edges) <= thickness
        return not _in_ellipse(box, x, y, -thickness) and _in_ellipse(box, x, y, margin)


def layers_of(shape: Shape) -> tuple[Layer, ...]:
    """Return the surfaces of a shape from bottom to top; empty for a hidden shape."""
    if shape.hidden or shape.kind == "group" or shape.shows_nothing:
        return ()
    if shape.kind == "line" or "Connector" in shape.geometry or shape.geometry == "line":
        return tuple(_outline(shape, "stroke"))
    return (*_surfaces(shape), *_outline(shape, "ring"), *_blocks(shape))


def paint_colors(paint: Paint) -> tuple[tuple[str, int], ...] | None:
    """Return the colors of a fill with their opacity in percent; None if unknown."""
    if paint.kind == "none":
        return (("#FFFFFF", 0),)
    if paint.kind == "solid":
        return None if paint.color is None else ((paint.color, paint.opacity_pct),)
    if paint.kind == "picture":
        return None
    return tuple((each.color, each.opacity_pct) for each in paint.stops if each.color) or None


def rotate_point(point: Point, box: Box, degrees: float) -> Point:
    """Return a point rotated clockwise about the center of a box."""
    if not degrees:
        return point
    angle = math.radians(degrees)
    middle_x, middle_y = box.left + box.width / 2, box.top + box.height / 2
    x, y = point[0] - middle_x, point[1] - middle_y
    return (
        middle_x + x * math.cos(angle) - y * math.sin(angle),
        middle_y + x * math.sin(angle) + y * math.cos(angle),
    )


def layer_bounds(layer: Layer) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom bounds of a surface, valid for any rotation."""
    box = layer.box
    margin = float(max(box.width, box.height)) if box.rotation_deg else 0.0
    margin += layer.thickness_emu if layer.outline in ("stroke", "ring") else 0
    return box.left - margin, box.top - margin, box.right + margin, box.bottom + margin


def _surfaces(shape: Shape) -> Iterator[Layer]:
    if shape.picture is not None:
        opacity = 0 if shape.picture.see_through else shape.picture.opacity_pct
        yield _fill_layer(shape, None, opacity)
    elif shape.table is not None:
        yield from _cells(shape)
    elif shape.chart is not None or shape.kind == "graphic":
        yield Layer(shape.box, "", None, 0)
    elif shape.fill.kind != "none" and not (shape.kind == "placeholder" and not shape.paragraphs):
        # Slide shows do not draw empty placeholders.
        yield _fill_layer(shape, paint_colors(shape.fill), _opacity(shape.fill))


def _fill_layer(shape: Shape, paint: tuple[tuple[str, int], ...] | None, opacity_pct: int) -> Layer:
    outline = shape.geometry
    if outline in _SIDES:
        share = max((value for _, value in shape.adjustments), default=_SIDES[outline])
        shorter_side = min(shape.box.width, shape.box.height)
        thickness = max(1.0, shorter_side * min(max(share, 0), 100_000) / 100_000)
        return Layer(shape.box, outline, paint, opacity_pct, thickness, outline == "donut")
    if outline in _HOLLOW or any(part in outline for part in _HOLLOW_PARTS):
        return Layer(shape.box, outline, None, 0)
    return Layer(shape.box, outline, paint, opacity_pct)


def _cells(shape: Shape) -> Iterator[Layer]:
    """Yield the surface of a table, and those of cells that are more opaque than others."""
    table = shape.table
    if table is None:
        return
    cells = [cell for row in table.rows for cell in row if cell.spans != (0, 0)]
    min_opacity = min((_opacity(cell.fill) for cell in cells), default=0)
    yield Layer(shape.box, "", None, min_opacity)
    if min_opacity < OPAQUE_PCT and len(cells) <= _MAX_CELLS:
        for row, column, box in cell_boxes(shape):
            fill = table.rows[row][column].fill
            if _opacity(fill) > min_opacity:
                yield Layer(box, "", paint_colors(fill), _opacity(fill))


def _outline(shape: Shape, outline: str) -> Iterator[Layer]:
    """Yield the outline of a shape if it is thick enough to cover something."""
    line = shape.line
    if line.width_pt >= _MIN_THICK_PT:
        opacity = _opacity(line.paint)
        opacity = opacity if line.dash == "solid" else min(opacity, _DASHED_PCT)
        thickness, is_round = line.width_pt * _EMU_PER_PT, shape.geometry == "ellipse"
        yield Layer(shape.box, outline, paint_colors(line.paint), opacity, thickness, is_round)


def _blocks(shape: Shape) -> Iterator[Layer]:
    """Yield the lines of a text that consists of block characters."""
    if not shape.paragraphs or not _BLOCKS.search(shape.text):
        return
    areas = text_areas(shape.paragraphs, shape.box, shape.frame, shape.autofit == "text")
    for paragraph, area in zip(shape.paragraphs, areas, strict=True):
        if len(_BLOCKS.findall(paragraph.text)) < _MIN_BLOCK_SHARE * len(
            paragraph.text.strip() or "-"
        ):
            continue
        style = paragraph.runs[0].style
        paint = None if style.color is None else ((style.color, style.opacity_pct),)
        for left, top, right, bottom in area.rows[:_MAX_CELLS]:
            box = Box(round(left), round(top), round(right - left), round(bottom - top))
            rotated = replace(box, rotation_deg=shape.box.rotation_deg)
            yield Layer(rotated, "", paint, style.opacity_pct)


def _opacity(paint: Paint) -> int:
    """Return the opacity of a fill for content beneath, in percent."""
    if paint.kind == "none":
        return 0
    if paint.kind in ("solid", "picture"):
        return paint.opacity_pct
    return min((opacity for _, opacity in paint_colors(paint) or ()), default=100)


def _distance_from_diagonal(box: Box, x: float, y: float) -> float:
    """Return the distance of a point from the diagonal that a line draws in its box."""
    start = box.left, box.bottom if box.flip_h != box.flip_v else box.top
    end = box.right, box.top if box.flip_h != box.flip_v else box.bottom
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    share = 0.0
    if length:
        share = min(1.0, max(0.0, ((x - start[0]) * dx + (y - start[1]) * dy) / length))
    return math.hypot(x - start[0] - share * dx, y - start[1] - share * dy)


def _in_ellipse(box: Box, x: float, y: float, margin: float) -> bool:
    half_width, half_height = box.width / 2 + margin, box.height / 2 + margin
    if half_width <= 0 or half_height <= 0:
        return False
    dx, dy = x - (box.left + box.width / 2), y - (box.top + box.height / 2)
    return math.hypot(dx / half_width, dy / half_height) <= 1


def is_opaque(paint: Sequence[tuple[str, int]]) -> bool:
    """Return whether a fill is opaque in all its colors."""
    return all(opacity >= OPAQUE_PCT for _, opacity in paint)


_MAX_COLORS = 24
# Only this many surfaces are checked: more would take seconds, and no real slide has more.
_MAX_LAYERS = 200
_MIN_OPACITY_PCT = 10


class Surface:
    """The surfaces of one slide."""

    def __init__(self, deck: Deck, slide: Slide) -> None:
        self._deck = deck
        self._slide = slide
        self._layers = tuple(
            (shape.index, layer) for shape in slide.shapes for layer in layers_of(shape)
        )

    @cached_property
    def _covers(self) -> tuple[tuple[int, float, float, float, float, Layer], ...]:
        """Index, left, top, right, bottom and surface of each cover, the topmost first."""
        animated = _animated_shapes(self._slide.animations)
        covers = [
            (index, *layer_bounds(layer), layer)
            for index, layer in self._layers
            if layer.opacity_pct >= _MIN_OPACITY_PCT and index not in animated
        ]
        return tuple(covers[: -_MAX_LAYERS - 1 : -1])

    @cached_property
    def _base(self) -> tuple[Layer, ...] | None:
        """Surfaces of layout, master and background, from top to bottom; None if unknown."""
        deck, slide = self._deck, self._slide
        box = Box(0, 0, deck.width_emu, deck.height_emu)
        background = Layer(box, "rect", paint_colors(slide.background) or None, 100)
        if not slide.show_master_shapes:
            return (background,)
        master, layout = deck.master_of(slide), deck.layout_of(slide)
        if master is None or layout is None:
            return None
        shapes = _visible_shapes(layout.shapes)
        if layout.show_master_shapes:
            shapes += _visible_shapes(master.shapes)
        return (*(each for shape in shapes for each in layers_of(shape)[::-1]), background)

    def covers_above(self, index: int, box: Box) -> tuple[Layer, ...]:
        """Return the surfaces above a shape that may cover something within an unrotated box."""
        left, top, right, bottom = box.left, box.top, box.right, box.bottom
        return tuple(
            layer
            for position, layer_left, layer_top, layer_right, layer_bottom, layer in self._covers
            if position > index
            and layer_left <= right
            and left <= layer_right
            and layer_top <= bottom
            and top <= layer_bottom
        )

    def layers_above(self, shapes: frozenset[int], index: int) -> tuple[Layer, ...]:
        """Return the surfaces of some shapes above another one, including animated shapes."""
        layers = [
            layer for position, layer in self._layers if position in shapes and position > index
        ]
        return tuple(layers[:_MAX_LAYERS])

    def colors_behind(self, index: int, point: Point) -> frozenset[str] | None:
        """Return the colors that may be behind a shape at a point.

        Returns:
            Colors ``#RRGGBB``, several for a gradient; None if unknown, as on a picture.
        """
        end = bisect_left(self._layers, index, key=lambda each: each[0])
        below = [layer for _, layer in self._layers[max(0, end - _MAX_LAYERS) : end]]
        if self._base is None or end > _MAX_LAYERS:
            # The surfaces directly below may still be sufficient.
            return _colors(below[::-1], point, open_end=True)
        return _colors((*below[::-1], *self._base), point)


def grid(box: Box, steps: Sequence[float]) -> list[Point]:
    """Return points spread over a box, rotated with the box."""
    area = box.left, box.top, box.right, box.bottom
    return row_points([area], box, [(x_share, y_share) for x_share in steps for y_share in steps])


def row_points(rows: Iterable[Row], box: Box, steps: Sequence[tuple[float, float]]) -> list[Point]:
    """Return points in text lines of a shape, rotated with its box.

    Steps are shares of the width and height of a line.
    """
    return [
        rotate_point(
            (left + (right - left) * x_share, top + (bottom - top) * y_share), box, box.rotation_deg
        )
        for left, top, right, bottom in rows
        for x_share, y_share in steps
    ]


def bounding_box(points: Sequence[Point]) -> Box:
    """Return the bounding box of some points."""
    left, top = (min(point[i] for point in points) for i in (0, 1))
    right, bottom = (max(point[i] for point in points) for i in (0, 1))
    return Box(round(left), round(top), round(right - left), round(bottom - top))


def _colors(
    layers: Sequence[Layer], point: Point, *, open_end: bool = False
) -> frozenset[str] | None:
    for number, layer in enumerate(layers):
        coverage = layer.coverage_at(point)
        if coverage == "no":
            continue
        if layer.paint is None:
            return None
        if coverage == "yes" and all(opacity >= OPAQUE_PCT for _, opacity in layer.paint):
            return frozenset(color for color, _ in layer.paint)
        colors_below = _colors(layers[number + 1 :], point, open_end=open_end)
        if colors_below is None or len(colors_below) * len(layer.paint) > _MAX_COLORS:
            return None
        mixed = frozenset(
            blend(color, back, opacity) for color, opacity in layer.paint for back in colors_below
        )
        return mixed | colors_below if coverage == "maybe" else mixed
    return None if open_end else frozenset(("#FFFFFF",))


def _animated_shapes(effects: Sequence[Animation]) -> frozenset[int]:
    """Return shapes that are not always on the slide and therefore do not count as covers."""
    shapes = set()
    is_after_click = False
    for effect in effects:
        is_after_click = is_after_click or effect.trigger in ("on_click", "on_shape_click")
        is_leaving = effect.kind in ("exit", "motion")
        if effect.shape is not None and (
            is_leaving or (effect.kind == "entrance" and is_after_click)
        ):
            shapes.add(effect.shape)
    return frozenset(shapes)


def _visible_shapes(shapes: Sequence[Shape]) -> tuple[Shape, ...]:
    """Return the shapes of a layout or master that appear on slides, from top to bottom."""
    return tuple(shape for shape in reversed(shapes) if not shape.placeholder)
