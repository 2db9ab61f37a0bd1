"""Values that slides inherit from layout and master, before and after.

A shape without a value of its own takes it from the layout's placeholder, or else from the master's
text style of that level. A value that equals the inherited one before and after counts as
inherited, even if the file states it explicitly.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any, Final

from lxml import etree

from pptarena.decks import Deck, Layout, Paragraph, Shape, Slide, TextFrame
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.fields import Equality, find_rule
from pptarena.decks.diff.masters import match_masters
from pptarena.decks.diff.shapes import same_box
from pptarena.decks.diff.text import aligned_values
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.match.values import same_color, same_number
from pptarena.decks.package.names import A_NS
from pptarena.decks.read.color import resolve_color

__all__ = ["Inheritance", "ThemeChange", "inherited_paragraphs", "is_inherited_change"]

_TITLES: Final = frozenset(("title", "ctrTitle"))
_FOOTERS: Final = frozenset(("dt", "ftr", "sldNum"))
_GEOMETRY: Final = frozenset(("place", "size", "rotation", "flip"))

_TEXT_STYLE: Final = re.compile(r"(?:master .*)?text style \w+ \d (.+)")

_Side = tuple[Deck, Slide, Shape]


class Inheritance:
    """Decides whether changed values were and are inherited."""

    def __init__(self, match: DeckMatch) -> None:
        self._match = match

    def explains(self, change: Change, index: int, *, is_new_layout: bool) -> bool:
        """Return whether the old value was inherited before, and the new value is inherited now."""
        match = self._match
        if index not in match.to_current or change.what == "level":
            return False  # outline levels are never inherited
        before, after = match.original.slides[index], match.current.slides[match.to_current[index]]
        if change.kind == "background_changed" and not change.what:
            old, new = match.original.layout_of(before), match.current.layout_of(after)
            return _paint(old) == before.background and _paint(new) == after.background
        if change.kind in ("shape_added", "shape_removed"):
            return is_new_layout and self._is_empty_placeholder(change, before, after)
        i, j = change.shape_index, change.shape_index_now
        if i is None or j is None:
            return False
        sides = (
            (match.original, before, before.shapes[i]),
            (match.current, after, after.shapes[j]),
        )
        if change.what == "placeholder":
            return is_new_layout and any(True for _ in _inherited_shapes(*sides[1], exact=True))
        if change.aspect == "geometry":
            return change.what in _GEOMETRY and all(map(_is_in_place, sides))
        return _is_text_inherited(change, *sides) or _is_style_inherited(change, *sides)

    def _is_empty_placeholder(self, change: Change, before: Slide, after: Slide) -> bool:
        """Return whether a placeholder that shows nothing in a slide show was added or removed."""
        if change.kind == "shape_removed" and change.shape_index is not None:
            deck, slide, shape = self._match.original, before, before.shapes[change.shape_index]
        elif change.shape_index_now is not None:
            deck, slide, shape = self._match.current, after, after.shapes[change.shape_index_now]
        else:
            return False
        if not shape.placeholder or shape.kind != "placeholder":
            return False
        models = list(_inherited_shapes(deck, slide, shape))
        if shape.placeholder in _FOOTERS:
            return any(model.text == shape.text for model in models)
        return bool(models) and not shape.all_text.strip()


def is_inherited_change(cause: Change, change: Change) -> bool:
    """Return whether a layout's change equals that of its master."""
    if "layout '" not in change.what:
        return False
    if cause.kind == "master_background_changed":
        values = cause.value_before, cause.value_after
        is_background = change.what.endswith(": background")
        return is_background and values == (change.value_before, change.value_after)
    style = _TEXT_STYLE.match(cause.what)
    if style is None or f": {style[1]} of the " not in change.what:
        return False
    old, new = _values(cause.value_before), _values(cause.value_after)
    old_values, new_values = _values(change.value_before), _values(change.value_after)
    if len(old) != 1 or not old_values or len(old_values) != len(new_values):
        return False
    return all(pair == (old[0], new[0]) for pair in zip(old_values, new_values, strict=True))


def _values(pairs: object) -> list[object]:
    """Return the values of (text, value) pairs; empty for other values, such as lengths."""
    items = pairs if isinstance(pairs, tuple) else ()
    return [pair[1] for pair in items if isinstance(pair, tuple)]


def _is_text_inherited(change: Change, old: _Side, new: _Side) -> bool:
    """Return whether each location of a formatting change has the value of layout or master."""
    if change.aspect != "formatting":
        return False
    values = [
        (value, levels)
        for value, levels in aligned_values(old[2].paragraphs, new[2].paragraphs, change.what)
        if not value.same(value.old, value.new)
    ]
    # Text moved to another level takes that level's formatting, even if it had its own before.
    return bool(values) and all(
        (
            levels[0] != levels[1]
            or _has_inherited_value(old, levels[0], value.name, value.old, value.same)
        )
        and _has_inherited_value(new, levels[1], value.name, value.new, value.same)
        for value, levels in values
    )


def _has_inherited_value(side: _Side, level: int, name: str, value: Any, same: Equality) -> bool:
    return any(same(_value(sample, name), value) for sample in inherited_paragraphs(*side, level))


def _value(sample: Paragraph, name: str) -> Any:
    if hasattr(sample, name):
        return getattr(sample, name)
    return getattr(sample.runs[0].style, name) if sample.runs else None


