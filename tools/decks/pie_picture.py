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
    start = -pi / 2
    for index, (name, percentage) in enumerate(parts.items()):
        end = start + 2 * pi * percentage / sum(parts.values())
        steps = 60
        angles = [start + (end - start) * step / steps for step in range(steps + 1)]
        edge = [(_CENTER[0] + _RADIUS * cos(a), _CENTER[1] + _RADIUS * sin(a)) for a in angles]
        canvas.polygon([_CENTER, *edge], _COLORS[index])
        bisector = (start + end) / 2
        label_position = (_CENTER[0] + 110 * cos(bisector), _CENTER[1] + 110 * sin(bisector))
        canvas.text(label_position, f"{percentage:g} %", 20, "#ffffff")
        top = 110 + index * 50
        canvas.box(420, top, 444, top + 24, _COLORS[index])
        canvas.text((458, top + 12), name, 20, anchor="lm")
        start = end
    return canvas.image()
