"""Photographs of the deck ``field``, drawn on a canvas of 480 by 360 units."""

from collections.abc import Callable, Mapping
from random import Random

from tools.decks.drawing import Canvas

__all__ = ["PHOTOS"]

_SKY, _GRASS, _DARK, _WOOD = "#bfe0f2", "#7fb55a", "#3b3326", "#8a5a33"
_RED, _GOLD, _WATER = "#b23a2e", "#e0b23c", "#6fa8cf"


def _meadow(canvas: Canvas, sky: str = _SKY, ground: str = _GRASS, edge: int = 220) -> None:
    canvas.box(0, 0, 480, 360, sky)
    canvas.ellipse((120, edge + 30), (260, 60), ground)
    canvas.box(0, edge + 20, 480, 360, ground)


def _wheat(canvas: Canvas) -> None:
    _meadow(canvas, "#cfe8f5", "#d9b458", 150)
    random = Random(1)
    for _ in range(170):
        x, y = random.uniform(0, 480), random.uniform(180, 350)
        canvas.line([(x, y + 26), (x + 4, y)], "#b98a2f", 2)
        canvas.ellipse((x + 4, y - 7), (3.5, 9), "#f0d27a")
    canvas.circle((400, 60), 30, "#f7d547")


def _apples(canvas: Canvas) -> None:
    _meadow(canvas)
    for x in (110, 330):
        canvas.box(x - 12, 190, x + 12, 300, _WOOD)
        canvas.circle((x, 140), 82, "#4c8a3f")
        for dx, dy in ((-40, -20), (0, -50), (38, -8), (-12, 30), (28, 42), (-50, 34)):
            canvas.circle((x + dx, 140 + dy), 10, _RED)


def _tractor(canvas: Canvas) -> None:
    _meadow(canvas, ground="#a7814f", edge=230)
    canvas.box(150, 170, 320, 235, "#2f7d3a", radius=8)
    canvas.box(150, 100, 230, 175, "#d7ecf5", edge="#2f7d3a", width=8)
    canvas.box(285, 130, 295, 175, _DARK)
    for x, y, radius in ((180, 250, 58), (320, 268, 38)):
        canvas.circle((x, y), radius, _DARK)
        canvas.circle((x, y), radius * 0.45, _GOLD)


def _barn(canvas: Canvas) -> None:
    _meadow(canvas)
    canvas.polygon([(120, 160), (240, 80), (360, 160)], _DARK)
    canvas.box(135, 158, 345, 300, _RED)
    canvas.box(205, 210, 275, 300, "#f4ece0", edge=_DARK, width=3)
    canvas.line([(205, 210), (275, 300)], _DARK, 3)
    canvas.line([(275, 210), (205, 300)], _DARK, 3)
    canvas.box(225, 120, 255, 148, "#f4ece0")


def _bees(canvas: Canvas) -> None:
    _meadow(canvas, edge=240)
    for x, color in ((110, "#e9c46a"), (240, "#8ab6d6"), (370, "#d98c7a")):
        for level in range(3):
            top = 150 + level * 46
            canvas.box(x - 48, top, x + 48, top + 42, color, edge=_DARK, width=2)
        canvas.box(x - 54, 140, x + 54, 154, "#f4f4f4", edge=_DARK, width=2)
        canvas.box(x - 20, 274, x + 20, 282, _DARK)
    for x, y in ((70, 100), (180, 80), (300, 110), (420, 90)):
        canvas.ellipse((x, y), (8, 5), _GOLD, _DARK, 1.5)
        canvas.ellipse((x + 2, y - 8), (6, 4), "#ffffff")


def _brook(canvas: Canvas) -> None:
    _meadow(canvas, edge=140)
    canvas.polygon([(230, 160), (262, 160), (420, 360), (110, 360)], _WATER)
    for y, width in ((200, 26), (250, 60), (310, 90)):
        canvas.line([(245 - width / 2, y), (245 + width / 2, y)], "#ffffff", 3)
    for x, y in ((60, 220), (400, 190), (440, 260), (30, 310)):
        canvas.box(x - 5, y, x + 5, y + 40, _WOOD)
        canvas.circle((x, y - 14), 28, "#4c8a3f")


PHOTOS: Mapping[str, Callable[[Canvas], None]] = {
    "apples": _apples,
    "barn": _barn,
    "bees": _bees,
    "brook": _brook,
    "tractor": _tractor,
    "wheat": _wheat,
}
"""The function that draws each photograph."""
