"""How much of what a gold deck asks for another deck has.

Everything is compared with the gold by the project's own diff, so that what saving alone changes
counts for nothing, and each property has its own tolerance. A part is worth the share of the way
from the original to the gold: nothing for the original, whole for the gold.
"""

from bisect import bisect, insort
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from pptarena.decks.diff.change import Change
from pptarena.decks.diff.compare import diff_matched
from pptarena.decks.diff.distance import progress
from pptarena.decks.match.decks import DeckMatch, group_leaves, match_decks
from pptarena.rewards.gold.parts import Group, Part
from pptarena.rewards.gold.plan import GoldPlan
from pptarena.rewards.scope.loss import retained_shapes, slide_loss
from pptarena.rewards.scored import ALMOST_ONE

__all__ = ["Standing"]

_Place = tuple[int | None, int | None]
# Which of several effects or comments is which cannot be told: they are counted.
_COUNTED = frozenset(("animation", "comments"))
_OF_WORDS = frozenset(("text", "tables"))


class Standing:
    """Where a deck stands between an original and a gold.

    Args:
        plan: What the gold asks for.
        match: The original and the deck now.
        outside: Changes of the original that are charged elsewhere, because no scope allows them.
    """

    def __init__(self, plan: GoldPlan, match: DeckMatch, outside: Sequence[Change] = ()) -> None:
        self._plan = plan
        self._match = match
        self._outside = outside

    def share(self, groups: Iterable[Group]) -> float:
        """Return how much of some groups is done, in [0, 1]: each weighs the same."""
        values = [self.of_group(group) for group in groups]
        return sum(values) / len(values) if values else 0.0

    def of_group(self, group: Group) -> float:
        """Return how much of a group is done, in [0, 1]: its places weigh the same."""
        return sum(map(self.of_part, group.parts)) / len(group.parts)

    def of_part(self, part: Part) -> float:
        """Return how much of a part is done, in [0, 1]."""
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
    """A deck seen from the gold, which `back` matches it with; `left` is all that differs."""

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
        """Return how much of a part is there, in [0, 1]: each kind has a method of its name."""
        measure: Callable[[Part], float] = getattr(self, part.kind)
        return measure(part)

    def changed(self, part: Part) -> float:
        """Return the share of the properties that are right, and of those that should be so."""
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
        """Return how much of a new slide is there."""
        index = _still_there(self._back, part.slide_gold)
        return 0.0 if index is None else 1.0 - slide_loss(self._back, index, self._by_slide[index])

    def slide_removed(self, part: Part) -> float:
        """Return whether a slide of the original is gone."""
        return float(_still_there(self._match, part.slide) is None)

    def shape_added(self, part: Part) -> float:
        """Return how much of a new shape is there."""
        index, shape = _still_there(self._back, part.slide_gold), part.shape_gold
        if index is None or shape is None or shape not in self._back.shapes(index).to_current:
            return 0.0
        return retained_shapes(self._back, index, self._by_slide[index])[shape]

    def shape_removed(self, part: Part) -> float:
        """Return whether a shape of the original is gone, and its slide is not."""
        index = _still_there(self._match, part.slide)
        return float(index is not None and part.shape not in self._match.shapes(index).to_current)

    def grouped(self, part: Part) -> float:
        """Return whether a new group is there."""
        index = _still_there(self._back, part.slide_gold)
        return float(index is not None and part.shape_gold in self._back.shapes(index).to_current)

    def ungrouped(self, part: Part) -> float:
        """Return whether a group is gone and what was in it is not."""
        if part.slide is None or part.shape is None or not self.shape_removed(part):
            return 0.0
        leaves = group_leaves(self._plan.original.slides[part.slide - 1].shapes)[part.shape]
        left = self._match.shapes(part.slide - 1).to_current
        return float(all(leaf in left for leaf in leaves))

    def order(self, part: Part) -> float:
        """Return the share of the pairs of slides that are in order now and were not."""
        return self._in_order(lambda side: _slide_order(side, self._plan))

    def stacking(self, part: Part) -> float:
        """Return the same for what lies over what on a slide."""
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
        """Return whether new words look otherwise than the gold's."""
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
        """Return whether a scope does not allow what differs from the gold beside a part."""
        return (part.slide, part.shape, change.aspect, change.what) in self._charged

    def _forwards(self, part: Part) -> float:
        """Return the share of a part's changes that were made just so.

        For what is a change from the original to the gold, but none back.
        """
        since = diff_matched(self._match)
        made = {(c.slide, c.shape_index, c.kind, c.what, c.after) for c in since}
        asked = [(c.slide, c.shape_index, c.kind, c.what, c.after) for c in part.changes]
        return sum(each in made for each in asked) / len(asked)


def _still_there(match: DeckMatch, number: int | None) -> int | None:
    """Return the index of a slide by its position from 1; None if it is gone now."""
    index = (number or 0) - 1
    return index if index in match.to_current else None


def _by_place(changes: Iterable[Change]) -> dict[_Place, list[Change]]:
    found: dict[_Place, list[Change]] = defaultdict(list)
    for change in changes:
        if change.slide is not None or change.slide_now is None:
            found[change.slide, change.shape_index].append(change)
    return found


def _by_property(changes: Iterable[Change], part: Part) -> dict[str, list[Change]]:
    """Return the changes of a part's aspect by the property that they are of."""
    found: dict[str, list[Change]] = defaultdict(list)
    for change in changes:
        if change.aspect == part.aspect and change.kind not in ("shape_removed", "slide_moved"):
            # What came and what went are each other's opposite, seen from the gold.
            named = f"{change.kind} {change.what}".removesuffix(" ")
            found["" if part.aspect in _COUNTED else named].append(change)
    return found


def _slide_order(match: DeckMatch, plan: GoldPlan) -> list[int]:
    """Return where slides are that the original has, in the order of the gold."""
    return [now for index, now in match.pairs if index in plan.match.to_original]


def _shape_order(match: DeckMatch, index: int) -> list[int]:
    there = index in match.to_current
    return [now for _, now in sorted(match.shapes(index).to_current.items())] if there else []


def _inversions(order: Sequence[int]) -> int:
    """Return how many pairs stand the wrong way round."""
    seen: list[int] = []
    found = 0
    for each in order:
        found += len(seen) - bisect(seen, each)
        insort(seen, each)
    return found
