"""What a gold deck changes, thing by thing, and which of these things are one edit.

A part is one aspect of one shape, slide or deck. A group is the same edit in several places: the
same new transition on every slide, one word for another in the whole deck.
"""

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pptarena.decks.diff.change import Aspect, Change
from pptarena.decks.diff.groups import ShapeBrief
from pptarena.decks.match.sequences import opcodes

__all__ = ["WORDED", "Group", "Part", "PartKind", "grouped", "parts_of", "rewording"]

PartKind = Literal[
    "changed", "slide_added", "slide_removed", "shape_added", "shape_removed",
    "grouped", "ungrouped", "order", "stacking",
]  # fmt: skip
"""How a part is measured; ``stacking`` is the z-order of a slide."""

_OWN_KIND: dict[str, PartKind] = {
    "slide_added": "slide_added",
    "slide_removed": "slide_removed",
    "slide_moved": "order",
    "shape_added": "shape_added",
    "shape_removed": "shape_removed",
    "grouped": "grouped",
    "ungrouped": "ungrouped",
    "z_order_changed": "stacking",
}
WORDED = frozenset(("text", "notes", "tables", "charts", "alt_text"))
_TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class Part:
    """One thing that a gold deck changes.

    Attributes:
        kind: How it is measured.
        aspect: Of the deck that it concerns.
        changes: From the original to the gold, at least one.
        slide: Position in the original, from 1; None if it is new, or of the deck.
        slide_gold: Position in the gold, from 1; None if it is gone, or of the deck.
        shape: Index among the shapes of the original slide; None if it is new, or of the slide.
        shape_gold: Index among those of the gold's slide; None if it is gone, or of the slide.
    """

    kind: PartKind
    aspect: Aspect
    changes: tuple[Change, ...]
    slide: int | None = None
    slide_gold: int | None = None
    shape: int | None = None
    shape_gold: int | None = None

    @property
    def text(self) -> str:
        """The first of its changes in words, and how many more there are."""
        more = len(self.changes) - 1
        return self.changes[0].text + (f" (and {more} more)" if more else "")


@dataclass(frozen=True)
class Group:
    """The same edit in one or more places; all groups weigh the same.

    Attributes:
        parts: At least one.
        words: The old words and the new ones, where that is all that the edit does.
    """

    parts: tuple[Part, ...]
    words: tuple[str, str] | None = None

    @property
    def text(self) -> str:
        """The edit in words."""
        more = len(self.parts) - 1
        return self.parts[0].text + (f"; and {more} more places" if more else "")


def parts_of(changes: Sequence[Change]) -> tuple[Part, ...]:
    """Return what changes concern that have causes of their own, each thing once."""
    slides_come = any(change.kind == "slide_added" for change in changes)
    found: dict[Hashable, list[Change]] = {}
    for change in changes:
        # Applications bring a layout of its own with a slide that is pasted.
        if not (change.kind == "layout_added" and slides_come):
            found.setdefault(_thing(change), []).append(change)
    return tuple(_part(each) for each in found.values())


def grouped(parts: Iterable[Part]) -> tuple[Group, ...]:
    """Return the parts, those that are the same edit together."""
    found: dict[Hashable, list[Part]] = {}
    words: dict[Hashable, tuple[str, str] | None] = {}
    for part in parts:
        pair = rewording(part.changes) if part.aspect in WORDED else None
        key = ("words", pair) if pair is not None else _signature(part)
        found.setdefault(key, []).append(part)
        words[key] = pair
    return tuple(Group(tuple(each), words[key]) for key, each in found.items())


def rewording(changes: Iterable[Change]) -> tuple[str, str] | None:
    """Return the old words and the new ones if changes put one for the other, and do nothing else.

    None where words come or go, or where several words are replaced by different ones.
    """
    texts = (both for each in changes for both in _texts(each.value_before, each.value_after))
    pairs = {pair for before, after in texts for pair in _replaced(before, after)}
    return pairs.pop() if len(pairs) == 1 else None


def _thing(change: Change) -> Hashable:
    kind = _OWN_KIND.get(change.kind, "changed")
    if kind == "order":
        return kind
    if kind == "stacking":
        return kind, change.slide
    if kind != "changed":
        return kind, change.slide, change.slide_now, change.shape_index, change.shape_index_now
    return change.aspect, change.slide, change.shape_index


def _part(changes: Sequence[Change]) -> Part:
    first = changes[0]
    kind = _OWN_KIND.get(first.kind, "changed")
    part = Part(kind, first.aspect, tuple(changes))
    if kind == "order":
        return part
    part = replace(part, slide=first.slide, slide_gold=first.slide_now)
    if kind == "stacking":
        return part
    return replace(part, shape=first.shape_index, shape_gold=first.shape_index_now)


def _signature(part: Part) -> Hashable:
    if part.kind in ("shape_added", "shape_removed"):
        first = part.changes[0]
        brief = first.value_after if part.kind == "shape_added" else first.value_before
        if isinstance(brief, ShapeBrief):
            return part.kind, brief.kind, brief.text, brief.geometry
    if part.kind == "slide_removed":
        return part.kind
    if part.kind != "changed":
        return part.kind, part.slide, part.slide_gold, part.shape, part.shape_gold
    return part.aspect, frozenset((c.kind, c.what, _wanted(c)) for c in part.changes)


def _wanted(change: Change) -> Hashable:
    """Return what a change ends at, the same for the same look of other letters."""
    value = change.value_after
    if change.aspect == "formatting" and isinstance(value, tuple):
        values = [each[1] for each in value if isinstance(each, tuple) and len(each) == 2]
        if len(values) == len(value):
            return frozenset(map(repr, values))
    return repr(value) if value is not None else change.after


def _texts(before: object, after: object) -> Iterator[tuple[str, str]]:
    if isinstance(before, str) and isinstance(after, str):
        yield before, after
    elif isinstance(before, tuple) and isinstance(after, tuple) and len(before) == len(after):
        for old, new in zip(before, after, strict=True):
            if old != new:
                yield from _texts(old, new)
    else:
        yield "", ""  # no text: nothing can be said of its words


def _replaced(before: str, after: str) -> Iterator[tuple[str, str] | None]:
    """Yield each stretch of words that stands for another; None for one that came or went."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    found = [each for each in opcodes(old, new) if each[0] != "equal"]
    if not found:
        yield None
    for tag, i1, i2, j1, j2 in found:
        pair = _stretch(before, i1, i2), _stretch(after, j1, j2)
        whole = tag == "replace" and pair[0] and pair[1] and "\n" not in pair[0] + pair[1]
        yield pair if whole else None


def _stretch(text: str, start: int, end: int) -> str:
    """Return some of the tokens of a text with what stands between them."""
    spans = [found.span() for found in _TOKEN.finditer(text)][start:end]
    return text[spans[0][0] : spans[-1][1]] if spans else ""
