"""Measure the overlap of the visible content of two shapes."""

from collections.abc import Iterator

from pptarena.decks import Box, Shape
from pptarena.decks.read.recent import SameObjects
from pptarena.decks.visibility.layers import (
    OPAQUE_PCT,
    Point,
    Row,
    grid,
    layers_of,
    row_points,
    turned,
)
from pptarena.decks.visibility.text_place import texts_of

__all__ = ["text_points", "text_rows", "words_hidden", "words_on_words", "words_within"]


_STEPS = ((0.05, 0.6), (0.25, 0.4), (0.45, 0.6), (0.65, 0.4), (0.85, 0.6), (0.97, 0.4))
_EDGED_STEPS = (0.05, 0.35, 0.65, 0.95)
_MAX_ROWS = 60
_KEPT = 2_000
_rows: SameObjects[list[Row]] = SameObjects(_KEPT)
_reaches: SameObjects[tuple[float, ...]] = SameObjects(_KEPT)


def text_rows(shape: Shape) -> list[Row]:
    """Return the text lines of a shape, including those in table cells."""
    return _rows.get((shape,), lambda: _text_rows(shape))


def _text_rows(shape: Shape) -> list[Row]:
    found: list[Row] = []
    for paragraphs, _, _, areas in texts_of(shape):
        for paragraph, area in zip(paragraphs, areas, strict=True):
            if paragraph.text.strip():
                found += area.rows
    return found[:_MAX_ROWS]


def text_points(shape: Shape) -> list[Point]:
    """Return sample points on the text lines of a shape, rotated with the shape."""
    return row_points(text_rows(shape), shape.box, _STEPS)


def words_on_words(first: Shape, second: Shape) -> float:
    """Return the share of either shape's text that overlaps text of the other, 0 to 1."""
    if not _near(first, second):
        return 0.0
    return max(_share_in(first, second), _share_in(second, first))


def words_within(shape: Shape, box: Box) -> float:
    """Return the share of a shape's text within a box, 0 to 1."""
    points = text_points(shape)
    back = (turned(point, box, -box.rotation_deg) for point in points)
    inside = sum(box.left <= x <= box.right and box.top <= y <= box.bottom for x, y in back)
    return inside / len(points) if points else 0.0


def words_hidden(under: Shape, over: Shape) -> float:
    """Return the share of a shape's content under an opaque surface of another one, 0 to 1.

    The content is the text lines, or the entire box for pictures, charts and the like without text.
    """
    if not _near(under, over):
        return 0.0
    layers = [layer for layer in layers_of(over) if layer.opacity_pct >= OPAQUE_PCT]
    points = text_points(under)
    if not points and under.content is not None:
        points = grid(under.box, _EDGED_STEPS)
    if not layers or not points:
        return 0.0
    hidden = sum(any(layer.at(point) == "yes" for layer in layers) for point in points)
    return hidden / len(points)


def _share_in(first: Shape, second: Shape) -> float:
    points = text_points(first)
    rows = text_rows(second) if points else []
    if not rows:
        return 0.0
    back = [turned(point, second.box, -second.box.rotation_deg) for point in points]
    inside = sum(
        any(left <= x <= right and top <= y <= bottom for left, top, right, bottom in rows)
        for x, y in back
    )
    return inside / len(points)


def _near(first: Shape, second: Shape) -> bool:
    one, other = _reach_of(first), _reach_of(second)
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _reach_of(shape: Shape) -> tuple[float, ...]:
    return _reaches.get((shape,), lambda: tuple(_reach(shape)))


def _reach(shape: Shape) -> Iterator[float]:
    """Yield left, top, right and bottom bounds of a shape, including its text."""
    box = shape.box
    room = float(max(box.width, box.height)) if box.rotation_deg else 0.0
    rows = text_rows(shape)
    yield min([float(box.left), *(row[0] for row in rows)]) - room
    yield min([float(box.top), *(row[1] for row in rows)]) - room
    yield max([float(box.right), *(row[2] for row in rows)]) + room
    yield max([float(box.bottom), *(row[3] for row in rows)]) + room
