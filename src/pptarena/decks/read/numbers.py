"""Parse numbers in files, clamped to the bounds of their schema type.

Invalid numbers count as missing. Numbers outside the bounds of their type (ECMA-376, part 1, annex
A) are clamped, so facts contain only finite numbers of a sensible size.
"""

import re
from typing import Final, NamedTuple

from lxml.etree import _Element

__all__ = [
    "ANGLE",
    "BULLET_PERCENT",
    "CHARACTER_SPACING",
    "COORDINATE",
    "COUNT",
    "FONT_SCALE",
    "INDENT",
    "INT",
    "LENGTH",
    "LINE_WIDTH",
    "LIST_START",
    "MARGIN",
    "PARAGRAPH_SPACE",
    "PARAGRAPH_SPACE_PERCENT",
    "SLIDE_SIDE",
    "TYPE_SIZE",
    "Span",
    "clamp",
    "int_attribute",
    "number",
    "real_number",
]


class Span(NamedTuple):
    """Smallest and largest number of a type."""

    minimum: int
    maximum: int


INT: Final = Span(-(2**31), 2**31 - 1)
COUNT: Final = Span(0, 2**32 - 1)
ANGLE: Final = INT
COORDINATE: Final = Span(-27_273_042_329_600, 27_273_042_316_900)
LENGTH: Final = Span(0, 27_273_042_316_900)
SLIDE_SIDE: Final = Span(914_400, 51_206_400)
LINE_WIDTH: Final = Span(0, 20_116_800)
MARGIN: Final = Span(0, 51_206_400)
INDENT: Final = Span(-51_206_400, 51_206_400)
TYPE_SIZE: Final = Span(100, 400_000)
CHARACTER_SPACING: Final = Span(-400_000, 400_000)
PARAGRAPH_SPACE: Final = Span(0, 158_400)
PARAGRAPH_SPACE_PERCENT: Final = Span(0, 13_200_000)
BULLET_PERCENT: Final = Span(25_000, 400_000)
FONT_SCALE: Final = Span(1_000, 100_000)
LIST_START: Final = Span(1, 32_767)

_NUMBER: Final = re.compile(r"[ \t\r\n]*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+))(%?)[ \t\r\n]*")
_REAL: Final = re.compile(
    r"[ \t\r\n]*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?)%?[ \t\r\n]*"
)
# Spreadsheets allow up to 1e308; the sum of a million numbers within this limit is still finite.
_MAX_REAL: Final = 1e300


def number(text: str | None, span: Span = INT) -> float | None:
    """Return a text as a number within bounds; None if missing or invalid.

    Args:
        text: Digits with at most one decimal point. A value with ``%``, as in strict files, is
            converted to thousandths of a percent, the unit of values without ``%``.
        span: The bounds.
    """
    if text is None:
        return None
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    value = float(match[1]) * (1000 if match[2] else 1)
    return min(max(value, float(span.minimum)), float(span.maximum))


def clamp(value: float, span: Span) -> int:
    """Return a number as an integer within bounds."""
    return round(min(max(value, span.minimum), span.maximum))


def int_attribute(element: _Element | None, name: str, span: Span = INT) -> int | None:
    """Return an attribute as an integer within bounds; None if missing or invalid."""
    text = None if element is None else element.get(name)
    if text is None:
        return None
    if len(text) < 16 and text.isascii() and text.isdigit():
        return min(max(int(text), span.minimum), span.maximum)
    value = number(text, span)
    return None if value is None else round(value)


def real_number(text: str) -> float | None:
    """Return a text such as ``-1.5e3`` or ``12%`` as a finite number; None if invalid."""
    if _REAL.fullmatch(text) is None:
        return None
    value = float(text.strip().rstrip("%"))
    return value if abs(value) <= _MAX_REAL else None
