"""Values that slides inherit from layout and master, before and after.

A shape without a value of its own takes it from the layout's placeholder, or else from the master's
text style of that level. A value that equals the inherited one before and after counts as
inherited, even if the file states it explicitly.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from pptarena.decks import Deck, Layout, Paragraph, Shape, Slide, TextFrame
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.fields import Same, rule_named
from pptarena.decks.diff.shapes import same_box
from pptarena.decks.diff.text import aligned_places
from pptarena.decks.match.decks import DeckMatch

__all__ = ["Heritage", "is_passed_on", "samples"]

_TITLES: Final = frozenset(("title", "ctrTitle"))
_KEPT: Final = frozenset(("dt", "ftr", "sldNum"))
_GEOMETRY: Final = frozenset(("place", "size", "rotation", "flip"))

_TEXT_STYLE: Final = re.compile(r"(?:master .*)?text style \w+ \d (.+)")

_Side = tuple[Deck, Slide, Shape]


class Heritage:
    """Decides whether changed values were and are inherited.

    Args:
        match: Pairs of corresponding slides and shapes.
    """

    def __init__(self, match: DeckMatch) -> None:
        self._match = match

    def gives(self, change: Change, index: int, *, is_new_layout: bool) -> bool:
        """Return whether the old value was inherited before, and the new value is inherited now.

        Args:
            change: Change of a slide or of a shape on it.
            index: Index of the slide in the original, from 0.
            is_new_layout: Whether the slide's layout changed.
        """
        match = self._match
        if index not in match.to_current or change.what == "level":
            return False  # outline levels are never inherited
        before, after = match.original.slides[index], match.current.slides[match.to_current[index]]
        if change.kind == "background_changed" and not change.what:
            old, new = match.original.layout_of(before), match.current.layout_of(after)
            return _paint(old) == before.background and _paint(new) == after.background
        if change.kind in ("shape_added", "shape_removed"):
            return is_new_layout and self._is_empty_holder(change, before, after)
        i, j = change.shape_index, change.shape_index_now
        if i is None or j is None:
            return False
        sides = (
            (match.original, before, before.shapes[i]),
            (match.current, after, after.shapes[j]),
        )
        if change.what == "placeholder":
            return is_new_layout and any(True for _ in _models(*sides[1], exact=True))
        if change.aspect == "geometry":
            return change.what in _GEOMETRY and all(map(_is_in_place, sides))
        return _is_text_inherited(change, *sides) or _is_look_inherited(change, *sides)

    def _is_empty_holder(self, change: Change, before: Slide, after: Slide) -> bool:
        """Return whether a placeholder that shows nothing in a slide show was added or removed."""
        if change.kind == "shape_removed" and change.shape_index is not None:
            deck, slide, shape = self._match.original, before, before.shapes[change.shape_index]
        elif change.shape_index_now is not None:
            deck, slide, shape = self._match.current, after, after.shapes[change.shape_index_now]
        else:
            return False
        if not shape.placeholder or shape.kind != "placeholder":
            return False
        models = list(_models(deck, slide, shape))
        if shape.placeholder in _KEPT:
            return any(model.text == shape.text for model in models)
        return bool(models) and not shape.all_text.strip()


def is_passed_on(cause: Change, change: Change) -> bool:
    """Return whether a layout's change equals that of its master.

    Args:
        cause: A change of a master's background or text style.
        change: A change of a layout.
    """
    if "layout '" not in change.what:
        return False
    if cause.kind == "master_background_changed":
        ways = cause.value_before, cause.value_after
        is_background = change.what.endswith(": background")
        return is_background and ways == (change.value_before, change.value_after)
    style = _TEXT_STYLE.match(cause.what)
    if style is None or f": {style[1]} of the " not in change.what:
        return False
    old, new = _values(cause.value_before), _values(cause.value_after)
    was, now = _values(change.value_before), _values(change.value_after)
    if len(old) != 1 or not was or len(was) != len(now):
        return False
    return all(way == (old[0], new[0]) for way in zip(was, now, strict=True))


def _values(pairs: object) -> list[object]:
    """Return the values of (text, value) pairs; empty for other values, such as lengths."""
    found = pairs if isinstance(pairs, tuple) else ()
    return [pair[1] for pair in found if isinstance(pair, tuple)]


def _is_text_inherited(change: Change, old: _Side, new: _Side) -> bool:
    """Return whether each location of a formatting change has the value of layout or master."""
    if change.aspect != "formatting":
        return False
    places = [
        (places, levels)
        for places, levels in aligned_places(old[2].paragraphs, new[2].paragraphs, change.what)
        if not places.same(places.old, places.new)
    ]
    # Text moved to another level takes that level's formatting, even if it had its own before.
    return bool(places) and all(
        (levels[0] != levels[1] or _is_like(old, levels[0], place.name, place.old, place.same))
        and _is_like(new, levels[1], place.name, place.new, place.same)
        for place, levels in places
    )


def _is_like(side: _Side, level: int, name: str, value: Any, same: Same) -> bool:
    return any(same(_value(sample, name), value) for sample in samples(*side, level))


def _value(sample: Paragraph, name: str) -> Any:
    if hasattr(sample, name):
        return getattr(sample, name)
    return getattr(sample.runs[0].style, name) if sample.runs else None


def samples(deck: Deck, slide: Slide, shape: Shape, level: int) -> Iterator[Paragraph]:
    """Yield the paragraphs of one level that a shape inherits from."""
    for model in _models(deck, slide, shape):
        yield from (p for p in model.paragraphs if p.level == level and p.runs)
    master = deck.master_of(slide)
    if master is not None:
        kind = _kind(shape.placeholder)
        name = "title 1" if kind == "title" else f"body {level + 1}"
        name = name if kind in ("title", "body") else f"other {level + 1}"
        yield from (sample for each, sample in master.text_styles if each == name)


def _is_look_inherited(change: Change, old: _Side, new: _Side) -> bool:
    """Return whether a shape or frame property has the value of the layout's placeholder."""
    for kind in (Shape, TextFrame):
        rule = rule_named(kind, change.what)
        if rule is None:
            continue
        for deck, slide, shape in (old, new):
            value = _of(shape, kind, rule.name)
            models = _models(deck, slide, shape)
            if not any(rule.same(_of(model, kind, rule.name), value) for model in models):
                return False
        return True
    return False


def _of(shape: Shape, kind: type, name: str) -> Any:
    if kind is Shape:
        return getattr(shape, name)
    return None if shape.frame is None else getattr(shape.frame, name)


def _is_in_place(side: _Side) -> bool:
    return any(same_box(model.box, side[2].box) for model in _models(*side))


def _models(deck: Deck, slide: Slide, shape: Shape, *, exact: bool = False) -> Iterator[Shape]:
    """Yield the placeholders that a shape may inherit from: the layout's, or else the master's."""
    if not shape.placeholder:
        return
    layout, master = deck.layout_of(slide), deck.master_of(slide)
    found = False
    for part in (layout, master):
        for model in () if part is None or found else part.shapes:
            if not model.placeholder:
                continue
            if model.placeholder == shape.placeholder or (
                not exact and _kind(model.placeholder) == _kind(shape.placeholder)
            ):
                found = True
                yield model


def _kind(placeholder: str) -> str:
    if placeholder in _TITLES:
        return "title"
    return "body" if placeholder and placeholder not in _KEPT else placeholder


def _paint(layout: Layout | None) -> object:
    return None if layout is None else layout.background
