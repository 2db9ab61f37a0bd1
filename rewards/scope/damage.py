"""Damage: the share of a deck lost to changes that the task did not request.

Six shares are computed, and the largest one is the damage:

- of the deck: the mean loss of its slides;
- of the slides that the task names: 0.72 of their mean loss. Losing the rest of an edited slide
  weighs more than losing one slide of many, because the user looks at that slide. For requested
  copies, everything they lack of their model counts;
- of the shapes that the task names: 0.3 of their mean loss by unrequested changes, and 0.7 of the
  share that is no longer visible: a shape in its right place is worthless if it cannot be seen.
  From one half on the invisible share weighs more, and three quarters count as all;
- the price of the changes by type and number; see `pptarena.rewards.scope.prices`;
- the share of all work that was unrequested; see `pptarena.rewards.scope.prices`.

A slide is measured if anything outside the scope changed on it, or if shapes that no part of the
scope covers went out of sight.

Up to `SPARED` only the check ``nothing_else_changed`` charges for damage. Above it the score is
scaled down linearly, to 0 at `RUINED`.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from pptarena.decks import Deck, Shape
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.consequences import every_change
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.visibility.fitness import SMALL_PLACEHOLDERS
from pptarena.rewards.checking.result import counted, listed
from pptarena.rewards.gold.plan import plan_of
from pptarena.rewards.looks.looked import Looked
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
from pptarena.rewards.scope.outside import copy_changes, part_shapes, shapes_in_scope
from pptarena.rewards.scope.prices import Touched, price_of_changes, share_of_work
from pptarena.rewards.scope.scope import Scope, ScopePart

__all__ = ["NO_DAMAGE", "RUINED", "SPARED", "Damage", "measure_damage"]

SPARED = 0.05
"""Share of the deck that may be lost before the score is scaled down."""

RUINED = 0.7
"""Share of the deck at which the score reaches 0."""

_OF_NAMED = 0.72
_OF_COPIES = 1.0
_OF_SHAPES = 0.3
_OF_UNSEEN = RUINED
_AS_GOOD_AS_ALL = 0.75
_HALF = 0.5
_RESTYLED = 0.2
_NAMED = 3
_WORTH_NAMING = 0.01


@dataclass(frozen=True, slots=True)
class Damage:
    """The loss in the rest of a deck.

    Attributes:
        share: Share that is lost, in [0, 1].
        reason: Explanation in plain text; empty without loss.
        of_ceiling: Share by which changed formatting of the task's own objects lowers the ceiling
            of the score; see `pptarena.rewards.scope.prices`.
    """

    share: float
    reason: str = ""
    of_ceiling: float = 0.0

    @property
    def retained(self) -> float:
        """Factor for the score, in [0, 1]."""
        return _retained(self.share)

    @property
    def ceiling(self) -> float:
        """Upper bound of the score, in [0, 1]."""
        return _retained(self.of_ceiling)


def _retained(share: float) -> float:
    return min(1.0, max(0.0, (RUINED - share) / (RUINED - SPARED)))


NO_DAMAGE = Damage(0.0)


def measure_damage(
    match: DeckMatch,
    scope: Scope,
    outside: Sequence[Change],
    looked: Looked | None = None,
    unasked: Sequence[Change] = (),
    touched: Touched = MappingProxyType({}),
    targets: Sequence[Deck] = (),
) -> Damage:
    """Return how much of the deck was lost to unrequested changes.

    Args:
        match: The matching of slides and shapes.
        scope: The part of the deck that may change.
        outside: All unrequested changes.
        looked: Result of the render check.
        unasked: The changes of `outside` that the scope allows but no target deck contains.
        touched: Changes made by the target decks, by slide and shape.
        targets: Target decks, from which the amount of requested work is measured.
    """
    count = len(match.original.slides)
    if not count:
        return NO_DAMAGE
    looked = looked or Looked()
    named_changes = tuple(outside)
    price = price_of_changes(match, named_changes, unasked, touched)
    # Side effects are lost too, although a reason names only their cause.
    outside = tuple(every_change(outside))
    by_slide = _by_slide(outside)
    hideable = _named_shapes(match, _hiding_parts(scope))
    losses = _slide_losses(match, by_slide, looked, hideable)
    losses |= _unseen_losses(match, scope, losses)
    unseen = _named_out_of_sight(match, scope, targets)
    if not outside and not losses and not unseen:
        return NO_DAMAGE
    named = [losses.get(index, 0.0) for index in _named_slides(scope, count)]
    of_deck = sum(losses.values()) / count
    of_deck += added_slide_loss(outside) / count
    # A changed master restyles its slides: one cause.
    of_deck += max(deck_loss(outside), _RESTYLED * _is_restyled(by_slide, count))
    copies = _mean(_copy_losses(match, scope))
    of_named = max(_OF_NAMED * _mean(named), _OF_COPIES * copies)
    of_shapes = _OF_SHAPES * _shape_loss(match, scope, by_slide)
    of_unseen = _OF_UNSEEN * _share_unseen(unseen)
    of_show = show_loss(match, outside)
    of_work = _of_work(share_of_work(match, named_changes, targets))
    shares = of_deck, of_named, of_shapes, of_unseen, of_show, price.share, of_work
    share = min(1.0, max(shares))
    reason = _reason(losses, named_changes, copies, unseen, share)
    why = f"{reason}; {price.reason}" if price.reason else reason
    return Damage(share, why, price.of_ceiling)


def _share_unseen(share: float) -> float:
    """Map an out-of-sight share to its weight: identity up to 0.5, 1 from 0.75 on."""
    if share <= _HALF:
        return share
    return min(1.0, _HALF + (share - _HALF) * _HALF / (_AS_GOOD_AS_ALL - _HALF))


def _of_work(asked: float) -> float:
    """Return the damage that leaves `asked`, the requested share of the work, as the score."""
    return RUINED - (RUINED - SPARED) * asked if asked < 1 else 0.0


def _mean(losses: Sequence[float]) -> float:
    return sum(losses) / len(losses) if losses else 0.0


def _is_restyled(by_slide: Mapping[int, Sequence[Change]], count: int) -> bool:
    """Return whether most slides have changed text formatting, which amounts to a new design."""
    looks = [any(c.aspect == "formatting" for c in changes) for changes in by_slide.values()]
    return count > 2 and sum(looks) > count / 2


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
    found: dict[int, list[Change]] = defaultdict(list)
    for change in changes:
        if change.slide is not None:
            found[change.slide - 1].append(change)
    return found


def _unseen_losses(match: DeckMatch, scope: Scope, looked_at: Collection[int]) -> dict[int, float]:
    """Return the loss of other slides by shapes that went out of sight and are not in the scope."""
    original, current = match.original.slides, match.current.slides
    others = [
        index
        for index, now in match.pairs
        if index not in looked_at and original[index].shapes is not current[now].shapes
    ]
    free = shapes_in_scope(match, scope) if others else {}
    found = {i: out_of_sight_loss(match, i, free.get(i, set())) for i in others}
    return {index: lost for index, lost in found.items() if lost > 0}


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
    return {place for place in emptied if any(_has_no_text(plan, *place) for plan in plans)}


def _is_empty(shape: Shape) -> bool:
    return not has_content(shape) and not shape.hidden


def _has_no_text(match: DeckMatch, index: int, shape: int) -> bool:
    """Return whether the current deck of a match lacks a shape of a slide, or its text."""
    slide = match.to_current.get(index)
    now = None if slide is None else match.shapes(index).to_current.get(shape)
    return slide is None or now is None or _is_empty(match.current.slides[slide].shapes[now])


def _named_out_of_sight(match: DeckMatch, scope: Scope, targets: Sequence[Deck]) -> float:
    """Return the mean out-of-sight share of the shapes that a scope names.

    Shapes that may be hidden do not count, nor shapes emptied as requested. Shapes without content,
    such as connectors that follow a box, count only if there are no others.
    """
    parts = scope.all_parts
    named = _named_shapes(match, parts) - _named_shapes(match, _hiding_parts(scope))
    slides = match.original.slides
    telling = {(at, shape) for at, shape in named if has_content(slides[at].shapes[shape])}
    lost = {place: shape_out_of_sight(match, *place) for place in sorted(telling or named)}
    if any(lost.values()):
        lost |= dict.fromkeys(lost.keys() & _emptied_as_requested(match, scope, targets), 0.0)
    return _mean(list(lost.values()))


def _shape_loss(match: DeckMatch, scope: Scope, by_slide: Mapping[int, Sequence[Change]]) -> float:
    """Return the mean loss of the shapes that a scope names."""
    named = _named_shapes(match, scope.all_parts)
    lost = 0.0
    for index in {index for index, _ in named} & by_slide.keys():
        retained = retained_shapes(match, index, by_slide[index])
        lost += sum(1 - retained[shape] for at, shape in named if at == index)
    return lost / len(named) if named else 0.0


def _slide_losses(
    match: DeckMatch,
    by_slide: Mapping[int, Sequence[Change]],
    looked: Looked,
    hideable: Collection[tuple[int, int]],
) -> dict[int, float]:
    """Return the loss of each original slide that lost content or renders differently."""
    indexes = {*by_slide, *looked.changed, *(index for index, _ in looked.lost)}
    losses = {
        i: slide_loss(match, i, by_slide.get(i, ()), looked, {s for at, s in hideable if at == i})
        for i in indexes
    }
    return {i: max(lost, looked.changed.get(i, 0.0)) for i, lost in losses.items()}


def _named_slides(scope: Scope, count: int) -> list[int]:
    """Return the slides (0-based) that a scope names individually."""
    numbers = {n for part in scope.all_parts if part.slides != "all" for n in part.slides}
    return sorted(number - 1 for number in numbers if number <= count)


def _reason(
    losses: Mapping[int, float],
    outside: Sequence[Change],
    copies: float,
    unseen: float,
    share: float,
) -> str:
    worst = sorted(losses, key=lambda index: (-losses[index], index))
    named = [f"{losses[i]:.0%} of slide {i + 1}" for i in worst if losses[i] >= _WORTH_NAMING]
    rest = [f"parts of {counted(len(named) - _NAMED, 'more slide')}"] if len(named) > _NAMED else []
    parts = named[:_NAMED] + rest
    parts += [f"{copies:.0%} of the copied slide"] if copies >= _WORTH_NAMING else []
    parts += [f"{unseen:.0%} of the task's target is not visible"] if unseen else []
    added = sum(change.kind == "slide_added" for change in outside)
    parts += [f"{counted(added, 'slide')} {'was' if added == 1 else 'were'} added"] if added else []
    of_deck = [change.text for change in outside if change.slide is change.slide_now is None]
    reason = f"{share:.0%} of the rest of the deck is damaged: {', '.join([*parts, *of_deck[:1]])}"
    causes = [change for change in outside if change.slide is not None]
    causes.sort(key=lambda change: -losses.get((change.slide or 0) - 1, 0.0))
    texts = list(dict.fromkeys(change.text for change in causes))
    return f"{reason}; changes outside the task: {listed(texts)}" if texts else reason
