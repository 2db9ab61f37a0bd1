"""Progress of a deck toward a gold deck.

Decks are compared with the gold by the project's own diff: changes caused by saving are ignored,
and each property has its own tolerance. A part scores the fraction of the way from the original to
the gold that is done.
"""

from bisect import bisect, insort
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from pptarena.decks.diff.change import Change
from pptarena.decks.diff.compare import diff_matched
from pptarena.decks.diff.distance import progress
from pptarena.decks.match.decks import DeckMatch, group_leaves, match_decks
from pptarena.rewards.gold.plan import GoldPlan, Group, Part
from pptarena.rewards.scope.loss import retained_shapes, slide_loss
from pptarena.rewards.scored import ALMOST_ONE

__all__ = ["Standing"]

_Place = tuple[int | None, int | None]
# Effects and comments cannot be matched individually, so they are counted.
_COUNTED = frozenset(("animation", "comments"))
_OF_WORDS = frozenset(("text", "tables"))


class Standing:
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

    def share(self, groups: Iterable[Group]) -> float:
        """Return the mean progress of groups, in [0, 1]."""
        values = [self.of_group(group) for group in groups]
        return sum(values) / len(values) if values else 0.0

    def of_group(self, group: Group) -> float:
        """Return the mean progress of a group's parts, in [0, 1]."""
        return sum(map(self.of_part, group.parts)) / len(group.parts)

    def of_part(self, part: Part) -> float:
        """Return the progress of a part, in [0, 1]."""
        if self._match.current is self._match.original:
            return 0.0
        value = self._now.value(part)
        start = 0.0 if part.kind == "changed" else self._start.value(part)
        if value >= ALMOST_ONE:
            return 1.0
        return max(0.0, (value - start) / (1 - start)) if start < 1 else value

    @cached_property
    def _now(self) -> "_Side":
        back = match_decks(self._plan.gold, self._match.current)
        return _Side(self._plan, self._match, back, self._plan.left(back), self._outside)

    @cached_property
    def _start(self) -> "_Side":
        plan = self._plan
        return _Side(plan, match_decks(plan.original, plan.original), plan.back, plan.way)


