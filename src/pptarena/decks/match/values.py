"""Comparison and description of values."""

from collections.abc import Callable
from functools import partial
from types import UnionType
from typing import Any, Final

from pptarena.decks import Effect, Line, Link, Paint, RunStyle
from pptarena.decks.read.color import rgb_distance
from pptarena.decks.tolerances import (
    ANGLE_TOLERANCE_DEG,
    COLOR_TOLERANCE,
    LENGTH_TOLERANCE_EMU,
    OPACITY_TOLERANCE_PCT,
    TIME_TOLERANCE_SEC,
    TYPE_TOLERANCE_PT,
)

__all__ = [
    "ANGLE_TOLERANCE_DEG",
    "LENGTH_TOLERANCE_EMU",
    "TIME_TOLERANCE_SEC",
    "clip",
    "describe",
    "describe_line",
    "describe_paint",
    "equality_for",
    "near",
    "same_color",
    "same_line",
    "same_number",
    "same_paint",
    "unit_of",
]

_MAX_CHARS = 60
_UNITS: Final = {
    "_emu": ("in", LENGTH_TOLERANCE_EMU),
    "_pt": ("pt", TYPE_TOLERANCE_PT),
    "_sec": ("s", TIME_TOLERANCE_SEC),
    "_deg": ("°", ANGLE_TOLERANCE_DEG),
    "_pct": ("%", OPACITY_TOLERANCE_PCT),
}


def clip(text: str) -> str:
    """Return a text in quotes, shortened to fit into a sentence."""
    line = " / ".join(text.replace("\v", " ").splitlines())
    return f"'{line[: _MAX_CHARS - 1]}…'" if len(line) > _MAX_CHARS else f"'{line}'"


def near(first: Any, second: Any, tolerance: float) -> bool:
    """Return whether two numbers, or tuples of numbers, differ by at most `tolerance`."""
    if isinstance(first, tuple) and isinstance(second, tuple):
        pairs = zip(first, second, strict=False)
        return len(first) == len(second) and all(near(a, b, tolerance) for a, b in pairs)
    if first is None or second is None:
        return first is second
    return bool(abs(first - second) <= tolerance)


def same_number(first: Any, second: Any) -> bool:
    """Return whether two numbers, or tuples of numbers, are equal up to rounding errors."""
    if isinstance(first, tuple) and isinstance(second, tuple):
        return len(first) == len(second) and all(map(same_number, first, second))
    if first is None or second is None:
        return first is second
    return bool(abs(first - second) <= 1e-9 * max(1, abs(first)))


def same_color(first: str | None, second: str | None) -> bool:
    """Return whether two colors look the same; saving may round them."""
    if first is None or second is None:
        return first == second
    return first == second or rgb_distance(first, second) <= COLOR_TOLERANCE


def same_paint(first: Paint, second: Paint) -> bool:
    """Return whether two fills look the same."""
    if first.kind != second.kind or not same_color(first.color, second.color):
        return False
    same_opacity = near(first.opacity_pct, second.opacity_pct, OPACITY_TOLERANCE_PCT)
    return same_opacity and (first.stops, first.detail) == (second.stops, second.detail)


def same_line(first: Line, second: Line) -> bool:
    """Return whether two outlines look the same."""
    if not same_paint(first.paint, second.paint):
        return False
    if first.paint.kind == "none":  # the line is invisible
        return True
    options = first.dash, first.ends, first.detail
    same_width = near(first.width_pt, second.width_pt, TYPE_TOLERANCE_PT)
    return same_width and options == (second.dash, second.ends, second.detail)


def equality_for(name: str) -> Callable[[Any, Any], bool]:
    """Return the comparison for values of a field, based on the unit suffix of its name."""
    if "color" in name or name == "highlight":
        return _equal_colors
    for suffix, (_, tolerance) in _UNITS.items():
        if name.endswith(suffix):
            return partial(near, tolerance=tolerance)
    return _equal


def _equal_colors(first: Any, second: Any) -> bool:
    if isinstance(first, tuple) and isinstance(second, tuple):
        return len(first) == len(second) and all(map(_equal_colors, first, second))
    if isinstance(first, str) and isinstance(second, str) and first[:1] == second[:1] == "#":
        return same_color(first, second)
    return bool(first == second)


def _equal(first: Any, second: Any) -> bool:
    if isinstance(first, Paint) and isinstance(second, Paint):
        return same_paint(first, second)
    if isinstance(first, Line) and isinstance(second, Line):
        return same_line(first, second)
    if isinstance(first, float) and isinstance(second, float | int):
        return same_number(first, second)
    if isinstance(first, tuple) and isinstance(second, tuple):
        return len(first) == len(second) and all(map(_equal, first, second))
    return bool(first == second)


def unit_of(name: str) -> str:
    """Return the unit suffix of a field name, as expected by `describe`; empty for none."""
    return next((unit for suffix, (unit, _) in _UNITS.items() if name.endswith(suffix)), "")


def describe(value: Any, unit: str = "") -> str:
    """Return a description of a value."""
    if isinstance(value, tuple):
        return ", ".join(describe(each, unit) for each in value) or "none"
    for kind, describer in _DESCRIBERS:
        if isinstance(value, kind):
            return describer(value, unit)
    return "none" if value is None else str(value)


def describe_paint(paint: Paint) -> str:
    """Return a short description of a fill."""
    text = paint.color or paint.kind
    if paint.description:
        text += f" ({paint.description[:40]})"
    return text if paint.opacity_pct == 100 else f"{text} at {paint.opacity_pct} %"


def describe_line(line: Line) -> str:
    """Return a short description of an outline."""
    if line.paint.kind == "none":
        return "none"
    parts = [describe_paint(line.paint), f"{line.width_pt:g} pt"]
    parts += [line.dash] * (line.dash != "solid") + [line.detail] * bool(line.detail)
    if line.ends != ("none", "none"):
        parts.append(f"ends {line.ends[0]} and {line.ends[1]}")
    return " ".join(parts)


def _describe_number(value: float, unit: str) -> str:
    if unit == "in":
        return f"{value / 914_400:.2f} in"
    return f"{value:g}{unit if unit == '°' else f' {unit}' if unit else ''}"


def _describe_text(value: str, _unit: str) -> str:
    if len(value) == 64 and value.isalnum():
        return value[:8]  # a digest
    return clip(value) if len(value) > _MAX_CHARS or "\n" in value else value or "none"


def _describe_style(style: RunStyle, _unit: str) -> str:
    parts = [style.font or "type", f"{style.size_pt:g} pt", style.color or "several colors"]
    return " ".join(parts + ["bold"] * style.bold + ["italic"] * style.italic)


_DESCRIBERS: tuple[tuple[type | UnionType, Callable[[Any, str], str]], ...] = (
    (bool, lambda value, unit: "yes" if value else "no"),
    (int, _describe_number),
    (float, _describe_number),
    (str, _describe_text),
    (Paint, lambda value, unit: describe_paint(value)),
    (Line, lambda value, unit: describe_line(value)),
    (Effect | Link, lambda value, unit: str(value)),
    (RunStyle, _describe_style),
)
