"""Several turns of one task: scopes carried over, and changes attributed to other turns."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

from pptarena.decks import Deck, Shape, Slide
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.compare import diff_matched, diff_slide
from pptarena.decks.match.decks import DeckMatch, match_decks, match_slides
from pptarena.decks.selectors import KINDS, find_shape, is_kind
from pptarena.rewards.scope.content import RIVAL_ANSWER, falsifies_content
from pptarena.rewards.scope.scope import Scope, ScopePart

__all__ = ["carried_over", "without_other_turns"]


def carried_over(scope: Scope, reference: Deck, deck: Deck) -> Scope:
    """Return a scope with the slide and shape positions of another deck.

    Slides that the other deck lacks are dropped. A slide number is kept if neither deck's slide at
    that position exists in the other one: both may have added that slide with different content.

    Args:
        scope: Names slides and shapes of `reference`; already resolved by `Scope.resolve`.
        reference: The deck that the scope was written for.
        deck: Another deck with the same origin.
    """
    match = match_decks(reference, deck)
    base = Scope(parts=scope.all_parts[: len(scope.all_parts) - len(scope.free)])
    copy_of = scope.copy_of
    if copy_of is not None:
        at = match.to_current.get(copy_of - 1)
        copy_of = copy_of if at is None else at + 1
    return replace(
        scope,
        slides=(),
        aspects=None,
        shapes=None,
        parts=tuple(parts_carried_over(base.parts, match)),
        free=tuple(parts_carried_over(scope.free, match)),
        copy_of=copy_of,
    )


def parts_carried_over(parts: Iterable[ScopePart], match: DeckMatch) -> Iterator[ScopePart]:
    """Yield parts of a scope with the slide and shape positions of another deck.

    Args:
        parts: They name slides and shapes of the original of `match`.
        match: The deck that the parts were written for, and the other deck.
    """
    for part in parts:
        if part.slides == "all":
            yield part
            continue
        slides = {
            number: number_now
            for number in part.slides
            if (number_now := _carried_slide(number, match))
        }
        if part.like is not None:
            part = replace(part, like=_carried_slide(part.like, match) or part.like)
        if part.shapes is None:
            yield replace(part, slides=tuple(slides.values()))
            continue
        for number, now in slides.items():
            shapes = tuple(_carried_selector(spec, number, now, match) for spec in part.shapes)
            yield replace(part, slides=(now,), shapes=shapes)


def _carried_slide(number: int, match: DeckMatch) -> int | None:
    index = number - 1
    if index in match.to_current:
        return match.to_current[index] + 1
    is_other = index in match.removed and index in match.added
    return number if is_other else None


def _carried_selector(spec: str, number: int, now: int, match: DeckMatch) -> str:
    """Return a selector of the same shape on a slide of the other deck."""
    if match.to_current.get(number - 1) != now - 1:
        return spec
    shape = find_shape(match.original.slides[number - 1], spec)
    index = None if shape is None else match.shapes(number - 1).to_current.get(shape.index)
    if index is None:
        return spec
    slide = match.current.slides[now - 1]
    shape_now = find_shape(slide, spec)
    if shape_now is not None and shape_now.index == index:
        return spec
    return _positional_selector(slide, slide.shapes[index]) or spec


def _positional_selector(slide: Slide, shape: Shape) -> str | None:
    """Return a selector of a shape by its position among shapes of its type."""
    for kind in KINDS:
        if is_kind(shape, kind):
            same = [each.index for each in slide.shapes if is_kind(each, kind)]
            return f"@{kind}:{same.index(shape.index) + 1}"
    return None


_ResultKey = tuple[object, ...]
_TEXT_ASPECTS = frozenset(("text", "tables"))
_DECK_ASPECTS = frozenset(("order", "sections"))


def without_other_turns(
    changes: Sequence[Change], match: DeckMatch, targets: Iterable[Deck]
) -> tuple[Change, ...]:
    """Return the changes whose result differs from every target.

    Args:
        changes: Changes of `match`, or from a target of this turn to the current deck with
            positions of the original.
        match: The deck at the start of the turn and the current deck.
        targets: Target decks of the task's turns, saved by the same application.
    """
    remaining = tuple(changes)
    for target in targets:
        if not remaining:
            break
        compared = _TargetComparison(match, target)
        remaining = tuple(change for change in remaining if not compared.contains(change))
    return remaining


@lru_cache(maxsize=64)
def _cached_match(first: Deck, second: Deck) -> DeckMatch:
    return match_decks(first, second)


class _TargetComparison:
    """A target compared with the deck at the start of a turn and the current deck.

    Only slides with changes are diffed, because most slides of a deck are unchanged.
    """

    def __init__(self, match: DeckMatch, target: Deck) -> None:
        self._from_start = _cached_match(match.original, target)
        self._now = _match_through_start(match, self._from_start)
        self._slide_changes: dict[int, list[Change]] = {}

    def _changes(self, slide: int) -> list[Change]:
        """Return the differences between a target slide (0-based) and its current version."""
        if slide not in self._slide_changes:
            self._slide_changes[slide] = diff_slide(self._now, slide)
        return self._slide_changes[slide]

    @cached_property
    def _deck_keys(self) -> set[_ResultKey]:
        return {_result_key(change) for change in diff_matched(self._now)}

    def _differs_in_target(self, change: Change) -> bool:
        if change.slide_now is None or change.aspect in _DECK_ASPECTS:
            return _result_key(change) in self._deck_keys
        slide = self._now.to_original.get(change.slide_now - 1)
        return slide is None or _result_key(change) in {
            _result_key(each) for each in self._changes(slide)
        }

    def contains(self, change: Change) -> bool:
        """Return whether the target contains the result of a change."""
        if change.kind in ("slide_added", "shape_added"):
            return self._has_new(change)
        if change.kind in ("slide_removed", "shape_removed"):
            return self._lacks_removed(change)
        if change.kind == RIVAL_ANSWER or (change.slide is None and change.slide_now is not None):
            return False
        if change.slide is not None and not self._has_same_location(change):
            return False
        if change.aspect == "formatting" and self._has_other_text(change):
            return False  # formatting of different text is not comparable
        return not self._differs_in_target(change)

    def _has_new(self, change: Change) -> bool:
        slide = self._now.to_original.get((change.slide_now or 0) - 1)
        if slide is None:
            return False
        index = change.shape_index_now
        if change.kind == "shape_added":
            shapes = self._now.shapes(slide)
            if index is None or index not in shapes.to_original:
                return False
        return not any(
            falsifies_content(each, self._now)
            for each in self._changes(slide)
            if change.kind == "slide_added" or each.shape_index_now == index
        )

    def _lacks_removed(self, change: Change) -> bool:
        slide = self._from_start.to_current.get((change.slide or 0) - 1)
        if change.kind == "slide_removed":
            return slide is None
        if slide is None or change.shape_index is None:
            return False
        return change.shape_index not in self._from_start.shapes((change.slide or 0) - 1).to_current

    def _has_same_location(self, change: Change) -> bool:
        """Return whether the target has the slide and shape of a change."""
        if change.slide is None or change.slide_now is None:
            return False
        slide = self._from_start.to_current.get(change.slide - 1)
        if slide is None or slide != self._now.to_original.get(change.slide_now - 1):
            return False
        if change.shape_index is None or change.shape_index_now is None:
            return change.shape_index is change.shape_index_now
        before = self._from_start.shapes(change.slide - 1).to_current.get(change.shape_index)
        now = self._now.shapes(slide).to_original.get(change.shape_index_now)
        return before is not None and before == now

    def _has_other_text(self, change: Change) -> bool:
        slide = self._now.to_original.get((change.slide_now or 0) - 1)
        return slide is None or any(
            each.aspect in _TEXT_ASPECTS and each.shape_index_now == change.shape_index_now
            for each in self._changes(slide)
        )


def _match_through_start(match: DeckMatch, from_start: DeckMatch) -> DeckMatch:
    """Match a target with the current deck: through the start, and new slides by similarity."""
    pairs = [(from_start.to_current[i], j) for i, j in match.pairs if i in from_start.to_current]
    target, current = from_start.current, match.current
    matched = dict(pairs), {now for _, now in pairs}
    new = [i for i in range(len(target.slides)) if i not in matched[0]]
    added = [j for j in match.added if j not in matched[1]]
    if new and added:
        slides = [target.slides[i] for i in new], [current.slides[j] for j in added]
        pairs += [(new[i], added[j]) for i, j in match_slides(*slides)]
    return DeckMatch(target, current, pairs, match.saving)


def _result_key(change: Change) -> _ResultKey:
    """Return a key for the current place and subject of a change."""
    return change.slide_now, change.shape_index_now, change.aspect, change.what, change.kind
