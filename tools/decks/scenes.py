"""Pictures for the decks by data, drawn by program: a bun, a shop, a map, a field and so on."""

from collections.abc import Callable, Mapping

from PIL import Image

from pptarena.errors import DeckError
from tools.decks.drawing import Canvas
from tools.decks.figures import FIGURES
from tools.decks.photos import PHOTOS

__all__ = ["SCENES", "draw_scene"]

_WOOD, _CRUST, _LIGHT, _DARK = "#caa477", "#b9742f", "#e2a95c", "#5a3a22"


def draw_scene(name: str) -> Image.Image:
    """Return a picture of four by three.

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


SCENES: Mapping[str, Callable[[Canvas], None]] = {
    "bun": _bun,
    "drip": _drip,
    "emitter": _emitter,
    "loaf": _loaf,
    "map": _map,
    "shop": _shop,
    **FIGURES,
    **PHOTOS,
}
"""What draws each picture, on a canvas of 480 by 360 units."""
