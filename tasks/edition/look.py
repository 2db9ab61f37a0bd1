"""Restyle a deck: rotate the hues of its colors and replace its typefaces."""

import colorsys
import re
from collections.abc import Callable
from functools import cache

from lxml.etree import _Element

from pptarena.decks.package.names import A
from pptarena.decks.visibility.contrast import relative_luminance
from pptarena.tasks.edition.draw import Variant

__all__ = ["named_colors", "painter", "turned"]

_COLOR, _TYPEFACE = f"{A}srgbClr", f"{A}latin"
_NAMED = re.compile(r"(?<![0-9A-Za-z])#?([0-9A-Fa-f]{6})(?![0-9A-Za-z])")
_GREY = 0.05  # less saturated colors are kept
_STEPS = 12


def painter(variant: Variant) -> Callable[[_Element], bool]:
    """Return a function that restyles an element and returns whether the element changed."""

    def paint(element: _Element) -> bool:
        if element.tag == _COLOR and variant.turn:
            old = element.get("val", "")
            new = old if old.upper() in variant.fixed_colors else turned(old, variant.turn)
            element.set("val", new)
            return new != old
        new = variant.typefaces.get(element.get("typeface", ""), "")
        if element.tag == _TYPEFACE and new:
            element.set("typeface", new)
        return element.tag == _TYPEFACE and new != ""

    return paint


def named_colors(text: str) -> list[str]:
    """Return the colors written in a text as six hexadecimal digits, in uppercase."""
    return [digits.upper() for digits in _NAMED.findall(text)]


@cache
def turned(color: str, degrees: int) -> str:
    """Return a color with another hue and the same luminance, which preserves contrast.

    Args:
        color: Six hexadecimal digits.
        degrees: Rotation on the color wheel.
    """
    red, green, blue = (int(color[place : place + 2], 16) / 255 for place in (0, 2, 4))
    hue, _, saturation = colorsys.rgb_to_hls(red, green, blue)
    if saturation < _GREY:
        return color
    aim, made = relative_luminance(f"#{color}"), color
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        lightness = (low + high) / 2
        parts = colorsys.hls_to_rgb((hue + degrees / 360) % 1, lightness, saturation)
        made = "".join(f"{round(part * 255):02X}" for part in parts)
        if relative_luminance(f"#{made}") < aim:
            low = lightness
        else:
            high = lightness
    return made
