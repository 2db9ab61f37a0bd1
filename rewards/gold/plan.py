"""The changes that a gold deck requests, split into parts and grouped into edits.

A part is one aspect of one shape, slide or deck. A group is the same edit in several places, such
as the same transition on every slide, or a word replaced throughout the deck.
"""

import re
from bisect import bisect, insort
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal

from pptarena.decks import Deck
from pptarena.decks.diff.change import Aspect, Change
from pptarena.decks.diff.compare import diff_matched
from pptarena.decks.diff.consequences import attach_consequences
from pptarena.decks.diff.distance import progress
from pptarena.decks.diff.groups import ShapeSummary
from pptarena.decks.match.decks import DeckMatch, group_leaves, match_decks
from pptarena.decks.match.sequences import opcodes
from pptarena.rewards.scope.loss import retained_shapes, slide_loss
from pptarena.rewards.scored_tree import ALMOST_ONE

__all__ = [
    "TEXT_ASPECTS",
    "GoldPlan",
    "Group",
    "Part",
    "Progress",
    "group_equal_edits",
    "parts_of",
    "plan_of",
]


PartKind = Literal[
    "changed", "slide_added", "slide_removed", "shape_added", "shape_removed",
    "grouped", "ungrouped", "order", "stacking",
]  # fmt: skip
"""How a part is measured; ``stacking`` is the z-order of a slide."""

_PART_KINDS: dict[str, PartKind] = {
    "slide_added": "slide_added",
    "slide_removed": "slide_removed",
    "slide_moved": "order",
    "shape_added": "shape_added",
    "shape_removed": "shape_removed",
    "grouped": "grouped",
    "ungrouped": "ungrouped",
    "z_order_changed": "stacking",
}
TEXT_ASPECTS = frozenset(("text", "notes", "tables", "charts", "alt_text"))
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
    has_new_slides = any(change.kind == "slide_added" for change in changes)
    changes_by_part: dict[Hashable, list[Change]] = {}
    for change in changes:
        # Applications add the layout of a pasted slide.
        if not (change.kind == "layout_added" and has_new_slides):
            changes_by_part.setdefault(_part_key(change), []).append(change)
    return tuple(_build_part(part_changes) for part_changes in changes_by_part.values())


def group_equal_edits(parts: Iterable[Part]) -> tuple[Group, ...]:
    """Return the parts with equal edits grouped together."""
    parts_by_edit: dict[Hashable, list[Part]] = {}
    replacements: dict[Hashable, tuple[str, str] | None] = {}
    for part in parts:
        pair = text_replacement(part.changes) if part.aspect in TEXT_ASPECTS else None
        key = ("words", pair) if pair is not None else _edit_key(part)
        parts_by_edit.setdefault(key, []).append(part)
        replacements[key] = pair
    return tuple(Group(tuple(each), replacements[key]) for key, each in parts_by_edit.items())


def text_replacement(changes: Iterable[Change]) -> tuple[str, str] | None:
    """Return the old and the new text if changes only replace one by the other.

    Return None if text is added or removed, or several texts are replaced by different ones.
    """
    texts = (both for each in changes for both in _texts(each.value_before, each.value_after))
    pairs = {pair for before, after in texts for pair in _replaced_spans(before, after)}
    return pairs.pop() if len(pairs) == 1 else None


def _part_key(change: Change) -> Hashable:
    kind = _PART_KINDS.get(change.kind, "changed")
    if kind == "order":
        return kind
    if kind == "stacking":
        return kind, change.slide
    if kind != "changed":
        return kind, change.slide, change.slide_now, change.shape_index, change.shape_index_now
    return change.aspect, change.slide, change.shape_index


def _build_part(changes: Sequence[Change]) -> Part:
    first = changes[0]
    kind = _PART_KINDS.get(first.kind, "changed")
    part = Part(kind, first.aspect, tuple(changes))
    if kind == "order":
        return part
    part = replace(part, slide=first.slide, slide_gold=first.slide_now)
    if kind == "stacking":
        return part
    return replace(part, shape=first.shape_index, shape_gold=first.shape_index_now)


