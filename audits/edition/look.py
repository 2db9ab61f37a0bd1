"""Another look for a deck: its colours, turned about the wheel."""

import colorsys
import re
from collections.abc import Callable
from functools import cache

from lxml.etree import _Element

from pptarena.audits.edition.draw import Variant
from pptarena.decks.package.names import A

__all__ = ["named_colors", "painter", "turned"]

_COLOR = f"{A}srgbClr"
_NAMED = re.compile(r"(?<![0-9A-Za-z])#?([0-9A-Fa-f]{6})(?![0-9A-Za-z])")
_GREY = 0.05  # less saturated colours stay
_STEPS = 24


def painter(variant: Variant) -> Callable[[_Element], bool]:
    """Return what gives an element the look of a variant, and says whether it changed."""

    def paint(element: _Element) -> bool:
        old = element.get("val", "")
        if element.tag != _COLOR or not variant.turn or old.upper() in variant.fixed_colors:
            return False
        element.set("val", turned(old, variant.turn))
        return element.get("val") != old

    return paint


def named_colors(text: str) -> list[str]:
    """Return the colours that a text names by six hexadecimal digits, in capitals."""
    return [digits.upper() for digits in _NAMED.findall(text)]


@cache
def turned(color: str, degrees: int) -> str:
    """Return a colour of another hue that is as light as it was, so that contrasts stay.

    Args:
        color: Six hexadecimal digits.
        degrees: How far to go about the colour wheel.
    """
    red, green, blue = (int(color[place : place + 2], 16) / 255 for place in (0, 2, 4))
    hue, lightness, saturation = colorsys.rgb_to_hls(red, green, blue)
    if saturation < _GREY:
        return color
    aim = _luminance(red, green, blue)
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        lightness = (low + high) / 2
        made = colorsys.hls_to_rgb((hue + degrees / 360) % 1, lightness, saturation)
        low, high = (lightness, high) if _luminance(*made) < aim else (low, lightness)
    return "".join(f"{round(part * 255):02X}" for part in made)


def _luminance(*parts: float) -> float:
    """Return the relative luminance of red, green and blue, as WCAG 2.1 defines it."""
    weights = (0.2126, 0.7152, 0.0722)
    linear = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return sum(weight * part for weight, part in zip(weights, linear, strict=True))
