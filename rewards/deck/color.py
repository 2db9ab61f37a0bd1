"""Colours: from any way that DrawingML says them to ``#RRGGBB``."""

import colorsys
import math
from collections.abc import Callable, Mapping

from lxml.etree import _Element

from pptarena.rewards.deck.names import int_attribute, local_name

__all__ = ["first_color", "hex_color", "resolve_color", "rgb_distance"]

Rgb = tuple[float, float, float]

# The preset colours that decks use in practice; others are looked up as black.
_PRESETS = {
    "aqua": "00FFFF", "black": "000000", "blue": "0000FF", "cyan": "00FFFF", "dkBlue": "00008B",
    "dkGray": "A9A9A9", "dkGreen": "006400", "dkRed": "8B0000", "fuchsia": "FF00FF",
    "gold": "FFD700", "gray": "808080", "green": "008000", "lime": "00FF00", "ltBlue": "ADD8E6",
    "ltGray": "D3D3D3", "ltGreen": "90EE90", "magenta": "FF00FF", "maroon": "800000",
    "navy": "000080", "olive": "808000", "orange": "FFA500", "pink": "FFC0CB", "purple": "800080",
    "red": "FF0000", "silver": "C0C0C0", "teal": "008080", "violet": "EE82EE", "white": "FFFFFF",
    "yellow": "FFFF00",
}  # fmt: skip
_TAGS = frozenset(("srgbClr", "schemeClr", "sysClr", "prstClr", "scrgbClr", "hslClr"))


def first_color(parent: _Element | None) -> _Element | None:
    """Return the first child that says a colour, or None."""
    if parent is None:
        return None
    return next((child for child in parent if local_name(child) in _TAGS), None)


def resolve_color(
    element: _Element | None, scheme: Mapping[str, str], instead: str | None = None
) -> tuple[str | None, int]:
    """Return a colour as ``#RRGGBB`` and its opacity in percent.

    Args:
        element: An element such as ``a:schemeClr``.
        scheme: Theme colours by name, as the slide's colour map gives them.
        instead: What ``phClr`` stands for.

    Returns:
        (None, 100) if the element says no colour that is known.
    """
    if element is None:
        return None, 100
    base = _base(element, scheme, instead)
    if base is None:
        return None, 100
    red, green, blue = (int(base[i : i + 2], 16) / 255 for i in (1, 3, 5))
    rgb: Rgb = (red, green, blue)
    opacity = 100
    for change in element:
        value = (int_attribute(change, "val") or 0) / 100_000
        name = local_name(change)
        if name == "alpha":
            opacity = round(100 * value)
        elif name in _CHANGES:
            rgb = _CHANGES[name](rgb, value)
    return hex_color(rgb), opacity


def hex_color(rgb: Rgb) -> str:
    """Return parts in [0, 1] as ``#RRGGBB``; what is outside is cut off."""
    return "#" + "".join(f"{round(255 * min(1.0, max(0.0, part))):02X}" for part in rgb)


def rgb_distance(first: str, second: str) -> float:
    """Return the distance of two colours ``#RRGGBB`` in RGB space, 0 to 441.7."""
    parts = ((int(first[i : i + 2], 16), int(second[i : i + 2], 16)) for i in (1, 3, 5))
    return math.hypot(*(a - b for a, b in parts))


def _base(element: _Element, scheme: Mapping[str, str], instead: str | None) -> str | None:
    kind, value = local_name(element), element.get("val") or ""
    if kind == "srgbClr":
        return _checked(value)
    if kind == "schemeClr":
        return instead if value == "phClr" else scheme.get(value)
    if kind == "sysClr":
        default = "FFFFFF" if value == "window" else "000000"
        return _checked(element.get("lastClr") or default)
    if kind == "prstClr":
        return "#" + _PRESETS.get(value, "000000")
    if kind == "scrgbClr":
        red, green, blue = ((int_attribute(element, part) or 0) / 100_000 for part in "rgb")
        return hex_color((_gamma(red), _gamma(green), _gamma(blue)))
    hue = (int_attribute(element, "hue") or 0) / 21_600_000
    sat = (int_attribute(element, "sat") or 0) / 100_000
    lum = (int_attribute(element, "lum") or 0) / 100_000
    return hex_color(colorsys.hls_to_rgb(hue, lum, sat))


def _checked(value: str) -> str | None:
    try:
        return f"#{int(value, 16):06X}" if len(value) == 6 else None
    except ValueError:
        return None


def _gamma(linear: float) -> float:
    if linear <= 0.0031308:
        return 12.92 * max(0.0, linear)
    return float(1.055 * min(1.0, linear) ** (1 / 2.4) - 0.055)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _in_hls(change: Callable[[Rgb, float], Rgb]) -> Callable[[Rgb, float], Rgb]:
    def changed(rgb: Rgb, value: float) -> Rgb:
        hue, lum, sat = change(colorsys.rgb_to_hls(*rgb), value)
        return colorsys.hls_to_rgb(hue % 1.0, min(1.0, max(0.0, lum)), min(1.0, max(0.0, sat)))

    return changed


def _tint(rgb: Rgb, value: float) -> Rgb:
    red, green, blue = (_gamma(1 - (1 - _linear(part)) * value) for part in rgb)
    return red, green, blue


def _shade(rgb: Rgb, value: float) -> Rgb:
    red, green, blue = (_gamma(_linear(part) * value) for part in rgb)
    return red, green, blue


_CHANGES: dict[str, Callable[[Rgb, float], Rgb]] = {
    "lumMod": _in_hls(lambda hls, value: (hls[0], hls[1] * value, hls[2])),
    "lumOff": _in_hls(lambda hls, value: (hls[0], hls[1] + value, hls[2])),
    "lum": _in_hls(lambda hls, value: (hls[0], value, hls[2])),
    "satMod": _in_hls(lambda hls, value: (hls[0], hls[1], hls[2] * value)),
    "satOff": _in_hls(lambda hls, value: (hls[0], hls[1], hls[2] + value)),
    "hueOff": _in_hls(lambda hls, value: (hls[0] + value / 216, hls[1], hls[2])),
    "tint": _tint,
    "shade": _shade,
    "inv": lambda rgb, _: (1 - rgb[0], 1 - rgb[1], 1 - rgb[2]),
    "gray": lambda rgb, _: (0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2],) * 3,
    "comp": _in_hls(lambda hls, _: (hls[0] + 0.5, hls[1], hls[2])),
}
