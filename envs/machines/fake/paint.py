"""Paints the fake machine's screen: simple, but every widget is recognizable."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from pptarena.envs.machines.fake.glyphs import font_of, line_mask, to_drawable, wrap
from pptarena.envs.machines.fake.layout import TITLE_PX, Widget

__all__ = ["paint"]

Box = tuple[int, int, int, int]
Color = tuple[int, int, int]

INK: Color = (32, 33, 36)
DISABLED_INK: Color = (150, 152, 156)
ACCENT: Color = (36, 104, 216)
BACKGROUND: Color = (226, 228, 232)
WHITE: Color = (255, 255, 255)
_FILLS: dict[str, Color] = {
    "window": BACKGROUND,
    "toolbar": (244, 245, 247),
    "panel": (236, 237, 240),
    "page": WHITE,
    "status": (244, 245, 247),
    "button": (252, 252, 253),
    "menu bar": (244, 245, 247),
    "menu": (244, 245, 247),
    "menu item": (252, 252, 253),
    "toggle button": (252, 252, 253),
    "image": (206, 222, 206),
    "embedded": (214, 224, 244),
    "table": (244, 236, 220),
}


def paint(widgets: list[Widget], width: int, height: int) -> NDArray[np.uint8]:
    """Return the screen as a new uint8 array (height, width, 3), RGB."""
    return _render(tuple(widgets), width, height).copy()


@lru_cache(maxsize=8)
def _render(widgets: tuple[Widget, ...], width: int, height: int) -> NDArray[np.uint8]:
    """Return the screen; cached, since steps without effect and new episodes show it again."""
    image = Image.new("RGB", (width, height), BACKGROUND)
    draw = ImageDraw.Draw(image)
    for widget in widgets:
        if widget.key == "window":
            draw.rectangle((0, 0, width, TITLE_PX), fill=(52, 56, 64))
            draw.text((8, 4), to_drawable(widget.name), fill=WHITE, font=font_of(14))
        elif widget.key != "root" and widget.role != "paragraph":
            _paint_widget(draw, widget)
    return np.array(image, dtype=np.uint8)


def _paint_widget(draw: ImageDraw.ImageDraw, widget: Widget) -> None:
    left, top, width, height = widget.box
    corners = (left, top, left + width - 1, top + height - 1)
    marked = bool(widget.states & {"selected", "pressed"})
    is_slide = widget.key.startswith("slide:")
    fill = WHITE if is_slide else _FILLS.get(widget.key) or _FILLS.get(widget.role)
    if widget.states & {"pressed"}:
        fill = (206, 222, 250)
    line = ACCENT if marked else (200, 203, 208)
    draw.rectangle(corners, fill=fill, outline=line, width=2 if marked else 1)
    if widget.role in ("image", "embedded", "table"):
        draw.line(corners, fill=DISABLED_INK)
    ink = INK if "enabled" in widget.states else DISABLED_INK
    if is_slide:
        _write(draw, (left + 4, top + 4, width - 8, 14), widget.painted, 11, DISABLED_INK)
        _write(draw, (left + 4, top + 20, width - 8, height - 24), widget.name, 11, ink)
    elif widget.role in ("menu", "menu item"):
        _write(draw, (left + 6, top + 6, width - 12, height - 6), widget.name, 11, ink)
    elif widget.role in ("button", "toggle button"):
        _write(draw, (left + 4, top + 8, width - 8, height - 8), widget.name, 11, ink)
    elif widget.painted:
        size = 12 if widget.key == "status" else min(max(height // 4, 11), 30)
        caret = "|" if "editable" in widget.states else ""
        _write(draw, (left + 6, top + 4, width - 12, height - 6), widget.painted + caret, size, ink)


def _write(draw: ImageDraw.ImageDraw, box: Box, text: str, size: int, ink: Color) -> None:
    left, top, width, height = box
    per_line = max(int(width / (size * 0.5)), 1)
    lines = [
        line for paragraph in text.splitlines() for line in wrap(to_drawable(paragraph), per_line)
    ]
    step = size + 4
    for row, line in enumerate(lines[: max(height // step, 1)]):
        glyphs = _glyphs(line, size)
        if glyphs is not None:
            draw.bitmap((left + glyphs[0], top + row * step + glyphs[1]), glyphs[2], fill=ink)


@lru_cache(maxsize=4096)
def _glyphs(text: str, size: int) -> tuple[int, int, Image.Image] | None:
    """Return a line of text as a mask with its offset; cached, since most lines recur."""
    return line_mask(text, size)