def _edit_key(part: Part) -> Hashable:
    if part.kind in ("shape_added", "shape_removed"):
        first = part.changes[0]
        brief = first.value_after if part.kind == "shape_added" else first.value_before
        if isinstance(brief, ShapeSummary):
            return part.kind, brief.kind, brief.text, brief.geometry
    if part.kind == "slide_removed":
        return part.kind
    if part.kind != "changed":
        return part.kind, part.slide, part.slide_gold, part.shape, part.shape_gold
    return part.aspect, frozenset((c.kind, c.what, _target_value(c)) for c in part.changes)


def _target_value(change: Change) -> Hashable:
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


def _replaced_spans(before: str, after: str) -> Iterator[tuple[str, str] | None]:
    """Yield each replaced span of words; None for an added or removed one."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    edits = [each for each in opcodes(old, new) if each[0] != "equal"]
    if not edits:
        yield None
    for tag, i1, i2, j1, j2 in edits:
        pair = _text_between(before, i1, i2), _text_between(after, j1, j2)
        is_replacement = tag == "replace" and pair[0] and pair[1] and "\n" not in pair[0] + pair[1]
        yield pair if is_replacement else None


def _text_between(text: str, start: int, end: int) -> str:
    """Return the text between two tokens."""
    spans = [match.span() for match in _TOKEN.finditer(text)][start:end]
    return text[spans[0][0] : spans[-1][1]] if spans else ""


_MAX_CACHED_PLANS = 32  # vector environments score in turn, each with its own target


@lru_cache(maxsize=_MAX_CACHED_PLANS)
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
        self.changes = attach_consequences(self.match, diff_matched(self.match))
        """The changes from the original to the gold, including side effects."""
        self.groups = group_equal_edits(parts_of(self.changes))
        """The changes grouped by edit."""

    @cached_property
    def reverse_match(self) -> DeckMatch:
        """The matching of the gold with the original."""
        return match_decks(self.gold, self.original)

    @cached_property
    def reverse_changes(self) -> tuple[Change, ...]:
        """The changes from the gold to the original."""
        return self.differences(self.reverse_match)

    def differences(self, match: DeckMatch) -> tuple[Change, ...]:
        """Return all differences from the gold.

        A changed order is attributed to the gold's new slides if possible.
        """
        return diff_matched(match, frozenset(self.match.added))


_ShapeKey = tuple[int | None, int | None]
# Effects and comments cannot be matched individually, so they are counted.
_UNMATCHED_ASPECTS = frozenset(("animation", "comments"))
_TEXT_CONTENT_ASPECTS = frozenset(("text", "tables"))


class Progress:
    """Progress of a deck from an original toward a gold.

    Args:
        plan: The changes from the original to the gold.
        match: The original and the current deck.
        outside: Changes outside the scope, which are charged elsewhere.
    """

    def __init__(self, plan: GoldPlan, match: DeckMatch, outside: Sequence[Change] = ()) -> None:
        self._plan = plan
        self._match = match
        self._outside = outside

    def mean_share(self, groups: Iterable[Group]) -> float:
        """Return the mean progress of groups, in [0, 1]."""
        values = [self.group_share(group) for group in groups]
        return sum(values) / len(values) if values else 0.0

    def group_share(self, group: Group) -> float:
        """Return the mean progress of a group's parts, in [0, 1]."""
        return sum(map(self.part_share, group.parts)) / len(group.parts)

    def part_share(self, part: Part) -> float:
        """Return the progress of a part, in [0, 1]."""
        if self._match.current is self._match.original:
            return 0.0
        value = self._now.value(part)
        start = 0.0 if part.kind == "changed" else self._start.value(part)
        if value >= ALMOST_ONE:
            return 1.0
        return max(0.0, (value - start) / (1 - start)) if start < 1 else value

    @cached_property
    def _now(self) -> "_GoldComparison":
        gold_match = match_decks(self._plan.gold, self._match.current)
        return _GoldComparison(
            self._plan, self._match, gold_match, self._plan.differences(gold_match), self._outside
        )

    @cached_property
    def _start(self) -> "_GoldComparison":
        plan = self._plan
        return _GoldComparison(
            plan,
            match_decks(plan.original, plan.original),
            plan.reverse_match,
            plan.reverse_changes,
        )


