"""A pie chart as a picture, for tasks in which its numbers cannot be edited."""

from collections.abc import Mapping
from math import cos, pi, sin

from PIL import Image

from tools.decks.drawing import Canvas

__all__ = ["draw_pie"]

_COLORS = ("#0077b6", "#f2a104", "#2a9d8f", "#8e5ea2", "#6c757d")
_CENTER, _RADIUS = (210.0, 200.0), 170.0


def draw_pie(parts: Mapping[str, float]) -> Image.Image:
    """Return a pie chart with a legend.

    Args:
        parts: Percentages by name; at most five.
    """
    canvas = Canvas(640, 400)
    begin = -pi / 2
    for index, (name, share) in enumerate(parts.items()):
        end = begin + 2 * pi * share / sum(parts.values())
        steps = 60
        angles = [begin + (end - begin) * step / steps for step in range(steps + 1)]
        edge = [(_CENTER[0] + _RADIUS * cos(a), _CENTER[1] + _RADIUS * sin(a)) for a in angles]
        canvas.polygon([_CENTER, *edge], _COLORS[index])
        middle = (begin + end) / 2
        at = (_CENTER[0] + 110 * cos(middle), _CENTER[1] + 110 * sin(middle))
        canvas.text(at, f"{share:g} %", 20, "#ffffff")
        top = 110 + index * 50
        canvas.box(420, top, 444, top + 24, _COLORS[index])
        canvas.text((458, top + 12), name, 20, anchor="lm")
        begin = end
    return canvas.image()
