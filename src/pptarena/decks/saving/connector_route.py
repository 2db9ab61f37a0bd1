"""Compare the routes of connectors, regardless of how a file describes them.

When an application opens a deck, it reroutes connectors, and may then store the same route
differently: with another number of bends, rotated by 180 degrees, or with a bend at the very end.
The application chooses the route between two attached shapes, and may change it as soon as the
slide is displayed; for such connectors, only the end points are compared.

Formulas: the guides of ``bentConnector2`` to ``bentConnector5`` in presetShapeDefinitions.xml of
ECMA-376. Curved connectors go through the same points.
"""

import math
from collections.abc import Mapping, Sequence

from pptarena.decks.facts.shape import Shape
from pptarena.decks.tolerances import LENGTH_TOLERANCE_EMU

__all__ = ["same_route"]

_Point = tuple[float, float]
_HALF = 50_000
_WHOLE = 100_000


def same_route(first: Shape, second: Shape) -> bool:
    """Return whether two connectors of one type have the same route; False for other shapes."""
    if not first.kind == second.kind == "line" or _sort(first) != _sort(second) or not _sort(first):
        return False
    route, other = _route(first), _route(second)
    if _is_alike(route, other):
        return True
    if None not in (*first.connects, *second.connects):
        return _is_alike((route[0], route[-1]), (other[0], other[-1]))
    # A reversed route is the same line, unless its arrowheads differ.
    ends = first.line.ends
    return ends == second.line.ends and ends[0] == ends[1] and _is_alike(route, other[::-1])


def _sort(shape: Shape) -> str:
    name = shape.geometry.rstrip("12345")
    return name if name in ("straightConnector", "bentConnector", "curvedConnector", "line") else ""


def _route(shape: Shape) -> list[_Point]:
    """Return the corners of the route on the slide, in EMU, from start to end."""
    box, given = shape.box, dict(shape.adjustments)
    corners = _corners(shape.geometry[-1:], given)
    points = []
    angle = math.radians(box.rotation_deg)
    sine, cosine = math.sin(angle), math.cos(angle)
    for x, y in corners:
        # Relative to the center, about which shapes are flipped and rotated.
        across = (x - 0.5) * box.width * (-1 if box.flip_h else 1)
        down = (y - 0.5) * box.height * (-1 if box.flip_v else 1)
        points.append(
            (
                box.left + box.width / 2 + across * cosine - down * sine,
                box.top + box.height / 2 + across * sine + down * cosine,
            )
        )
    return _simple(points)


def _corners(bends: str, given: Mapping[str, int]) -> list[_Point]:
    """Return the corners as shares of width and height."""
    first, second, third = (given.get(f"adj{n}", _HALF) / _WHOLE for n in (1, 2, 3))
    if bends == "2":
        return [(0, 0), (1, 0), (1, 1)]
    if bends == "3":
        return [(0, 0), (first, 0), (first, 1), (1, 1)]
    if bends == "4":
        return [(0, 0), (first, 0), (first, second), (1, second), (1, 1)]
    if bends == "5":
        return [(0, 0), (first, 0), (first, second), (third, second), (third, 1), (1, 1)]
    return [(0, 0), (1, 1)]


def _simple(points: Sequence[_Point]) -> list[_Point]:
    """Return a line without invisible corners (Douglas-Peucker algorithm)."""
    if len(points) < 3:
        return list(points)
    away = [_distance(point, points[0], points[-1]) for point in points[1:-1]]
    furthest = max(range(len(away)), key=away.__getitem__)
    if away[furthest] <= LENGTH_TOLERANCE_EMU:
        return [points[0], points[-1]]
    corner = furthest + 1
    return _simple(points[: corner + 1])[:-1] + _simple(points[corner:])


def _distance(point: _Point, start: _Point, end: _Point) -> float:
    """Return the distance of a point from the segment between two others."""
    (x, y), (x1, y1), (x2, y2) = point, start, end
    length_2 = (x2 - x1) ** 2 + (y2 - y1) ** 2
    along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length_2 if length_2 else 0.0
    along = max(0.0, min(1.0, along))
    return math.hypot(x - x1 - along * (x2 - x1), y - y1 - along * (y2 - y1))


def _is_alike(first: Sequence[_Point], second: Sequence[_Point]) -> bool:
    return len(first) == len(second) and all(
        math.dist(a, b) <= LENGTH_TOLERANCE_EMU for a, b in zip(first, second, strict=True)
    )
