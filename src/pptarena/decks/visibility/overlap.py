"""Measure the overlap of the visible content of two shapes."""

from collections.abc import Iterator

from pptarena.decks import Box, Shape
from pptarena.decks.read.caches import IdentityCache
from pptarena.decks.visibility.layers import (
    OPAQUE_PCT,
    Point,
    Row,
    grid,
    layers_of,
    rotate_point,
    row_points,
)
from pptarena.decks.visibility.text_layout import texts_of

__all__ = [
    "hidden_share",
    "overlapping_text_share",
    "text_points",
    "text_rows",
    "text_share_within",
]


_STEPS = ((0.05, 0.6), (0.25, 0.4), (0.45, 0.6), (0.65, 0.4), (0.85, 0.6), (0.97, 0.4))
_EDGE_STEPS = (0.05, 0.35, 0.65, 0.95)
_MAX_ROWS = 60
_CACHE_SIZE = 2_000
_rows: IdentityCache[list[Row]] = IdentityCache(_CACHE_SIZE)
_bounds_cache: IdentityCache[tuple[float, ...]] = IdentityCache(_CACHE_SIZE)


def text_rows(shape: Shape) -> list[Row]:
    """Return the text lines of a shape, including those in table cells."""
    return _rows.get((shape,), lambda: _text_rows(shape))


def _text_rows(shape: Shape) -> list[Row]:
    rows: list[Row] = []
    for paragraphs, _, _, areas in texts_of(shape):
        for paragraph, area in zip(paragraphs, areas, strict=True):
            if paragraph.text.strip():
                rows += area.rows
    return rows[:_MAX_ROWS]


def text_points(shape: Shape) -> list[Point]:
    """Return sample points on the text lines of a shape, rotated with the shape."""
    return row_points(text_rows(shape), shape.box, _STEPS)


def overlapping_text_share(first: Shape, second: Shape) -> float:
    """Return the share of either shape's text that overlaps text of the other, 0 to 1."""
    if not _near(first, second):
        return 0.0
    return max(_share_in(first, second), _share_in(second, first))


def text_share_within(shape: Shape, box: Box) -> float:
    """Return the share of a shape's text within a box, 0 to 1."""
    points = text_points(shape)
    rotated = (rotate_point(point, box, -box.rotation_deg) for point in points)
    inside = sum(box.left <= x <= box.right and box.top <= y <= box.bottom for x, y in rotated)
    return inside / len(points) if points else 0.0


def hidden_share(under: Shape, over: Shape) -> float:
    """Return the share of a shape's content under an opaque surface of another one, 0 to 1.

    The content is the text lines, or the entire box for pictures, charts and the like without text.
    """
    if not _near(under, over):
        return 0.0
    layers = [layer for layer in layers_of(over) if layer.opacity_pct >= OPAQUE_PCT]
    points = text_points(under)
    if not points and under.content is not None:
        points = grid(under.box, _EDGE_STEPS)
    if not layers or not points:
        return 0.0
    covered = sum(any(layer.coverage_at(point) == "yes" for layer in layers) for point in points)
    return covered / len(points)


def _share_in(first: Shape, second: Shape) -> float:
    points = text_points(first)
    rows = text_rows(second) if points else []
    if not rows:
        return 0.0
    rotated = [rotate_point(point, second.box, -second.box.rotation_deg) for point in points]
    inside = sum(
        any(left <= x <= right and top <= y <= bottom for left, top, right, bottom in rows)
        for x, y in rotated
    )
    return inside / len(points)


def _near(first: Shape, second: Shape) -> bool:
    first_bounds, second_bounds = _bounds_of(first), _bounds_of(second)
    return (
        first_bounds[0] < second_bounds[2]
        and second_bounds[0] < first_bounds[2]
        and first_bounds[1] < second_bounds[3]
        and second_bounds[1] < first_bounds[3]
    )


def _bounds_of(shape: Shape) -> tuple[float, ...]:
    return _bounds_cache.get((shape,), lambda: tuple(_compute_bounds(shape)))


def _compute_bounds(shape: Shape) -> Iterator[float]:
    """Yield left, top, right and bottom bounds of a shape, including its text."""
    box = shape.box
    margin = float(max(box.width, box.height)) if box.rotation_deg else 0.0
    rows = text_rows(shape)
    yield min([float(box.left), *(row[0] for row in rows)]) - margin
    yield min([float(box.top), *(row[1] for row in rows)]) - margin
    yield max([float(box.right), *(row[2] for row in rows)]) + margin
    yield max([float(box.bottom), *(row[3] for row in rows)]) + margin
