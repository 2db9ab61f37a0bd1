"""Restyle a deck: rotate the hues of colors and pictures, replace typefaces, paint over names."""

import colorsys
import hashlib
import re
from collections.abc import Callable
from functools import cache
from io import BytesIO

from lxml.etree import _Element
from PIL import Image

from pptarena.decks.package.names import A
from pptarena.decks.visibility.contrast import relative_luminance
from pptarena.tasks.edition.variant import Variant

__all__ = ["named_colors", "painter", "repaint", "rotate_hue"]

_COLOR, _TYPEFACE = f"{A}srgbClr", f"{A}latin"
_COLOR_PATTERN = re.compile(r"(?<![0-9A-Za-z])#?([0-9A-Fa-f]{6})(?![0-9A-Za-z])")
_MIN_SATURATION = 0.05  # less saturated colors are kept
_STEPS = 12


def painter(variant: Variant) -> Callable[[_Element], bool]:
    """Return a function that restyles an element and returns whether the element changed."""

    def paint(element: _Element) -> bool:
        if element.tag == _COLOR and variant.hue_rotation_deg:
            old = element.get("val", "")
            new = (
                old
                if old.upper() in variant.fixed_colors
                else rotate_hue(old, variant.hue_rotation_deg)
            )
            element.set("val", new)
            return new != old
        new = variant.typefaces.get(element.get("typeface", ""), "")
        if element.tag == _TYPEFACE and new:
            element.set("typeface", new)
        return element.tag == _TYPEFACE and new != ""

    return paint


def named_colors(text: str) -> list[str]:
    """Return the colors written in a text as six hexadecimal digits, in uppercase."""
    return [digits.upper() for digits in _COLOR_PATTERN.findall(text)]


@cache
def rotate_hue(color: str, degrees: int) -> str:
    """Return a color with another hue and the same luminance, which preserves contrast.

    Args:
        color: Six hexadecimal digits.
        degrees: Rotation on the color wheel.
    """
    red, green, blue = (int(color[offset : offset + 2], 16) / 255 for offset in (0, 2, 4))
    hue, _, saturation = colorsys.rgb_to_hls(red, green, blue)
    if saturation < _MIN_SATURATION:
        return color
    target_luminance, rotated = relative_luminance(f"#{color}"), color
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        lightness = (low + high) / 2
        parts = colorsys.hls_to_rgb((hue + degrees / 360) % 1, lightness, saturation)
        rotated = "".join(f"{round(part * 255):02X}" for part in parts)
        if relative_luminance(f"#{rotated}") < target_luminance:
            low = lightness
        else:
            high = lightness
    return rotated


def repaint(data: bytes, variant: Variant) -> bytes:
    """Return a picture as restyled by a variant; pictures without data for it are unchanged.

    Args:
        data: The picture; pictures with data are palette PNG files.
        variant: The variant.
    """
    box = variant.pictures.get(hashlib.sha256(data).hexdigest())
    if box is None:
        return data
    picture = Image.open(BytesIO(data))
    left, top, right, bottom = box
    background = picture.tobytes()[
        top * picture.width + left
    ]  # one byte per pixel: the palette index
    picture.paste(background, (left, top, right, bottom))
    palette = picture.getpalette() or []
    colors = [
        bytes(palette[offset : offset + 3]).hex().upper() for offset in range(0, len(palette), 3)
    ]
    rotated = b"".join(
        bytes.fromhex(rotate_hue(color, variant.hue_rotation_deg)) for color in colors
    )
    picture.putpalette(rotated)
    stream = BytesIO()
    picture.save(stream, "PNG")
    return stream.getvalue()
