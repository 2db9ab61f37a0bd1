"""Resolve DrawingML colors to ``#RRGGBB``."""

import colorsys
import math
from collections.abc import Callable, Mapping

from lxml.etree import _Element
from PIL import ImageColor

from pptarena.decks.package.names import local_name
from pptarena.decks.read.numbers import int_attribute

__all__ = ["first_color", "hex_color", "linear", "resolve_color", "rgb_distance"]

Rgb = tuple[float, float, float]

# Presets have the names of CSS colors, with these prefixes abbreviated.
_SHORT = {"dk": "dark", "lt": "light", "med": "medium"}
_TAGS = frozenset(("srgbClr", "schemeClr", "sysClr", "prstClr", "scrgbClr", "hslClr"))


def first_color(parent: _Element | None) -> _Element | None:
    """Return the first child that is a color; None for none."""
    if parent is None:
        return None
    return next((child for child in parent if local_name(child) in _TAGS), None)


def resolve_color(
    element: _Element | None, scheme: Mapping[str, str], placeholder_color: str | None = None
) -> tuple[str | None, int]:
    """Return a color as ``#RRGGBB`` and its opacity in percent.

    Args:
        element: A color element, such as ``a:schemeClr``.
        scheme: Theme colors by name, as mapped by the slide's color map.
        placeholder_color: Color for ``phClr``.

    Returns:
        (None, 100) if the color is unknown.
    """
    if element is None:
        return None, 100
    base = _base(element, scheme, placeholder_color)
    if base is None:
        return None, 100
    if not len(element):
        return base, 100
    red, green, blue = (int(base[i : i + 2], 16) / 255 for i in (1, 3, 5))
    rgb: Rgb = (red, green, blue)
    opacity = 100.0
    for change in element:
        value = (int_attribute(change, "val") or 0) / 100_000
        name = local_name(change)
        if name in _ALPHA:
            opacity = _ALPHA[name](opacity, value)
        elif name in _TRANSFORMS:
            rgb = _TRANSFORMS[name](rgb, value)
    return hex_color(rgb), round(min(100.0, max(0.0, opacity)))


def hex_color(rgb: Rgb) -> str:
    """Return components as ``#RRGGBB``; values outside [0, 1] are clamped."""
    return "#" + "".join(f"{round(255 * min(1.0, max(0.0, part))):02X}" for part in rgb)


def rgb_distance(first: str, second: str) -> float:
    """Return the distance of two colors ``#RRGGBB`` in RGB space, 0 to 441.7."""
    parts = ((int(first[i : i + 2], 16), int(second[i : i + 2], 16)) for i in (1, 3, 5))
    return math.hypot(*(a - b for a, b in parts))


def _base(
    element: _Element, scheme: Mapping[str, str], placeholder_color: str | None
) -> str | None:
    kind, value = local_name(element), element.get("val") or ""
    if kind == "srgbClr":
        return _parse_hex(value)
    if kind == "schemeClr":
        return placeholder_color if value == "phClr" else scheme.get(value)
    if kind == "sysClr":
        default = "FFFFFF" if value == "window" else "000000"
        return _parse_hex(element.get("lastClr") or default)
    if kind == "prstClr":
        return _preset(value)
    if kind == "scrgbClr":
        red, green, blue = ((int_attribute(element, part) or 0) / 100_000 for part in "rgb")
        return hex_color((_gamma(red), _gamma(green), _gamma(blue)))
    if kind != "hslClr":
        return None
    hue = (int_attribute(element, "hue") or 0) / 21_600_000
    sat = (int_attribute(element, "sat") or 0) / 100_000
    lum = (int_attribute(element, "lum") or 0) / 100_000
    return hex_color(colorsys.hls_to_rgb(hue, lum, sat))


def _preset(name: str) -> str:
    for short, full in _SHORT.items():
        if name.startswith(short) and name[len(short) : len(short) + 1].isupper():
            name = full + name[len(short) :]
    if name.lower() not in ImageColor.colormap:
        return "#000000"
    red, green, blue = ImageColor.getrgb(name.lower())[:3]
    return f"#{red:02X}{green:02X}{blue:02X}"


