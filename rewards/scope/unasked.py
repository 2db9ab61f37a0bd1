"""Which changes that a scope allows no target of the task explains.

The deck now is compared with a target, and so is the original. What differs in the first comparison
and not in the second is a value that the target leaves as it was and that was changed: damage. A
value that both comparisons name was to be changed; whether it was changed as asked is for the
rubric's leaves to say.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pptarena.decks import Animation, Deck, Table
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.compare import diff_matched
from pptarena.decks.diff.consequences import every_change, with_consequences
from pptarena.decks.diff.same_shape import ShapePair
from pptarena.decks.equivalence.table import equal_for_viewers
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.match.slides import match_slides
from pptarena.rewards.gold.plan import GoldPlan, plan_of
from pptarena.rewards.scope.merging import left_unexplained
from pptarena.rewards.scope.outside import costs_nothing, is_free
from pptarena.rewards.scope.rivals import rival_answers
from pptarena.rewards.scope.scope import Scope

__all__ = ["unasked_changes"]

_Key = tuple[int | None, int | None]

# Names say nothing to a viewer; what order hides, visibility tells.
_UNSEEN = frozenset(("name",))
_ORDERS = frozenset(("z_order_changed", "slide_moved", "grouping_changed", "animation_moved"))
_NEW = frozenset(("slide_added", "shape_added", "layout_added", "comment_added"))


def unasked_changes(
    match: DeckMatch, scope: Scope, targets: Sequence[Deck], outside: Sequence[Change]
) -> tuple[Change, ...]:
    """Return the changes within a scope that no target has: damage beside the work.

    Args:
        match: The original and the deck now.
        scope: The part of the deck that may change.
        targets: Decks with the goal reached; without any, nothing is returned. Of several, the one
            counts that leaves the fewest changes unexplained.
        outside: The changes that the scope does not allow; they are not returned again.

    Returns:
        Changes from the target to the deck now, with the positions that slides and shapes have in
        the original. Of new shapes nothing is said here, of new slides only that something leaves.
    """
    if not targets or match.original is match.current:
        return ()
    known = {_place(change) for change in every_change(outside)}
    found = (_unasked(match, scope, plan_of(match.original, target)) for target in targets)
    left = [tuple(each for each in changes if _place(each) not in known) for changes in found]
    return min(left, key=len)


def _place(change: Change) -> tuple[object, ...]:
    return change.slide, change.shape_index, change.aspect, change.what


def _unasked(match: DeckMatch, scope: Scope, plan: GoldPlan) -> Iterator[Change]:
    pair = _from_target(match, plan)
    asked: dict[_Key, list[Change]] = defaultdict(list)
    for change in plan.way:
        asked[_key(change)].append(change)
    for change in with_consequences(pair, diff_matched(pair)):
        if change.kind in _NEW or change.kind in _ORDERS or change.what in _UNSEEN:
            continue
        if costs_nothing(change, pair) or _is_same_for_viewers(change, pair):
            continue
        work = asked[_key(change)]
        if change.shape_index is not None:
            work = [*work, *(each for each in asked[change.slide, None] if each.aspect == "layout")]
        if _is_of_reordered_table(change, pair):
            continue
        for rest in left_unexplained(change, work):
            placed = _in_original(rest, plan)
            if placed is not None and not is_free(placed, scope, match):
                yield placed
    yield from (each for each in rival_answers(pair, plan) if not is_free(each, scope, match))


def _from_target(match: DeckMatch, plan: GoldPlan) -> DeckMatch:
    """Return which slide of the target is which now: by way of the original, then by likeness."""
    pairs = [
        (target, match.to_current[index])
        for index, target in plan.match.pairs
        if index in match.to_current
    ]
    new, added = plan.match.added, match.added
    if new and added:
        slides, slides_now = plan.gold.slides, match.current.slides
        found = match_slides([slides[i] for i in new], [slides_now[j] for j in added])
        pairs += [(new[i], added[j]) for i, j in found]
    return DeckMatch(plan.gold, match.current, pairs, match.saving)


def _is_of_reordered_table(change: Change, pair: DeckMatch) -> bool:
    """Return whether a table has the rows of the target in another order: a leaf's to judge."""
    if change.aspect not in ("tables", "formatting", "style"):
        return False
    shapes = ShapePair.of(pair, change)
    if shapes is None or shapes.old.table is None or shapes.new.table is None:
        return False
    wanted, found = (_rows(table) for table in (shapes.old.table, shapes.new.table))
    return wanted != found and sorted(wanted) == sorted(found)


def _rows(table: Table) -> list[tuple[str, ...]]:
    return [tuple(cell.text.strip() for cell in row) for row in table.rows]


def _is_same_for_viewers(change: Change, pair: DeckMatch) -> bool:
    values = change.value_before, change.value_after
    if change.aspect in ("pictures", "formatting"):
        shapes = ShapePair.of(pair, change)
        if shapes is None:
            return False
        if change.aspect == "pictures":
            values = shapes.old.picture, shapes.new.picture
        elif change.what == "autofit":
            values = shapes.old, shapes.new
        else:
            return False
    return equal_for_viewers(change.aspect, change.what, *values)


def _key(change: Change) -> _Key:
    return change.slide, change.shape_index


def _in_original(change: Change, plan: GoldPlan) -> Change | None:
    """Return a change with the places of its slide and shape in the original; None if new."""
    if change.slide is None:
        return change if change.slide_now is None else None
    index = plan.match.to_original.get(change.slide - 1)
    if index is None:
        # A new slide may look in many ways, but what is on it may not leave by itself.
        effect = change.value_after
        leaves = isinstance(effect, Animation) and effect.kind == "exit"
        return replace(change, slide=None, shape_index=None) if leaves else None
    if change.shape_index is None:
        return replace(change, slide=index + 1)
    shape = plan.match.shapes(index).to_original.get(change.shape_index)
    return None if shape is None else replace(change, slide=index + 1, shape_index=shape)