def inherited_paragraphs(deck: Deck, slide: Slide, shape: Shape, level: int) -> Iterator[Paragraph]:
    """Yield the paragraphs of one level that a shape inherits from."""
    for model in _inherited_shapes(deck, slide, shape):
        yield from (p for p in model.paragraphs if p.level == level and p.runs)
    master = deck.master_of(slide)
    if master is not None:
        kind = _kind(shape.placeholder)
        name = "title 1" if kind == "title" else f"body {level + 1}"
        name = name if kind in ("title", "body") else f"other {level + 1}"
        yield from (sample for each, sample in master.text_styles if each == name)


def _is_style_inherited(change: Change, old: _Side, new: _Side) -> bool:
    """Return whether a shape or frame property has the value of the layout's placeholder."""
    for kind in (Shape, TextFrame):
        rule = find_rule(kind, change.what)
        if rule is None:
            continue
        for deck, slide, shape in (old, new):
            value = _property_value(shape, kind, rule.name)
            models = _inherited_shapes(deck, slide, shape)
            if not any(
                rule.same(_property_value(model, kind, rule.name), value) for model in models
            ):
                return False
        return True
    return False


def _property_value(shape: Shape, kind: type, name: str) -> Any:
    if kind is Shape:
        return getattr(shape, name)
    return None if shape.frame is None else getattr(shape.frame, name)


def _is_in_place(side: _Side) -> bool:
    return any(same_box(model.box, side[2].box) for model in _inherited_shapes(*side))


def _inherited_shapes(
    deck: Deck, slide: Slide, shape: Shape, *, exact: bool = False
) -> Iterator[Shape]:
    """Yield the placeholders that a shape may inherit from: the layout's, or else the master's."""
    if not shape.placeholder:
        return
    layout, master = deck.layout_of(slide), deck.master_of(slide)
    found = False
    for part in (layout, master):
        for shape_above in () if part is None or found else part.shapes:
            if not shape_above.placeholder:
                continue
            if shape_above.placeholder == shape.placeholder or (
                not exact and _kind(shape_above.placeholder) == _kind(shape.placeholder)
            ):
                found = True
                yield shape_above


def _kind(placeholder: str) -> str:
    if placeholder in _TITLES:
        return "title"
    return "body" if placeholder and placeholder not in _FOOTERS else placeholder


def _paint(layout: Layout | None) -> object:
    return None if layout is None else layout.background


_COLOR: Final = re.compile(r"#[0-9A-F]{6}")
_FIVES: Final = range(5, 100, 5)
_Transform = tuple[tuple[str, int], ...]
_OFFICE_TRANSFORMS: Final[tuple[_Transform, ...]] = (
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
_TRANSFORMS: Final[tuple[_Transform, ...]] = (
    (),
    *(((("lumMod", n)),) for n in _FIVES),
    *((("lumMod", n), ("lumOff", 100 - n)) for n in _FIVES),
    *(((name, n),) for name in ("tint", "shade") for n in range(1, 100)),
    *_OFFICE_TRANSFORMS,
)


class ThemeChange:
    """The effect of a theme change on dependent values."""

    def __init__(self, match: DeckMatch) -> None:
        self._colors: set[tuple[str, str]] = set()
        self._fonts: set[tuple[str, str]] = set()
        for i, j in match_masters(match):
            old, new = match.original.masters[i], match.current.masters[j]
            slots = old.colors.keys() & new.colors.keys()
            colors = {(old.colors[n], new.colors[n]) for n in slots}
            self._colors |= {
                (before, after) for before, after in colors if not same_color(before, after)
            }
            self._fonts |= set(zip(old.fonts, new.fonts, strict=True))
        self._recolored: dict[tuple[str, str], bool] = {}

    def explains(self, change: Change) -> bool:
        """Return whether a change follows from the theme in all its values.

        A change in numbers alone never does, such as visibility, bold text or chart values.
        """
        old, new = change.value_before, change.value_after
        return old is not None and _differs_in_text(old, new) and self._follows(old, new)

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
        if (old, new) not in self._recolored:
            self._recolored[old, new] = any(
                same_color(before, old) and same_color(after, new)
                for pair in self._colors
                for before, after in zip(*map(_variants, pair), strict=True)
            )
        return self._recolored[old, new]


def _differs_in_text(old: Any, new: Any) -> bool:
    """Return whether two values differ in a color, a typeface or other text."""
    if isinstance(old, str) or isinstance(new, str):
        return bool(old != new)
    if isinstance(old, tuple) and isinstance(new, tuple):
        return any(_differs_in_text(a, b) for a, b in zip(old, new, strict=False))
    if type(old) is not type(new) or not is_dataclass(old) or isinstance(old, type):
        return False
    names = [each.name for each in fields(old)]
    return any(_differs_in_text(getattr(old, name), getattr(new, name)) for name in names)


@lru_cache(maxsize=256)
def _variants(color: str) -> tuple[str, ...]:
    """Return the result of each transformation of a color."""
    return tuple(_transformed(color))


def _transformed(color: str) -> Iterator[str]:
    no_scheme: Mapping[str, str] = {}
    for transform in _TRANSFORMS:
        element = etree.Element(f"{{{A_NS}}}srgbClr", val=color[1:])
        for name, percent in transform:
            etree.SubElement(element, f"{{{A_NS}}}{name}", val=str(percent * 1000))
        yield resolve_color(element, no_scheme)[0] or color
