"""Query what is above and below a point of a slide: covering shapes and background colors."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property

from pptarena.decks import Animation, Box, Deck, Shape, Slide
from pptarena.decks.visibility.contrast import blend
from pptarena.decks.visibility.layers import (
    OPAQUE_PCT,
    Layer,
    Point,
    layers_of,
    paint_colors,
    reach,
    turned,
)

__all__ = ["Surface", "around", "grid"]

_MAX_COLORS = 24
# Only this many surfaces are checked: more would take seconds, and no real slide has more.
_MAX_LAYERS = 200
_LEAST_PCT = 10


class Surface:
    """The surfaces of one slide.

    Args:
        deck: The deck, for surfaces of layout and master.
        slide: The slide.
    """

    def __init__(self, deck: Deck, slide: Slide) -> None:
        self._deck = deck
        self._slide = slide
        self._painted = tuple(
            (shape.index, layer) for shape in slide.shapes for layer in layers_of(shape)
        )

    @cached_property
    def _covers(self) -> tuple[tuple[int, float, float, float, float, Layer], ...]:
        """Index, left, top, right, bottom and surface of each cover, the topmost first."""
        moving = _come_or_go(self._slide.animations)
        found = [
            (index, *reach(layer), layer)
            for index, layer in self._painted
            if layer.opacity_pct >= _LEAST_PCT and index not in moving
        ]
        return tuple(found[: -_MAX_LAYERS - 1 : -1])

    @cached_property
    def _base(self) -> tuple[Layer, ...] | None:
        """Surfaces of layout, master and background, from top to bottom; None if unknown."""
        deck, slide = self._deck, self._slide
        box = Box(0, 0, deck.width_emu, deck.height_emu)
        paper = Layer(box, "rect", paint_colors(slide.background) or None, 100)
        if not slide.show_master_shapes:
            return (paper,)
        master, layout = deck.master_of(slide), deck.layout_of(slide)
        if master is None or layout is None:
            return None
        shapes = _shown(layout.shapes)
        if layout.show_master_shapes:
            shapes += _shown(master.shapes)
        return (*(each for shape in shapes for each in layers_of(shape)[::-1]), paper)

    def covers_above(self, index: int, box: Box) -> tuple[Layer, ...]:
        """Return the surfaces above a shape that may cover something within an unrotated box."""
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

    def laid_by(self, shapes: frozenset[int], index: int) -> tuple[Layer, ...]:
        """Return the surfaces of some shapes above another one, including animated shapes."""
        found = [layer for at, layer in self._painted if at in shapes and at > index]
        return tuple(found[:_MAX_LAYERS])

    def colors_behind(self, index: int, point: Point) -> frozenset[str] | None:
        """Return the colors that may be behind a shape at a point.

        Args:
            index: Index of the shape; its own fill does not count.
            point: The point.

        Returns:
            Colors ``#RRGGBB``, several for a gradient; None if unknown, as on a picture.
        """
        end = bisect_left(self._painted, index, key=lambda each: each[0])
        below = [layer for _, layer in self._painted[max(0, end - _MAX_LAYERS) : end]]
        if self._base is None or end > _MAX_LAYERS:
            # The surfaces directly below may still be sufficient.
            return _colors(below[::-1], point, open_end=True)
        return _colors((*below[::-1], *self._base), point)


def grid(
    box: Box, left: float, top: float, right: float, bottom: float, steps: Sequence[float]
) -> list[Point]:
    """Return points spread over an area of a box, rotated with the box."""
    points = (
        (left + (right - left) * across, top + (bottom - top) * along)
        for across in steps
        for along in steps
    )
    return [turned(point, box, box.rotation_deg) for point in points]


def around(points: Sequence[Point]) -> Box:
    """Return the bounding box of some points."""
    left, top = (min(point[i] for point in points) for i in (0, 1))
    right, bottom = (max(point[i] for point in points) for i in (0, 1))
    return Box(round(left), round(top), round(right - left), round(bottom - top))


def _colors(
    layers: Sequence[Layer], point: Point, *, open_end: bool = False
) -> frozenset[str] | None:
    for number, layer in enumerate(layers):
        where = layer.at(point)
        if where == "no":
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
    """Return shapes that are not always on the slide and therefore do not count as covers."""
    found = set()
    clicked = False
    for effect in effects:
        clicked = clicked or effect.trigger in ("on_click", "on_shape_click")
        leaves = effect.kind in ("exit", "motion")
        if effect.shape is not None and (leaves or (effect.kind == "entrance" and clicked)):
            found.add(effect.shape)
    return frozenset(found)


def _shown(shapes: Sequence[Shape]) -> tuple[Shape, ...]:
    """Return the shapes of a layout or master that appear on slides, from top to bottom."""
    return tuple(shape for shape in reversed(shapes) if not shape.placeholder)