class _GoldComparison:
    """A deck compared with the gold.

    Args:
        plan: The changes from the original to the gold.
        match: The matching of the original with the deck.
        gold_match: The matching of the gold with the deck.
        differences: All differences of the deck from the gold.
        outside: Changes outside the scope, which are charged elsewhere.
    """

    def __init__(
        self,
        plan: GoldPlan,
        match: DeckMatch,
        gold_match: DeckMatch,
        differences: Sequence[Change],
        outside: Sequence[Change] = (),
    ) -> None:
        self._plan = plan
        self._match = match
        self._gold_match = gold_match
        self._differences = _changes_by_shape(differences)
        self._requested = _changes_by_shape(plan.reverse_changes)
        self._charged = {(c.slide, c.shape_index, c.aspect, c.what) for c in outside}
        self._by_slide: dict[int, list[Change]] = defaultdict(list)
        for change in differences:
            if change.slide is not None:
                self._by_slide[change.slide - 1].append(change)

    def value(self, part: Part) -> float:
        """Return how much of a part is done, in [0, 1], by the method named like its kind."""
        measure: Callable[[Part], float] = getattr(self, part.kind)
        return measure(part)

    def changed(self, part: Part) -> float:
        """Return the share of correct properties, of the expected and the wrongly changed ones."""
        if not self._is_present(part):
            return 0.0
        shape_key = part.slide_gold, part.shape_gold
        requested = _changes_by_property(self._requested.get(shape_key, ()), part)
        remaining = _changes_by_property(self._differences.get(shape_key, ()), part)
        if not requested:
            return self._exact_share(part)
        done = sum(progress(remaining.get(name, ()), change) for name, change in requested.items())
        others = [
            each
            for name, changes in remaining.items()
            if name not in requested
            for each in changes[:1]
        ]
        extra = sum(not self._is_charged(part, each) for each in others)
        return done / (len(requested) + extra + self._is_formatted_differently(part))

    def slide_added(self, part: Part) -> float:
        """Return how much of a new slide is present."""
        index = _current_index(self._gold_match, part.slide_gold)
        return (
            0.0
            if index is None
            else 1.0 - slide_loss(self._gold_match, index, self._by_slide[index])
        )

    def slide_removed(self, part: Part) -> float:
        """Return whether a slide of the original was removed."""
        return float(_current_index(self._match, part.slide) is None)

    def shape_added(self, part: Part) -> float:
        """Return how much of a new shape is present."""
        index, shape = _current_index(self._gold_match, part.slide_gold), part.shape_gold
        if index is None or shape is None or shape not in self._gold_match.shapes(index).to_current:
            return 0.0
        return retained_shapes(self._gold_match, index, self._by_slide[index])[shape]

    def shape_removed(self, part: Part) -> float:
        """Return whether a shape of the original was removed while its slide was kept."""
        index = _current_index(self._match, part.slide)
        return float(index is not None and part.shape not in self._match.shapes(index).to_current)

    def grouped(self, part: Part) -> float:
        """Return whether a new group is present."""
        index = _current_index(self._gold_match, part.slide_gold)
        return float(
            index is not None and part.shape_gold in self._gold_match.shapes(index).to_current
        )

    def ungrouped(self, part: Part) -> float:
        """Return whether a group was removed while its members were kept."""
        if part.slide is None or part.shape is None or not self.shape_removed(part):
            return 0.0
        leaves = group_leaves(self._plan.original.slides[part.slide - 1].shapes)[part.shape]
        current_indexes = self._match.shapes(part.slide - 1).to_current
        return float(all(leaf in current_indexes for leaf in leaves))

    def order(self, part: Part) -> float:
        """Return the fraction of slide pairs put in order, of those that were out of order."""
        return self._order_share(lambda side: _current_slide_order(side, self._plan))

    def stacking(self, part: Part) -> float:
        """Return the fraction of shape pairs on a slide whose stacking was put in order."""
        index = _current_index(self._gold_match, part.slide_gold)
        return (
            0.0
            if index is None
            else self._order_share(lambda side: _current_shape_order(side, index))
        )

    def _order_share(self, order: Callable[[DeckMatch], list[int]]) -> float:
        initial_inversions = _count_inversions(order(self._plan.reverse_match))
        return (
            max(0.0, 1.0 - _count_inversions(order(self._gold_match)) / initial_inversions)
            if initial_inversions
            else 1.0
        )

    def _is_present(self, part: Part) -> bool:
        if part.slide_gold is None:
            return part.slide is None
        index, shape = _current_index(self._gold_match, part.slide_gold), part.shape_gold
        if index is None or shape is None:
            return index is not None
        return shape in self._gold_match.shapes(index).to_current

    def _is_formatted_differently(self, part: Part) -> bool:
        """Return whether new text is formatted differently from the gold."""
        if (
            part.aspect not in _TEXT_CONTENT_ASPECTS
            or part.shape is None
            or part.shape_gold is None
        ):
            return False
        shape_key = part.slide_gold, part.shape_gold
        requested_properties = {
            c.what for c in self._requested.get(shape_key, ()) if c.aspect == "formatting"
        }
        return any(
            change.aspect == "formatting"
            and change.what not in requested_properties
            and not self._is_charged(part, change)
            for change in self._differences.get(shape_key, ())
        )

    def _is_charged(self, part: Part, change: Change) -> bool:
        """Return whether a difference from the gold is outside the scope and charged elsewhere."""
        return (part.slide, part.shape, change.aspect, change.what) in self._charged

    def _exact_share(self, part: Part) -> float:
        """Return the fraction of a part's changes that were made exactly.

        Used for changes that a diff reports from the original to the gold but not in reverse.
        """
        since = diff_matched(self._match)
        actual = {(c.slide, c.shape_index, c.kind, c.what, c.after) for c in since}
        requested = [(c.slide, c.shape_index, c.kind, c.what, c.after) for c in part.changes]
        return sum(each in actual for each in requested) / len(requested)


