"""Generated pictures for the decks defined as data."""

from collections.abc import Callable, Mapping

from PIL import Image

from pptarena.errors import DeckError
from tools.decks.drawing import Canvas
from tools.decks.figures import FIGURES
from tools.decks.photos import PHOTOS

__all__ = ["SCENES", "draw_scene"]

_WOOD, _CRUST, _LIGHT, _DARK = "#caa477", "#b9742f", "#e2a95c", "#5a3a22"


def draw_scene(name: str) -> Image.Image:
    """Return a picture with an aspect ratio of 4:3.

    Raises:
        DeckError: If there is no such picture.
    """
    if name not in SCENES:
        raise DeckError(f"expected a scene of {', '.join(sorted(SCENES))}, got {name!r}")
    canvas = Canvas(480, 360, "#f7ecd9")
    SCENES[name](canvas)
    return canvas.image()


def _bun(canvas: Canvas) -> None:
    canvas.box(0, 250, 480, 360, _WOOD)
    canvas.ellipse((240, 270), (190, 45), "#ffffff", "#d5d5d5")
    canvas.ellipse((240, 205), (140, 85), _CRUST)
    canvas.ellipse((225, 185), (100, 50), _LIGHT)
    for x, y in ((205, 150), (240, 142), (272, 152), (222, 168), (258, 168), (240, 158)):
        canvas.ellipse((x, y), (6, 4), _DARK)


def _loaf(canvas: Canvas) -> None:
    canvas.box(0, 260, 480, 360, _WOOD)
    canvas.box(70, 150, 410, 285, _CRUST, radius=18)
    for x in (125, 240, 355):
        canvas.ellipse((x, 150), (62, 42), _LIGHT)
    for x in (182, 298):
        canvas.line([(x, 160), (x, 280)], _DARK, 3)


def _shop(canvas: Canvas) -> None:
    canvas.box(0, 0, 480, 240, "#cfe6f1")
    canvas.box(0, 300, 480, 360, "#a9a9a9")
    canvas.box(60, 70, 420, 310, "#fff8ec", edge=_DARK, width=3)
    for index in range(9):
        left = 60 + index * 40
        canvas.box(left, 110, left + 40, 155, "#b23b2e" if index % 2 == 0 else "#ffffff")
    canvas.box(85, 180, 265, 285, "#9fc7d6", edge=_DARK, width=3)
    canvas.box(300, 175, 385, 310, "#7a4b26", edge=_DARK, width=3)
    canvas.circle((372, 245), 6, "#f0c84a")
    for x in (120, 175, 230):
        canvas.ellipse((x, 270), (22, 12), _CRUST)


def _map(canvas: Canvas) -> None:
    canvas.box(0, 0, 480, 360, "#d6e8f2")
    areas = {
        "#e7c98f": [(60, 70), (230, 60), (260, 120), (200, 160), (70, 150)],
        "#f0dcae": [(230, 60), (400, 20), (440, 140), (320, 150), (260, 120)],
        "#dba76a": [(70, 150), (200, 160), (260, 150), (250, 205), (90, 205)],
        "#e3d3b5": [(260, 125), (320, 150), (440, 145), (420, 270), (330, 330), (270, 210)],
        "#c9d39a": [(90, 205), (245, 207), (230, 265), (170, 300), (80, 270)],
    }
    for color, corners in areas.items():
        canvas.polygon(corners, color)
        canvas.line([*corners, corners[0]], "#8b7a5c", 2)
    spots = ((140, 180), (185, 182), (225, 178), (150, 110), (205, 100), (340, 90), (330, 200))
    for x, y in (*spots, (375, 220), (150, 235), (200, 240), (120, 250)):
        canvas.circle((x, y), 7, "#a33b3b", "#ffffff", 2)


def _drip(canvas: Canvas) -> None:
    canvas.box(0, 0, 480, 130, "#cfe6f1")
    canvas.circle((400, 60), 32, "#f0c84a")
    canvas.box(0, 130, 480, 360, "#c9a36b")
    for y in (180, 245, 315):
        canvas.line([(0, y), (480, y)], "#2b2b2b", 5)
        for x in (60, 150, 240, 330, 420):
            canvas.circle((x, y + 12), 5, "#2e7f9e")
            canvas.ellipse((x - 12, y - 14), (14, 8), "#3e7d23")
            canvas.ellipse((x + 12, y - 14), (14, 8), "#5c9c3a")


def _emitter(canvas: Canvas) -> None:
    canvas.box(0, 250, 480, 360, "#c9a36b")
    canvas.box(0, 120, 480, 180, "#2b2b2b")
    canvas.box(200, 95, 280, 205, "#5e6b52", radius=12)
    canvas.circle((240, 228), 11, "#2e7f9e")
    canvas.ellipse((240, 285), (95, 26), "#8a6a3d")


def _dawn(canvas: Canvas) -> None:
    for step in range(18):
        shade = f"#{40 + step * 10:02x}{50 + step * 6:02x}{96 + step * 3:02x}"
        canvas.box(0, step * 14, 480, step * 14 + 15, shade)
    canvas.box(0, 250, 480, 360, "#2b3350")
    canvas.circle((330, 250), 46, "#ffd27a")
    canvas.ellipse((140, 380), (320, 150), "#2b3350")
    canvas.ellipse((430, 400), (260, 140), "#232a44")


def _lamp(canvas: Canvas) -> None:
    canvas.box(0, 0, 480, 300, "#3b3347")
    canvas.polygon([(170, 150), (320, 150), (420, 300), (80, 300)], "#6d5a4a")
    canvas.box(0, 300, 480, 360, _WOOD)
    canvas.polygon([(205, 80), (285, 80), (325, 150), (165, 150)], "#d9622b")
    canvas.ellipse((245, 150), (80, 9), "#ffe9a8")
    canvas.line([(245, 80), (245, 40), (360, 40), (360, 300)], "#c8ccd2", 8)
    canvas.ellipse((360, 304), (60, 12), "#8f9499")


