"""Figures of the deck ``thesis``, drawn on a canvas of 480 by 360 units."""

from collections.abc import Callable, Mapping
from math import cos, pi, sin
from random import Random

from tools.decks.drawing import Canvas

__all__ = ["FIGURES"]

_INK, _SKY, _SOIL, _GREEN, _STONE = "#2a2a38", "#e4eef7", "#7a5233", "#3c8f4d", "#b8bcc4"
_RED, _BLUE, _GOLD = "#c8402f", "#3465a4", "#d99a06"


def _roof_section(canvas: Canvas) -> None:
    canvas.box(0, 0, 480, 360, _SKY)
    for x in range(30, 300, 18):
        canvas.line([(x, 110), (x - 5, 72)], _GREEN, 4)
        canvas.line([(x, 110), (x + 6, 80)], "#5fb06d", 3)
    layers = (
        (108, 200, _SOIL, "soil, 4 to 16 cm"),
        (200, 222, "#d8d2c4", "fleece"),
        (222, 268, "#8fb4cf", "drainage"),
        (268, 280, _INK, "seal"),
        (280, 360, _STONE, "roof slab"),
    )
    for top, bottom, color, name in layers:
        canvas.box(0, top, 320, bottom, color)
        middle = (top + bottom) / 2
        canvas.line([(320, middle), (342, middle)], _INK, 2)
        canvas.text((348, middle), name, 15, _INK, "lm")


def _campus(canvas: Canvas) -> None:
    canvas.box(0, 0, 480, 360, "#eef1e4")
    canvas.line([(0, 250), (190, 215), (480, 240)], "#cfcfcf", 16)
    canvas.line([(210, 0), (200, 360)], "#cfcfcf", 12)
    canvas.ellipse((390, 310), (70, 32), "#a9cfe6")
    roofs = (
        (60, 50, 150, 110),
        (50, 140, 120, 190),
        (240, 60, 340, 120),
        (370, 70, 450, 170),
        (240, 150, 310, 200),
        (50, 270, 160, 330),
    )
    for number, (left, top, right, bottom) in enumerate(roofs, start=1):
        canvas.box(left, top, right, bottom, _GREEN, edge=_INK, width=2)
        canvas.text(((left + right) / 2, (top + bottom) / 2), str(number), 24, "#ffffff")
    canvas.arrow((450, 50), (450, 14), _INK)
    canvas.text((432, 24), "N", 16, _INK)


def _station(canvas: Canvas) -> None:
    canvas.box(0, 0, 480, 360, _SKY)
    canvas.box(0, 280, 480, 320, _SOIL)
    canvas.box(0, 320, 480, 360, _STONE)
    canvas.line([(180, 280), (180, 50)], _INK, 7)
    canvas.line([(120, 60), (240, 60)], _INK, 5)
    for x in (120, 240):
        canvas.circle((x, 54), 13, _GOLD, _INK)
    canvas.box(150, 130, 210, 180, "#ffffff", edge=_INK, width=3)
    canvas.circle((180, 240), 11, _RED, _INK)
    canvas.box(120, 322, 260, 340, _BLUE)
    names = ((54, 240, "wind"), (155, 210, "air"), (240, 192, "surface"), (331, 260, "scale"))
    for y, x, name in names:
        canvas.line([(x + 12, y), (320, y)], _INK, 1.5)
        canvas.text((328, y), name, 18, _INK, "lm")


def _axes(canvas: Canvas, x_label: str, y_label: str) -> None:
    canvas.box(0, 0, 480, 360, "#ffffff")
    canvas.line([(60, 20), (60, 310), (460, 310)], _INK, 2.5)
    canvas.text((260, 340), x_label, 16, _INK)
    canvas.text((66, 26), y_label, 16, _INK, "lm")


def _hot_day(canvas: Canvas) -> None:
    _axes(canvas, "hour of the day", "°C")
    curves = ((_RED, 235, "bare roof"), (_BLUE, 80, "soil"), (_GOLD, 105, "air"))
    for color, height, name in curves:
        points = [
            (60 + hour * 16, 290 - height * max(0.0, sin((hour - 5) / 16 * pi)))
            for hour in range(25)
        ]
        canvas.line(points, color, 4)
        y = {"bare roof": 70, "air": 94, "soil": 118}[name]
        canvas.line([(360, y), (385, y)], color, 4)
        canvas.text((392, y), name, 15, _INK, "lm")
    for hour in (0, 6, 12, 18, 24):
        canvas.text((60 + hour * 16, 322), str(hour), 13, _INK)


def _roots(canvas: Canvas, depth: int, count: int) -> None:
    canvas.box(0, 0, 480, 360, _SKY)
    canvas.box(0, 110, 480, 110 + depth, _SOIL)
    canvas.box(0, 110 + depth, 480, 360, _STONE)
    random = Random(depth)
    for plant in range(4):
        x = 70 + plant * 112
        for lean in (-14, 0, 14):
            canvas.line([(x, 112), (x + lean, 46)], _GREEN, 6)
        for _ in range(count):
            root_x, y = float(x), 112.0
            points = [(root_x, y)]
            while y < 96 + depth:
                root_x, y = root_x + random.uniform(-13, 13), y + 12
                points.append((root_x, y))
            canvas.line(points, "#e8d9b8", 2.5)


def _roots_thin(canvas: Canvas) -> None:
    _roots(canvas, 55, 3)


def _roots_thick(canvas: Canvas) -> None:
    _roots(canvas, 210, 6)


def _balance(canvas: Canvas) -> None:
    canvas.box(0, 0, 480, 360, _SKY)
    canvas.circle((70, 60), 34, _GOLD)
    for turn in range(12):
        x, y = cos(turn * pi / 6), sin(turn * pi / 6)
        canvas.line([(70 + 42 * x, 60 + 42 * y), (70 + 54 * x, 60 + 54 * y)], _GOLD, 4)
    canvas.box(60, 230, 420, 275, _SOIL)
    canvas.box(60, 275, 420, 340, _STONE)
    arrows = (
        ((115, 105), (175, 220), _GOLD, "sun", (112, 172)),
        ((250, 222), (250, 120), _RED, "heat", (285, 140)),
        ((345, 222), (345, 90), _BLUE, "vapour", (390, 110)),
        ((250, 285), (250, 325), _INK, "storage", (300, 308)),
    )
    for start, end, color, name, at in arrows:
        canvas.arrow(start, end, color, 6)
        canvas.text(at, name, 19, _INK)


def _scatter(canvas: Canvas) -> None:
    _axes(canvas, "modelled, mm a day", "measured, mm a day")
    canvas.line([(60, 310), (430, 50)], _STONE, 3)
    random = Random(12)
    for _ in range(90):
        fraction = random.uniform(0.06, 0.94)
        deviation = random.gauss(0, 11) + (22 if random.random() < 0.08 else 0)
        canvas.circle((60 + 370 * fraction, 310 - 260 * fraction + deviation), 4, _BLUE)


FIGURES: Mapping[str, Callable[[Canvas], None]] = {
    "balance": _balance,
    "campus": _campus,
    "hot_day": _hot_day,
    "roof_section": _roof_section,
    "roots_thick": _roots_thick,
    "roots_thin": _roots_thin,
    "scatter": _scatter,
    "station": _station,
}
"""The function that draws each figure."""
