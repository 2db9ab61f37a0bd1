"""Contact sheets of slides for a model, each slide with its name."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from pptarena.agents.model.observer import Picture
from pptarena.png import png_bytes

__all__ = ["Slide", "short_outline", "slide_pictures", "slide_sheet"]

_CHARS_PER_TOKEN = 4
_LABEL_PX = 20
_FONT_PX = 15
_COLUMNS = 2

Slide = tuple[str, NDArray[np.uint8]]
"""A slide's name and its pixels, of shape (height, width, 3)."""


def slide_pictures(observation: Mapping[str, Any]) -> list[Slide]:
    """Return the rendered slides of a document observation; empty if it has none."""
    if "slides" not in observation:
        return []
    slides = zip(observation["slide_ids"].tolist(), observation["slides"], strict=True)
    return [(f"slide id {slide}", pixels) for slide, pixels in slides if slide]


def slide_sheet(slides: Sequence[Slide]) -> Picture | None:
    """Return a contact sheet with two slides per row, each below its name; None without slides.

    Args:
        slides: Slides of equal size.
    """
    if not slides:
        return None
    height, width = slides[0][1].shape[:2]
    columns = min(_COLUMNS, len(slides))
    rows = -(-len(slides) // columns)
    sheet = Image.new("RGB", (columns * width, rows * (height + _LABEL_PX)), "white")
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(_FONT_PX)
    for index, (name, pixels) in enumerate(slides):
        left, top = index % columns * width, index // columns * (height + _LABEL_PX)
        draw.text((left + 4, top + 2), name, "black", font)
        sheet.paste(Image.fromarray(pixels), (left, top + _LABEL_PX))
        draw.rectangle(
            (left, top + _LABEL_PX, left + width - 1, top + _LABEL_PX + height - 1), None, "gray"
        )
    return Picture(png_bytes(np.asarray(sheet)), sheet.size)


def short_outline(outline: str, tokens: int) -> str:
    """Return the outline of a deck, truncated after a complete line if it is too long.

    Args:
        outline: The outline.
        tokens: Approximate maximum length.
    """
    max_chars = tokens * _CHARS_PER_TOKEN
    if len(outline) <= max_chars:
        return outline
    return f"{outline[:max_chars].rpartition(chr(10))[0]}\n(more slides: read_slide)"
