"""Text for Pillow's built-in font, which has little more than ASCII.

Letters with accents are drawn as a letter and a mark. Other characters that the font lacks are
written with those it has, such as ``EUR`` for the euro sign, or become boxes.
"""
# ruff: noqa: RUF001 - ambiguous characters are the subject

import unicodedata
from collections.abc import Iterator
from functools import cache

from PIL import Image, ImageDraw, ImageFont

__all__ = ["BOX", "font_of", "line_mask", "to_drawable", "wrap"]

BOX = "\N{WHITE SQUARE}"
"""Replaces characters that cannot be drawn."""

_MISSING_CHARACTER = "\U000f0000"
_PROBE_SIZE_PX = 30
_MARKS = {
    "\N{COMBINING GRAVE ACCENT}": "`",
    "\N{COMBINING ACUTE ACCENT}": "´",
    "\N{COMBINING CIRCUMFLEX ACCENT}": "^",
    "\N{COMBINING TILDE}": "~",
    "\N{COMBINING MACRON}": "-",
    "\N{COMBINING BREVE}": "'",
    "\N{COMBINING DOT ABOVE}": ".",
    "\N{COMBINING DIAERESIS}": "..",
    "\N{COMBINING RING ABOVE}": "°",
    "\N{COMBINING DOUBLE ACUTE ACCENT}": '"',
    "\N{COMBINING CARON}": "'",
    "\N{COMBINING CEDILLA}": ",",
    "\N{COMBINING OGONEK}": ",",
    "\N{COMBINING COMMA BELOW}": ",",
}
"""The glyph that draws a combining mark."""
_MARKS_BELOW = frozenset("\N{COMBINING CEDILLA}\N{COMBINING OGONEK}\N{COMBINING COMMA BELOW}")
_SUBSTITUTES = {
    **dict.fromkeys("‐‑‒–−", "-"),
    **dict.fromkeys("—―", "--"),
    **dict.fromkeys("•●∙▪■", "·"),
    **dict.fromkeys("„‟″", '"'),
    **dict.fromkeys("‛′", "'"),
    **{"‚": ",", "€": "EUR", "£": "GBP", "¥": "JPY", "¢": "ct", "®": "(R)", "§": "S.", "¶": "P."},
    **{"→": "->", "←": "<-", "↔": "<->", "⇒": "=>", "↑": "^", "↓": "v", "✓": "v", "✔": "v"},
    **{"×": "x", "÷": "/", "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~", "µ": "u", "‰": "0/00"},
    **{"¡": "!", "¿": "?", "ß": "ss", "ẞ": "SS", "ı": "i", "Þ": "Th", "þ": "th"},
    **{"Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "Ø": "O", "ø": "o", "Ł": "L", "ł": "l"},
    **{"Đ": "D", "đ": "d", "Ð": "D", "ð": "d", "Ħ": "H", "ħ": "h", "✗": "x", "✘": "x"},
}
"""Texts for characters that the font lacks and that have no decomposition."""


@cache
def font_of(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return the built-in font in a size in pixels."""
    return ImageFont.load_default(size)


def to_drawable(text: str) -> str:
    """Return a text with characters of the font, combining marks and boxes alone."""
    return "".join(map(_to_drawable, text))


@cache
def _to_drawable(char: str) -> str:
    if _has_glyph(char) or char in _MARKS:
        return char
    if char in _SUBSTITUTES:
        return _SUBSTITUTES[char]
    for form in ("NFD", "NFKD"):
        parts = unicodedata.normalize(form, char)
        if parts != char and all(_has_glyph(part) or part in _MARKS for part in parts):
            return parts
    return "" if unicodedata.category(char) in ("Cf", "Mn") else BOX


@cache
def _has_glyph(char: str) -> bool:
    font = font_of(_PROBE_SIZE_PX)
    return char == " " or bytes(font.getmask(char)) != bytes(font.getmask(_MISSING_CHARACTER))


def wrap(text: str, length: int) -> Iterator[str]:
    """Yield lines of at most `length` characters of a drawable text; marks count as none."""
    line, count = "", 0
    for char in text:
        if char not in _MARKS:
            if count == length:
                yield line
                line, count = "", 0
            count += 1
        line += char
    yield line


def line_mask(text: str, size: int) -> tuple[int, int, Image.Image] | None:
    """Return a line of drawable text as a mask with its offset, or None if it draws nothing."""
    font = font_of(size)
    base, marks = "", []
    for char in text:
        if char in _MARKS and base:
            marks.append((len(base) - 1, char))
        else:
            base += char
    left, top, right, bottom = map(int, font.getbbox(base))
    if right <= left or bottom <= top:
        return None
    if marks:
        top, bottom = min(top, -size // 4), bottom + size // 4
    mask = Image.new("L", (right - left, bottom - top))
    draw = ImageDraw.Draw(mask)
    draw.text((-left, -top), base, fill=255, font=font)
    for index, char in marks:
        _draw_mark(draw, (-left, -top), base, index, char, size)
    return left, top, mask


@cache
def _ink_box(text: str, size: int) -> tuple[int, int, int, int]:
    """Return the box of the drawn pixels, from the point where the text is written."""
    picture = Image.new("L", (4 * size, 3 * size))
    ImageDraw.Draw(picture).text((size, size), text, fill=255, font=font_of(size))
    left, top, right, bottom = picture.getbbox() or (size, size, size, size)
    return left - size, top - size, right - size, bottom - size


def _draw_mark(
    draw: ImageDraw.ImageDraw,
    origin: tuple[int, int],
    base: str,
    index: int,
    char: str,
    size: int,
) -> None:
    """Draw a mark in the middle above or below a letter of a line."""
    font, glyph = font_of(size), _MARKS[char]
    start = font.getlength(base[:index])
    ink = _ink_box(base[index], size)
    mark_size = max(size * 3 // 4, 8)
    left, top, right, bottom = _ink_box(glyph, mark_size)
    center_x = start + (ink[0] + ink[2]) / 2
    x = center_x - (left + right) / 2
    y = ink[3] - top if char in _MARKS_BELOW else ink[1] - 1 - bottom
    position = round(origin[0] + x), round(origin[1] + y)
    draw.text(position, glyph, fill=255, font=font_of(mark_size))
