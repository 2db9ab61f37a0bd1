"""The changes that a gold deck requests, split into parts and grouped into edits.

A part is one aspect of one shape, slide or deck. A group is the same edit in several places, such
as the same transition on every slide, or a word replaced throughout the deck.
"""

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal

from pptarena.decks import Deck
from pptarena.decks.diff.change import Aspect, Change
from pptarena.decks.diff.compare import diff_matched
from pptarena.decks.diff.consequences import with_consequences
from pptarena.decks.diff.groups import ShapeBrief
from pptarena.decks.match.decks import DeckMatch, match_decks
from pptarena.decks.match.sequences import opcodes

__all__ = ["WORDED", "GoldPlan", "Group", "Part", "grouped", "parts_of", "plan_of"]


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
    """One part of the changes of a gold deck.

    Attributes:
        kind: How it is measured.
        aspect: The aspect that changes.
        changes: Changes from the original to the gold, at least one.
        slide: 1-based position in the original; None if it is new, or for the deck.
        slide_gold: 1-based position in the gold; None if it is removed, or for the deck.
        shape: Index on the original slide; None if it is new, or for the slide.
        shape_gold: Index on the gold's slide; None if it is removed, or for the slide.
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
        """The text of its first change, and the number of the others."""
        more = len(self.changes) - 1
        return self.changes[0].text + (f" (and {more} more)" if more else "")


@dataclass(frozen=True)
class Group:
    """The same edit in one or more places; all groups have equal weight.

    Attributes:
        parts: At least one.
        words: The old and the new text, if the edit only replaces text.
    """

    parts: tuple[Part, ...]
    words: tuple[str, str] | None = None

    @property
    def text(self) -> str:
        """The edit as text."""
        more = len(self.parts) - 1
        return self.parts[0].text + (f"; and {more} more places" if more else "")


def parts_of(changes: Sequence[Change]) -> tuple[Part, ...]:
    """Return the parts that changes consist of, without side effects."""
    slides_come = any(change.kind == "slide_added" for change in changes)
    found: dict[Hashable, list[Change]] = {}
    for change in changes:
        # Applications add the layout of a pasted slide.
        if not (change.kind == "layout_added" and slides_come):
            found.setdefault(_thing(change), []).append(change)
    return tuple(_part(each) for each in found.values())


def grouped(parts: Iterable[Part]) -> tuple[Group, ...]:
    """Return the parts with equal edits grouped together."""
    found: dict[Hashable, list[Part]] = {}
    words: dict[Hashable, tuple[str, str] | None] = {}
    for part in parts:
        pair = rewording(part.changes) if part.aspect in WORDED else None
        key = ("words", pair) if pair is not None else _signature(part)
        found.setdefault(key, []).append(part)
        words[key] = pair
    return tuple(Group(tuple(each), words[key]) for key, each in found.items())


def rewording(changes: Iterable[Change]) -> tuple[str, str] | None:
    """Return the old and the new text if changes only replace one by the other.

    Return None if text is added or removed, or several texts are replaced by different ones.
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
    """Return the result of a change, equal for the same formatting of different text."""
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
        yield "", ""  # not a text, so no replacement can be derived


def _replaced(before: str, after: str) -> Iterator[tuple[str, str] | None]:
    """Yield each replaced span of words; None for an added or removed one."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    found = [each for each in opcodes(old, new) if each[0] != "equal"]
    if not found:
        yield None
    for tag, i1, i2, j1, j2 in found:
        pair = _stretch(before, i1, i2), _stretch(after, j1, j2)
        whole = tag == "replace" and pair[0] and pair[1] and "\n" not in pair[0] + pair[1]
        yield pair if whole else None


def _stretch(text: str, start: int, end: int) -> str:
    """Return the text between two tokens."""
    spans = [found.span() for found in _TOKEN.finditer(text)][start:end]
    return text[spans[0][0] : spans[-1][1]] if spans else ""


_MAX_KEPT = 32  # vector environments score in turn, each with its own target


@lru_cache(maxsize=_MAX_KEPT)
def plan_of(original: Deck, gold: Deck) -> "GoldPlan":
    """Return the plan for an original and a gold; recent plans are cached."""
    return GoldPlan(original, gold)


class GoldPlan:
    """The changes that a gold deck requests.

    Args:
        original: The original deck, as saved unchanged by the application.
        gold: The gold deck, saved by the same application.
    """

    def __init__(self, original: Deck, gold: Deck) -> None:
        self.original = original
        self.gold = gold
        self.match = match_decks(original, gold)
        """The matching of the original with the gold."""
        self.changes = with_consequences(self.match, diff_matched(self.match))
        """The changes from the original to the gold, including side effects."""
        self.groups = grouped(parts_of(self.changes))
        """The changes grouped by edit."""

    @cached_property
    def back(self) -> DeckMatch:
        """The matching of the gold with the original."""
        return match_decks(self.gold, self.original)

    @cached_property
    def way(self) -> tuple[Change, ...]:
        """The changes from the gold to the original."""
        return self.left(self.back)

    def left(self, match: DeckMatch) -> tuple[Change, ...]:
        """Return all differences from the gold.

        A changed order is attributed to the gold's new slides if possible.
        """
        return diff_matched(match, frozenset(self.match.added))