def _studio(canvas: Canvas) -> None:
    canvas.box(0, 0, 480, 250, "#efe7dc")
    canvas.box(0, 250, 480, 360, "#b99b78")
    for left in (40, 180, 320):
        canvas.box(left, 40, left + 120, 170, "#bfe0ee", edge="#6b5b4a", width=4)
        canvas.line([(left + 60, 40), (left + 60, 170)], "#6b5b4a", 3)
        canvas.box(left, 220, left + 110, 232, "#7a5a3c")
        canvas.line([(left + 10, 232), (left + 10, 300)], "#7a5a3c", 5)
        canvas.line([(left + 100, 232), (left + 100, 300)], "#7a5a3c", 5)
        canvas.box(left + 30, 180, left + 80, 220, "#33475b", radius=3)


def _team(canvas: Canvas) -> None:
    canvas.box(0, 0, 480, 360, "#dfe9ec")
    canvas.box(0, 290, 480, 360, "#b99b78")
    coats = ("#c4552d", "#7a4b8c", "#2f7f86", "#e0a030", "#a8476a")
    for index, color in enumerate(coats):
        x = 70 + index * 85
        canvas.ellipse((x, 270), (38, 90), color)
        canvas.circle((x, 140), 30, ("#f0c9a4", "#9c6b4a", "#e3b08a")[index % 3])


def _harbor_view(canvas: Canvas) -> None:
    canvas.box(0, 0, 480, 200, "#bfe0ee")
    canvas.box(0, 200, 480, 360, "#3f7f99")
    for left, high in ((20, 120), (90, 80), (150, 150), (240, 100), (310, 130), (390, 90)):
        canvas.box(left, 200 - high, left + 62, 205, "#a58f7a", edge="#6b5b4a", width=2)
        canvas.box(left + 12, 215 - high, left + 26, 232 - high, "#f5e9c9")
        canvas.box(left + 36, 215 - high, left + 50, 232 - high, "#f5e9c9")
    canvas.polygon([(160, 270), (340, 270), (310, 310), (190, 310)], "#8c3b2e")
    canvas.line([(250, 270), (250, 180)], "#3a2a1c", 4)


def _crossing(canvas: Canvas) -> None:
    canvas.box(0, 0, 480, 360, "#9fb59a")
    canvas.box(0, 140, 480, 230, "#777d82")
    canvas.box(190, 0, 290, 360, "#777d82")
    for left in range(20, 480, 60):
        canvas.box(left, 182, left + 30, 188, "#ffffff")
    canvas.line([(225, 0), (225, 360)], "#d0d4d8", 4)
    canvas.line([(255, 0), (255, 360)], "#d0d4d8", 4)


def _tram_stop(canvas: Canvas) -> None:
    canvas.box(0, 0, 480, 250, "#d7ebf4")
    canvas.box(0, 250, 480, 360, "#9a9fa4")
    canvas.box(60, 110, 400, 262, "#1c7c8c", radius=16)
    for left in (85, 165, 245, 325):
        canvas.box(left, 135, left + 58, 190, "#eaf6fb")
    for x in (120, 200, 280, 350):
        canvas.circle((x, 266), 14, "#33383c")
    canvas.box(430, 120, 440, 290, "#33475b")
    canvas.circle((435, 110), 24, "#ffffff", "#2f8f4e", 6)


def _route(canvas: Canvas) -> None:
    canvas.box(0, 0, 480, 360, "#e9efe6")
    canvas.polygon([(0, 260), (180, 230), (300, 290), (480, 250), (480, 360), (0, 360)], "#a9d3e6")
    for left in range(30, 460, 70):
        canvas.line([(left, 0), (left + 20, 250)], "#ffffff", 6)
    for top in (60, 130, 200):
        canvas.line([(0, top), (480, top - 20)], "#ffffff", 6)
    canvas.line([(40, 220), (130, 170), (230, 190), (330, 110), (440, 60)], "#b23a48", 9)
    for point in ((40, 220), (130, 170), (230, 190), (330, 110), (440, 60)):
        canvas.circle(point, 11, "#ffffff", "#b23a48", 5)


def _old_logo(canvas: Canvas) -> None:
    canvas.box(0, 0, 480, 360, "#ffffff")
    canvas.box(20, 60, 460, 300, "#66747c", radius=30)
    canvas.text((240, 150), "HAFEN", 86, "#ffffff")
    canvas.text((240, 240), "BAHN", 60, "#d0d7da")


def _new_logo(canvas: Canvas) -> None:
    canvas.box(0, 0, 480, 360, "#ffffff")
    canvas.circle((240, 180), 165, "#1c7c8c")
    canvas.text((240, 150), "Linie 9", 78, "#ffffff")
    canvas.line([(110, 235), (200, 255), (280, 225), (370, 245)], "#d9822b", 12)


SCENES: Mapping[str, Callable[[Canvas], None]] = {
    "bun": _bun,
    "drip": _drip,
    "emitter": _emitter,
    "crossing": _crossing,
    "dawn": _dawn,
    "harbor": _harbor_view,
    "lamp": _lamp,
    "loaf": _loaf,
    "map": _map,
    "new logo": _new_logo,
    "old logo": _old_logo,
    "route": _route,
    "shop": _shop,
    **FIGURES,
    **PHOTOS,
    "stop": _tram_stop,
    "studio": _studio,
    "team": _team,
}
"""The function that draws each picture, on a canvas of 480 by 360 units."""
