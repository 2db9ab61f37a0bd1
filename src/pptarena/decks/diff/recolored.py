"""Values that follow a theme change: colors, their lighter and darker variants, and fonts.

A value follows if one transformation yields the old value from the old theme color and the new
value from the new theme color. The transformations are those that applications offer: luminance
steps, tints, shades, and those in fills and lines of the default themes.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any, Final

from lxml import etree

from pptarena.decks.diff.change import Change
from pptarena.decks.diff.masters import match_masters
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.match.values import same_color, same_number
from pptarena.decks.package.names import A_NS
from pptarena.decks.read.color import resolve_color

__all__ = ["ThemeChange"]

_COLOR: Final = re.compile(r"#[0-9A-F]{6}")
_FIVES: Final = range(5, 100, 5)
_Way = tuple[tuple[str, int], ...]
_OWN: Final[tuple[_Way, ...]] = (
    # Fills and lines of the Office 2007 and Office 2013 themes.
    (("tint", 50), ("satMod", 300)), (("tint", 37), ("satMod", 300)),
    (("tint", 15), ("satMod", 350)), (("shade", 51), ("satMod", 130)),
    (("shade", 93), ("satMod", 130)), (("shade", 94), ("satMod", 135)),
    (("shade", 95), ("satMod", 105)), (("tint", 40), ("satMod", 350)),
    (("tint", 45), ("shade", 99), ("satMod", 350)), (("shade", 20), ("satMod", 255)),
    (("tint", 80), ("satMod", 300)), (("shade", 30), ("satMod", 200)),
    (("lumMod", 110), ("satMod", 105), ("tint", 67)),
    (("lumMod", 105), ("satMod", 103), ("tint", 73)),
    (("lumMod", 105), ("satMod", 109), ("tint", 81)),
    (("satMod", 103), ("lumMod", 102), ("tint", 94)),
    (("satMod", 110), ("lumMod", 100), ("shade", 100)),
    (("lumMod", 99), ("satMod", 120), ("shade", 78)),
    (("tint", 93), ("satMod", 150), ("shade", 98), ("lumMod", 102)),
    (("tint", 98), ("satMod", 130), ("shade", 90), ("lumMod", 103)),
    (("shade", 100), ("satMod", 130)), (("tint", 50), ("shade", 100), ("satMod", 350)),
    (("shade", 63), ("satMod", 120)), (("tint", 95), ("satMod", 170)),
)  # fmt: skip
_WAYS: Final[tuple[_Way, ...]] = (
    (),
    *(((("lumMod", n)),) for n in _FIVES),
    *((("lumMod", n), ("lumOff", 100 - n)) for n in _FIVES),
    *(((name, n),) for name in ("tint", "shade") for n in range(1, 100)),
    *_OWN,
)


class ThemeChange:
    """The effect of a theme change on dependent values.

    Args:
        match: Pairs of corresponding slides and shapes.
    """

    def __init__(self, match: DeckMatch) -> None:
        self._colors: set[tuple[str, str]] = set()
        self._fonts: set[tuple[str, str]] = set()
        for i, j in match_masters(match):
            old, new = match.original.masters[i], match.current.masters[j]
            slots = old.colors.keys() & new.colors.keys()
            colors = {(old.colors[n], new.colors[n]) for n in slots}
            self._colors |= {(was, now) for was, now in colors if not same_color(was, now)}
            self._fonts |= set(zip(old.fonts, new.fonts, strict=True))
        self._known: dict[tuple[str, str], bool] = {}

    def explains(self, change: Change) -> bool:
        """Return whether a change follows from the theme in all its values.

        A change in numbers alone never does, such as visibility, bold text or chart values.
        """
        old, new = change.value_before, change.value_after
        return old is not None and _is_worded_otherwise(old, new) and self._follows(old, new)

    def _follows(self, old: Any, new: Any) -> bool:
        if old == new:
            return True
        if isinstance(old, str) and isinstance(new, str):
            return (old, new) in self._fonts or self._follow_colors(old, new)
        if isinstance(old, bool) or isinstance(new, bool):
            return False
        if isinstance(old, int | float) and isinstance(new, int | float):
            return same_number(old, new) or abs(old - new) <= 1
        return self._parts_follow(old, new)

    def _parts_follow(self, old: Any, new: Any) -> bool:
        if isinstance(old, tuple) and isinstance(new, tuple):
            pairs = zip(old, new, strict=False)
            return len(old) == len(new) and all(self._follows(a, b) for a, b in pairs)
        if type(old) is not type(new) or not is_dataclass(old) or isinstance(old, type):
            return False
        names = [each.name for each in fields(old)]
        return all(self._follows(getattr(old, name), getattr(new, name)) for name in names)

    def _follow_colors(self, old: str, new: str) -> bool:
        colors, colors_now = _COLOR.findall(old), _COLOR.findall(new)
        if not colors or _COLOR.split(old) != _COLOR.split(new):
            return False
        return all(map(self._is_recolored, colors, colors_now))

    def _is_recolored(self, old: str, new: str) -> bool:
        if same_color(old, new):
            return True
        if (old, new) not in self._known:
            self._known[old, new] = any(
                same_color(was, old) and same_color(now, new)
                for pair in self._colors
                for was, now in zip(*map(_kinds, pair), strict=True)
            )
        return self._known[old, new]


def _is_worded_otherwise(old: Any, new: Any) -> bool:
    """Return whether two values differ in a color, a typeface or other text."""
    if isinstance(old, str) or isinstance(new, str):
        return bool(old != new)
    if isinstance(old, tuple) and isinstance(new, tuple):
        return any(_is_worded_otherwise(a, b) for a, b in zip(old, new, strict=False))
    if type(old) is not type(new) or not is_dataclass(old) or isinstance(old, type):
        return False
    names = [each.name for each in fields(old)]
    return any(_is_worded_otherwise(getattr(old, name), getattr(new, name)) for name in names)


@lru_cache(maxsize=256)
def _kinds(color: str) -> tuple[str, ...]:
    """Return the result of each transformation of a color."""
    return tuple(_made(color))


def _made(color: str) -> Iterator[str]:
    nothing: Mapping[str, str] = {}
    for way in _WAYS:
        element = etree.Element(f"{{{A_NS}}}srgbClr", val=color[1:])
        for name, percent in way:
            etree.SubElement(element, f"{{{A_NS}}}{name}", val=str(percent * 1000))
        yield resolve_color(element, nothing)[0] or color