class _Side:
    """A deck compared with the gold: `back` matches the two, `left` lists all differences."""

    def __init__(
        self,
        plan: GoldPlan,
        match: DeckMatch,
        back: DeckMatch,
        left: Sequence[Change],
        outside: Sequence[Change] = (),
    ) -> None:
        self._plan = plan
        self._match = match
        self._back = back
        self._left = _by_place(left)
        self._way = _by_place(plan.way)
        self._charged = {(c.slide, c.shape_index, c.aspect, c.what) for c in outside}
        self._by_slide: dict[int, list[Change]] = defaultdict(list)
        for change in left:
            if change.slide is not None:
                self._by_slide[change.slide - 1].append(change)

    def value(self, part: Part) -> float:
        """Return how much of a part is done, in [0, 1], by the method named like its kind."""
        measure: Callable[[Part], float] = getattr(self, part.kind)
        return measure(part)

    def changed(self, part: Part) -> float:
        """Return the share of correct properties, of the expected and the wrongly changed ones."""
        if not self._is_there(part):
            return 0.0
        place = part.slide_gold, part.shape_gold
        wanted = _by_property(self._way.get(place, ()), part)
        left = _by_property(self._left.get(place, ()), part)
        if not wanted:
            return self._forwards(part)
        done = sum(progress(left.get(what, ()), way) for what, way in wanted.items())
        others = [each for what, found in left.items() if what not in wanted for each in found[:1]]
        extra = sum(not self._is_charged(part, each) for each in others)
        return done / (len(wanted) + extra + self._is_oddly_set(part))

    def slide_added(self, part: Part) -> float:
        """Return how much of a new slide is present."""
        index = _still_there(self._back, part.slide_gold)
        return 0.0 if index is None else 1.0 - slide_loss(self._back, index, self._by_slide[index])

    def slide_removed(self, part: Part) -> float:
        """Return whether a slide of the original was removed."""
        return float(_still_there(self._match, part.slide) is None)

    def shape_added(self, part: Part) -> float:
        """Return how much of a new shape is present."""
        index, shape = _still_there(self._back, part.slide_gold), part.shape_gold
        if index is None or shape is None or shape not in self._back.shapes(index).to_current:
            return 0.0
        return retained_shapes(self._back, index, self._by_slide[index])[shape]

    def shape_removed(self, part: Part) -> float:
        """Return whether a shape of the original was removed while its slide was kept."""
        index = _still_there(self._match, part.slide)
        return float(index is not None and part.shape not in self._match.shapes(index).to_current)

    def grouped(self, part: Part) -> float:
        """Return whether a new group is present."""
        index = _still_there(self._back, part.slide_gold)
        return float(index is not None and part.shape_gold in self._back.shapes(index).to_current)

    def ungrouped(self, part: Part) -> float:
        """Return whether a group was removed while its members were kept."""
        if part.slide is None or part.shape is None or not self.shape_removed(part):
            return 0.0
        leaves = group_leaves(self._plan.original.slides[part.slide - 1].shapes)[part.shape]
        left = self._match.shapes(part.slide - 1).to_current
        return float(all(leaf in left for leaf in leaves))

    def order(self, part: Part) -> float:
        """Return the fraction of slide pairs put in order, of those that were out of order."""
        return self._in_order(lambda side: _slide_order(side, self._plan))

    def stacking(self, part: Part) -> float:
        """Return the fraction of shape pairs on a slide whose stacking was put in order."""
        index = _still_there(self._back, part.slide_gold)
        return 0.0 if index is None else self._in_order(lambda side: _shape_order(side, index))

    def _in_order(self, order: Callable[[DeckMatch], list[int]]) -> float:
        way = _inversions(order(self._plan.back))
        return max(0.0, 1.0 - _inversions(order(self._back)) / way) if way else 1.0

    def _is_there(self, part: Part) -> bool:
        if part.slide_gold is None:
            return part.slide is None
        index, shape = _still_there(self._back, part.slide_gold), part.shape_gold
        if index is None or shape is None:
            return index is not None
        return shape in self._back.shapes(index).to_current

    def _is_oddly_set(self, part: Part) -> bool:
        """Return whether new text is formatted differently from the gold."""
        if part.aspect not in _OF_WORDS or part.shape is None or part.shape_gold is None:
            return False
        place = part.slide_gold, part.shape_gold
        known = {c.what for c in self._way.get(place, ()) if c.aspect == "formatting"}
        return any(
            change.aspect == "formatting"
            and change.what not in known
            and not self._is_charged(part, change)
            for change in self._left.get(place, ())
        )

    def _is_charged(self, part: Part, change: Change) -> bool:
        """Return whether a difference from the gold is outside the scope and charged elsewhere."""
        return (part.slide, part.shape, change.aspect, change.what) in self._charged

    def _forwards(self, part: Part) -> float:
        """Return the fraction of a part's changes that were made exactly.

        Used for changes that a diff reports from the original to the gold but not in reverse.
        """
        since = diff_matched(self._match)
        made = {(c.slide, c.shape_index, c.kind, c.what, c.after) for c in since}
        asked = [(c.slide, c.shape_index, c.kind, c.what, c.after) for c in part.changes]
        return sum(each in made for each in asked) / len(asked)


def _still_there(match: DeckMatch, number: int | None) -> int | None:
    """Return the index of a slide by 1-based position, or None if it was removed."""
    index = (number or 0) - 1
    return index if index in match.to_current else None


def _by_place(changes: Iterable[Change]) -> dict[_Place, list[Change]]:
    found: dict[_Place, list[Change]] = defaultdict(list)
    for change in changes:
        if change.slide is not None or change.slide_now is None:
            found[change.slide, change.shape_index].append(change)
    return found


def _by_property(changes: Iterable[Change], part: Part) -> dict[str, list[Change]]:
    """Return the changes of a part's aspect, grouped by property."""
    found: dict[str, list[Change]] = defaultdict(list)
    for change in changes:
        if change.aspect == part.aspect and change.kind not in ("shape_removed", "slide_moved"):
            # Additions and removals swap when seen from the gold.
            named = f"{change.kind} {change.what}".removesuffix(" ")
            found["" if part.aspect in _COUNTED else named].append(change)
    return found


def _slide_order(match: DeckMatch, plan: GoldPlan) -> list[int]:
    """Return the current indexes of the original slides, in the order of the gold."""
    return [now for index, now in match.pairs if index in plan.match.to_original]


def _shape_order(match: DeckMatch, index: int) -> list[int]:
    there = index in match.to_current
    return [now for _, now in sorted(match.shapes(index).to_current.items())] if there else []


def _inversions(order: Sequence[int]) -> int:
    """Return the number of pairs in the wrong order."""
    seen: list[int] = []
    found = 0
    for each in order:
        found += len(seen) - bisect(seen, each)
        insort(seen, each)
    return found