def _parse_hex(value: str) -> str | None:
    try:
        # `int` accepts signs: "-FFFFF" would also be a number.
        return f"#{int(value, 16):06X}" if len(value) == 6 and value.isalnum() else None
    except ValueError:
        return None


def _gamma(linear: float) -> float:
    if linear <= 0.0031308:
        return 12.92 * max(0.0, linear)
    return float(1.055 * min(1.0, linear) ** (1 / 2.4) - 0.055)


def linear(part: float) -> float:
    """Return an sRGB component as linear light, both 0 to 1."""
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _in_hls(change: Callable[[Rgb, float], Rgb]) -> Callable[[Rgb, float], Rgb]:
    def changed(rgb: Rgb, value: float) -> Rgb:
        hue, lum, sat = change(colorsys.rgb_to_hls(*rgb), value)
        return colorsys.hls_to_rgb(hue % 1.0, min(1.0, max(0.0, lum)), min(1.0, max(0.0, sat)))

    return changed


def _tint(rgb: Rgb, value: float) -> Rgb:
    red, green, blue = (_gamma(1 - (1 - linear(part)) * value) for part in rgb)
    return red, green, blue


def _shade(rgb: Rgb, value: float) -> Rgb:
    red, green, blue = (_gamma(linear(part) * value) for part in rgb)
    return red, green, blue


def _part(index: int, change: Callable[[float, float], float]) -> Callable[[Rgb, float], Rgb]:
    """Return a change of red, green or blue, computed in linear light."""

    def changed(rgb: Rgb, value: float) -> Rgb:
        parts = list(rgb)
        parts[index] = _gamma(min(1.0, max(0.0, change(linear(parts[index]), value))))
        return parts[0], parts[1], parts[2]

    return changed


_ALPHA: dict[str, Callable[[float, float], float]] = {
    "alpha": lambda _, value: 100 * value,
    "alphaMod": lambda opacity, value: opacity * value,
    "alphaOff": lambda opacity, value: opacity + 100 * value,
}
_TRANSFORMS: dict[str, Callable[[Rgb, float], Rgb]] = {
    "lumMod": _in_hls(lambda hls, value: (hls[0], hls[1] * value, hls[2])),
    "lumOff": _in_hls(lambda hls, value: (hls[0], hls[1] + value, hls[2])),
    "lum": _in_hls(lambda hls, value: (hls[0], value, hls[2])),
    "satMod": _in_hls(lambda hls, value: (hls[0], hls[1], hls[2] * value)),
    "satOff": _in_hls(lambda hls, value: (hls[0], hls[1], hls[2] + value)),
    "sat": _in_hls(lambda hls, value: (hls[0], hls[1], value)),
    # Hues are in 60,000ths of a degree, so `value` is relative to 216 (one turn).
    "hueMod": _in_hls(lambda hls, value: (hls[0] * value, hls[1], hls[2])),
    "hueOff": _in_hls(lambda hls, value: (hls[0] + value / 216, hls[1], hls[2])),
    "hue": _in_hls(lambda hls, value: (value / 216, hls[1], hls[2])),
    "tint": _tint,
    "shade": _shade,
    "inv": lambda rgb, _: (1 - rgb[0], 1 - rgb[1], 1 - rgb[2]),
    "gray": lambda rgb, _: (0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2],) * 3,
    "comp": _in_hls(lambda hls, _: (hls[0] + 0.5, hls[1], hls[2])),
    "gamma": lambda rgb, _: (_gamma(rgb[0]), _gamma(rgb[1]), _gamma(rgb[2])),
    "invGamma": lambda rgb, _: (linear(rgb[0]), linear(rgb[1]), linear(rgb[2])),
    **{
        f"{name}{suffix}": _part(index, change)
        for index, name in enumerate(("red", "green", "blue"))
        for suffix, change in (
            ("", lambda _, value: value),
            ("Mod", lambda part, value: part * value),
            ("Off", lambda part, value: part + value),
        )
    },
}