def _current_index(match: DeckMatch, number: int | None) -> int | None:
    """Return the index of a slide by 1-based position, or None if it was removed."""
    index = (number or 0) - 1
    return index if index in match.to_current else None


def _changes_by_shape(changes: Iterable[Change]) -> dict[_ShapeKey, list[Change]]:
    result: dict[_ShapeKey, list[Change]] = defaultdict(list)
    for change in changes:
        if change.slide is not None or change.slide_now is None:
            result[change.slide, change.shape_index].append(change)
    return result


def _changes_by_property(changes: Iterable[Change], part: Part) -> dict[str, list[Change]]:
    """Return the changes of a part's aspect, grouped by property."""
    result: dict[str, list[Change]] = defaultdict(list)
    for change in changes:
        if change.aspect == part.aspect and change.kind not in ("shape_removed", "slide_moved"):
            # Additions and removals swap when seen from the gold.
            name = f"{change.kind} {change.what}".removesuffix(" ")
            result["" if part.aspect in _UNMATCHED_ASPECTS else name].append(change)
    return result


def _current_slide_order(match: DeckMatch, plan: GoldPlan) -> list[int]:
    """Return the current indexes of the original slides, in the order of the gold."""
    return [now for index, now in match.pairs if index in plan.match.to_original]


def _current_shape_order(match: DeckMatch, index: int) -> list[int]:
    is_present = index in match.to_current
    return [now for _, now in sorted(match.shapes(index).to_current.items())] if is_present else []


def _count_inversions(order: Sequence[int]) -> int:
    """Return the number of pairs in the wrong order."""
    sorted_before: list[int] = []
    count = 0
    for each in order:
        count += len(sorted_before) - bisect(sorted_before, each)
        insort(sorted_before, each)
    return count
