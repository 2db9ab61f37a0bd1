"""Damage: the share of a deck lost to changes that the task did not request.

Six shares are computed, and the largest one is the damage:

- of the deck: the mean loss of its slides;
- of the slides that the task names: 0.72 of their mean loss. Losing the rest of an edited slide
  weighs more than losing one slide of many, because the user looks at that slide. For requested
  copies, everything missing from their model counts;
- of the shapes that the task names: 0.3 of their mean loss by unrequested changes, and 0.7 of the
  share that is no longer visible: a correctly placed shape is worthless if it is invisible.
  Above one half the invisible share weighs more, and from three quarters on it counts as all;
- the price of the changes by type and number; see `pptarena.rewards.scope.prices`;
- the share of all work that was unrequested; see `pptarena.rewards.scope.prices`.

A slide is measured if anything outside the scope changed on it, or if shapes outside the scope
went out of sight.

Up to `FREE_DAMAGE`, only the check ``nothing_else_changed`` charges for damage. Above it, the score
decreases linearly, to 0 at `MAX_DAMAGE`.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from pptarena.decks import Deck, Shape
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.consequences import flatten_changes
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.visibility.faults import SMALL_PLACEHOLDERS
from pptarena.rewards.checking.result import join_first, pluralize
from pptarena.rewards.gold.plan import plan_of
from pptarena.rewards.render_check.result import RenderCheckResult
from pptarena.rewards.scope.loss import (
    added_slide_loss,
    deck_loss,
    has_content,
    out_of_sight_loss,
    retained_shapes,
    shape_out_of_sight,
    show_loss,
    slide_loss,
)
from pptarena.rewards.scope.out_of_scope import copy_changes, part_shapes, shapes_in_scope
from pptarena.rewards.scope.prices import TargetChanges, price_of_changes, share_of_work
from pptarena.rewards.scope.scope import Scope, ScopePart

__all__ = ["FREE_DAMAGE", "MAX_DAMAGE", "NO_DAMAGE", "Damage", "measure_damage"]

FREE_DAMAGE = 0.05
"""Share of the deck that may be lost before the score is scaled down."""

MAX_DAMAGE = 0.7
"""Share of the deck at which the score reaches 0."""

_NAMED_SLIDES_WEIGHT = 0.72
_COPIES_WEIGHT = 1.0
_SHAPES_WEIGHT = 0.3
_OUT_OF_SIGHT_WEIGHT = MAX_DAMAGE
_TREATED_AS_ALL = 0.75
_HALF = 0.5
_RESTYLED_LOSS = 0.2
_MAX_LISTED_SLIDES = 3
_MIN_LISTED_SHARE = 0.01


@dataclass(frozen=True, slots=True)
class Damage:
    """The loss in the rest of a deck.

    Attributes:
        share: Share that is lost, in [0, 1].
        reason: Explanation in plain text; empty without loss.
        ceiling_cut: Share by which changed formatting of the task's own objects lowers the ceiling
            of the score; see `pptarena.rewards.scope.prices`.
    """

    share: float
    reason: str = ""
    ceiling_cut: float = 0.0

    @property
    def retained(self) -> float:
        """Factor for the score, in [0, 1]."""
        return _score_factor(self.share)

    @property
    def ceiling(self) -> float:
        """Upper bound of the score, in [0, 1]."""
        return _score_factor(self.ceiling_cut)


def _score_factor(share: float) -> float:
    return min(1.0, max(0.0, (MAX_DAMAGE - share) / (MAX_DAMAGE - FREE_DAMAGE)))


NO_DAMAGE = Damage(0.0)


def measure_damage(
    match: DeckMatch,
    scope: Scope,
    outside: Sequence[Change],
    render_result: RenderCheckResult | None = None,
    unasked: Sequence[Change] = (),
    touched: TargetChanges = MappingProxyType({}),
    targets: Sequence[Deck] = (),
) -> Damage:
    """Return how much of the deck was lost to unrequested changes.

    Args:
        match: The matching of slides and shapes.
        scope: The part of the deck that may change.
        outside: All unrequested changes.
        render_result: Result of the render check.
        unasked: The changes of `outside` that the scope allows but no target deck contains.
        touched: Changes made by the target decks, by slide and shape.
        targets: Target decks, from which the amount of requested work is measured.
    """
    count = len(match.original.slides)
    if not count:
        return NO_DAMAGE
    render_result = render_result or RenderCheckResult()
    named_changes = tuple(outside)
    price = price_of_changes(match, named_changes, unasked, touched)
    # Side effects are lost too, although a reason names only their cause.
    outside = tuple(flatten_changes(outside))
    by_slide = _by_slide(outside)
    hideable = _named_shapes(match, _hiding_parts(scope))
    losses = _slide_losses(match, by_slide, render_result, hideable)
    losses |= _out_of_sight_losses(match, scope, losses)
    out_of_sight = _target_out_of_sight(match, scope, targets)
    if not outside and not losses and not out_of_sight:
        return NO_DAMAGE
    named = [losses.get(index, 0.0) for index in _named_slides(scope, count)]
    deck_share = sum(losses.values()) / count
    deck_share += added_slide_loss(outside) / count
    # A changed master restyles its slides: one cause.
    deck_share += max(deck_loss(outside), _RESTYLED_LOSS * _is_restyled(by_slide, count))
    copies = _mean(_copy_losses(match, scope))
    slides_share = max(_NAMED_SLIDES_WEIGHT * _mean(named), _COPIES_WEIGHT * copies)
    shapes_share = _SHAPES_WEIGHT * _shape_loss(match, scope, by_slide)
    out_of_sight_share = _OUT_OF_SIGHT_WEIGHT * _weigh_out_of_sight(out_of_sight)
    show_share = show_loss(match, outside)
    work_share = _work_damage(share_of_work(match, named_changes, targets))
    candidates = (
        deck_share,
        slides_share,
        shapes_share,
        out_of_sight_share,
        show_share,
        price.share,
        work_share,
    )
    share = min(1.0, max(candidates))
    reason = _reason(losses, named_changes, copies, out_of_sight, share)
    full_reason = f"{reason}; {price.reason}" if price.reason else reason
    return Damage(share, full_reason, price.ceiling_cut)


def _weigh_out_of_sight(share: float) -> float:
    """Map an out-of-sight share to its weight: identity up to 0.5, 1 from 0.75 on."""
    if share <= _HALF:
        return share
    return min(1.0, _HALF + (share - _HALF) * _HALF / (_TREATED_AS_ALL - _HALF))


def _work_damage(requested_share: float) -> float:
    """Return the damage that lowers the score to the requested share of the work."""
    return MAX_DAMAGE - (MAX_DAMAGE - FREE_DAMAGE) * requested_share if requested_share < 1 else 0.0


def _mean(losses: Sequence[float]) -> float:
    return sum(losses) / len(losses) if losses else 0.0


def _is_restyled(by_slide: Mapping[int, Sequence[Change]], count: int) -> bool:
    """Return whether most slides have changed text formatting, which amounts to a new design."""
    has_restyled_text = [
        any(c.aspect == "formatting" for c in changes) for changes in by_slide.values()
    ]
    return count > 2 and sum(has_restyled_text) > count / 2


def _copy_losses(match: DeckMatch, scope: Scope) -> list[float]:
    """Return the loss of each requested copy relative to its model."""
    if scope.copy_of is None:
        return []
    source = scope.copy_of - 1
    shapes = match.original.slides[source].shapes
    # A slide built by hand shows its number only if requested. The missing number is reported as a
    # change, but is no loss of content.
    numbers = {shape.index for shape in shapes if shape.placeholder in SMALL_PLACEHOLDERS}
    return [
        slide_loss(
            pair,
            source,
            [c for c in changes if c.kind != "shape_removed" or c.shape_index not in numbers],
        )
        for pair, changes in copy_changes(match, scope)
    ]


def _by_slide(changes: Iterable[Change]) -> dict[int, list[Change]]:
    changes_of_slide: dict[int, list[Change]] = defaultdict(list)
    for change in changes:
        if change.slide is not None:
            changes_of_slide[change.slide - 1].append(change)
    return changes_of_slide


def _out_of_sight_losses(
    match: DeckMatch, scope: Scope, measured: Collection[int]
) -> dict[int, float]:
    """Return the loss of other slides by shapes that went out of sight and are not in the scope."""
    original, current = match.original.slides, match.current.slides
    others = [
        index
        for index, now in match.pairs
        if index not in measured and original[index].shapes is not current[now].shapes
    ]
    free = shapes_in_scope(match, scope) if others else {}
    losses = {i: out_of_sight_loss(match, i, free.get(i, set())) for i in others}
    return {index: loss for index, loss in losses.items() if loss > 0}


def _named_shapes(match: DeckMatch, parts: Iterable[ScopePart]) -> set[tuple[int, int]]:
    """Return the shapes that scope parts name, as (slide, shape) indexes of the original."""
    return {
        (index, shape)
        for part in parts
        if part.shapes and part.slides != "all"
        for index, shapes in part_shapes(match, part).items()
        for shape in shapes
    }


def _hiding_parts(scope: Scope) -> list[ScopePart]:
    """Return the parts whose shapes may be hidden."""
    return [part for part in scope.all_parts if "visibility" in (part.aspects or ())]


def _emptied_as_requested(
    match: DeckMatch, scope: Scope, targets: Sequence[Deck]
) -> set[tuple[int, int]]:
    """Return the named shapes without text now whose text the task removes.

    The scope allows a new text, and a target, if there is one, has no text in the shape. An emptied
    shape then equals a deleted one.
    """
    parts = (part for part in scope.all_parts if part.has_aspect("text"))
    emptied = {
        (at, shape)
        for at, shape in _named_shapes(match, parts)
        if (now := match.shapes(at).to_current.get(shape)) is not None
        and _is_empty(match.current.slides[match.to_current[at]].shapes[now])
    }
    if not emptied or not targets:
        return emptied
    plans = [plan_of(match.original, target).match for target in targets]
    return {
        shape_key for shape_key in emptied if any(_has_no_text(plan, *shape_key) for plan in plans)
    }


def _is_empty(shape: Shape) -> bool:
    return not has_content(shape) and not shape.hidden


def _has_no_text(match: DeckMatch, index: int, shape: int) -> bool:
    """Return whether the current deck of a match lacks a shape of a slide, or its text."""
    slide = match.to_current.get(index)
    now = None if slide is None else match.shapes(index).to_current.get(shape)
    return slide is None or now is None or _is_empty(match.current.slides[slide].shapes[now])


def _target_out_of_sight(match: DeckMatch, scope: Scope, targets: Sequence[Deck]) -> float:
    """Return the mean out-of-sight share of the shapes that a scope names.

    Shapes that may be hidden do not count, nor shapes emptied as requested. Shapes without content,
    such as connectors that follow a box, count only if there are no others.
    """
    parts = scope.all_parts
    named = _named_shapes(match, parts) - _named_shapes(match, _hiding_parts(scope))
    slides = match.original.slides
    with_content = {(at, shape) for at, shape in named if has_content(slides[at].shapes[shape])}
    hidden_shares = {
        shape_key: shape_out_of_sight(match, *shape_key)
        for shape_key in sorted(with_content or named)
    }
    if any(hidden_shares.values()):
        hidden_shares |= dict.fromkeys(
            hidden_shares.keys() & _emptied_as_requested(match, scope, targets), 0.0
        )
    return _mean(list(hidden_shares.values()))


def _shape_loss(match: DeckMatch, scope: Scope, by_slide: Mapping[int, Sequence[Change]]) -> float:
    """Return the mean loss of the shapes that a scope names."""
    named = _named_shapes(match, scope.all_parts)
    loss = 0.0
    for index in {index for index, _ in named} & by_slide.keys():
        retained = retained_shapes(match, index, by_slide[index])
        loss += sum(1 - retained[shape] for at, shape in named if at == index)
    return loss / len(named) if named else 0.0


def _slide_losses(
    match: DeckMatch,
    by_slide: Mapping[int, Sequence[Change]],
    render_result: RenderCheckResult,
    hideable: Collection[tuple[int, int]],
) -> dict[int, float]:
    """Return the loss of each original slide that lost content or renders differently."""
    indexes = {
        *by_slide,
        *render_result.changed_shares,
        *(index for index, _ in render_result.lost_shares),
    }
    losses = {
        i: slide_loss(
            match, i, by_slide.get(i, ()), render_result, {s for at, s in hideable if at == i}
        )
        for i in indexes
    }
    return {i: max(loss, render_result.changed_shares.get(i, 0.0)) for i, loss in losses.items()}


def _named_slides(scope: Scope, count: int) -> list[int]:
    """Return the slides (0-based) that a scope names individually."""
    numbers = {n for part in scope.all_parts if part.slides != "all" for n in part.slides}
    return sorted(number - 1 for number in numbers if number <= count)


def _reason(
    losses: Mapping[int, float],
    outside: Sequence[Change],
    copies: float,
    out_of_sight: float,
    share: float,
) -> str:
    worst = sorted(losses, key=lambda index: (-losses[index], index))
    named = [f"{losses[i]:.0%} of slide {i + 1}" for i in worst if losses[i] >= _MIN_LISTED_SHARE]
    more = (
        [f"parts of {pluralize(len(named) - _MAX_LISTED_SLIDES, 'more slide')}"]
        if len(named) > _MAX_LISTED_SLIDES
        else []
    )
    parts = named[:_MAX_LISTED_SLIDES] + more
    parts += [f"{copies:.0%} of the copied slide"] if copies >= _MIN_LISTED_SHARE else []
    parts += [f"{out_of_sight:.0%} of the task's target is not visible"] if out_of_sight else []
    added = sum(change.kind == "slide_added" for change in outside)
    parts += (
        [f"{pluralize(added, 'slide')} {'was' if added == 1 else 'were'} added"] if added else []
    )
    of_deck = [change.text for change in outside if change.slide is change.slide_now is None]
    reason = f"{share:.0%} of the rest of the deck is damaged: {', '.join([*parts, *of_deck[:1]])}"
    causes = [change for change in outside if change.slide is not None]
    causes.sort(key=lambda change: -losses.get((change.slide or 0) - 1, 0.0))
    texts = list(dict.fromkeys(change.text for change in causes))
    return f"{reason}; changes outside the task: {join_first(texts)}" if texts else reason
