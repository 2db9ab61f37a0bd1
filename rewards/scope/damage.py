"""How much of the rest of a deck is lost: what a task did not ask to touch and that changed.

Six shares count, and the largest one is the damage:

- of the deck: the mean loss of its slides;
- of the slides that the task names: 0.72 of their mean loss. Who asks for a new title looks at that
  slide; losing the rest of it weighs more than losing one slide of many. Of copies that the task
  asks for, all that they lack of their model;
- of the shapes that the task names: 0.3 of their mean loss by what was not asked for, and 0.7 of
  what of them went out of sight: nobody has the good of a shape in its right place, or of words in
  the right type, that cannot be seen. From a half on it weighs more, and three out of four count as
  all;
- the price of the changes by what they are and how many; see `pptarena.rewards.scope.prices`;
- how much of all that was done nobody asked for; see `pptarena.rewards.scope.overreach`.

A slide is looked at if anything outside the scope changed on it, or if shapes that no part of the
scope is about went out of sight.

Up to `SPARED` the check ``nothing_else_changed`` is all that damage costs. From there on it takes a
part of the whole score, in proportion, and at `RUINED` nothing is left.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from pptarena.decks import Deck
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.consequences import every_change
from pptarena.decks.match.decks import DeckMatch
from pptarena.rewards.checking.result import counted, listed
from pptarena.rewards.looks.looked import Looked
from pptarena.rewards.scope.loss import (
    SMALL_PLACEHOLDERS,
    added_slide_loss,
    deck_loss,
    has_content,
    out_of_sight_loss,
    retained_shapes,
    shape_out_of_sight,
    slide_loss,
)
from pptarena.rewards.scope.outside import copy_changes, part_shapes, shapes_in_scope
from pptarena.rewards.scope.overreach import share_of_work
from pptarena.rewards.scope.prices import Touched, price_of_changes
from pptarena.rewards.scope.scope import Scope, ScopePart
from pptarena.rewards.scope.show_loss import show_loss

__all__ = ["NO_DAMAGE", "RUINED", "SPARED", "Damage", "measure_damage"]

SPARED = 0.05
"""Share of the deck that may be lost before the score as a whole is cut."""

RUINED = 0.7
"""Share of the deck whose loss leaves nothing of the score."""

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
    """What of the rest of a deck is lost.

    Attributes:
        share: How much, in [0, 1].
        reason: What, in plain words; empty if nothing is.
        of_ceiling: The share that the other look of the task's own objects takes; see
            `pptarena.rewards.scope.prices`.
    """

    share: float
    reason: str = ""
    of_ceiling: float = 0.0

    @property
    def retained(self) -> float:
        """What is left of the score: a factor in [0, 1]."""
        return _retained(self.share)

    @property
    def ceiling(self) -> float:
        """The most that the score can be, in [0, 1]."""
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
    """Return how much of the deck was lost by changes that nobody asked for.

    Args:
        match: Which slide and shape is which.
        scope: The part of the deck that may change.
        outside: Everything that changed and was not asked for.
        looked: What pictures of the slides say.
        unasked: Those of `outside` that the scope allows and no target of the task has.
        touched: What targets of the task change, by slide and shape.
        targets: Decks with the goal reached, which tell how much was asked for.
    """
    count = len(match.original.slides)
    if not count:
        return NO_DAMAGE
    looked = looked or Looked()
    named_changes = tuple(outside)
    price = price_of_changes(match, named_changes, unasked, touched)
    # What a change brought along is lost too, though it is named but once.
    outside = tuple(every_change(outside))
    by_slide = _by_slide(outside)
    hideable = _named_shapes(match, _hiding_parts(scope))
    losses = _slide_losses(match, by_slide, looked, hideable)
    losses |= _unseen_losses(match, scope, losses)
    unseen = _named_out_of_sight(match, scope)
    if not outside and not losses and not unseen:
        return NO_DAMAGE
    named = [losses.get(index, 0.0) for index in _named_slides(scope, count)]
    of_deck = sum(losses.values()) / count
    of_deck += added_slide_loss(outside) / count
    # A master that looks otherwise restyles its slides: one cause.
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
    """Return what weighs a share that went out of sight: a half a half, three quarters all."""
    if share <= _HALF:
        return share
    return min(1.0, _HALF + (share - _HALF) * _HALF / (_AS_GOOD_AS_ALL - _HALF))


def _of_work(asked: float) -> float:
    """Return the share of the deck whose loss leaves as much of the score as was asked for."""
    return RUINED - (RUINED - SPARED) * asked if asked < 1 else 0.0


def _mean(losses: Sequence[float]) -> float:
    return sum(losses) / len(losses) if losses else 0.0


def _is_restyled(by_slide: Mapping[int, Sequence[Change]], count: int) -> bool:
    """Return whether text looks otherwise on most slides, which makes it another design."""
    looks = [any(c.aspect == "formatting" for c in changes) for changes in by_slide.values()]
    return count > 2 and sum(looks) > count / 2


def _copy_losses(match: DeckMatch, scope: Scope) -> list[float]:
    """Return how much less than their model new slides are that should be like it."""
    if scope.copy_of is None:
        return []
    source = scope.copy_of - 1
    shapes = match.original.slides[source].shapes
    # A slide made by hand shows its number only if somebody asks for it: no loss of its content,
    # though a change that is named.
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
    """Return what other slides lost by shapes out of sight that no part of the scope is about."""
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
    """Return the shapes, by slide and index in the original, that parts of a scope name."""
    return {
        (index, shape)
        for part in parts
        if part.shapes and part.slides != "all"
        for index, shapes in part_shapes(match, part).items()
        for shape in shapes
    }


def _hiding_parts(scope: Scope) -> list[ScopePart]:
    """Return the parts whose shapes may go out of sight."""
    return [part for part in scope.all_parts if "visibility" in (part.aspects or ())]


def _named_out_of_sight(match: DeckMatch, scope: Scope) -> float:
    """Return the mean share that went out of sight of the shapes that a scope names.

    Those that may be hidden do not count, nor do those that show nothing of their own, such as
    connectors that follow a box, as long as there are others.
    """
    parts = scope.all_parts
    named = _named_shapes(match, parts) - _named_shapes(match, _hiding_parts(scope))
    slides = match.original.slides
    telling = {(at, shape) for at, shape in named if has_content(slides[at].shapes[shape])}
    lost = [shape_out_of_sight(match, at, shape) for at, shape in sorted(telling or named)]
    return _mean(lost)


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
    """Return the loss of each slide of the original that lost anything, or looks otherwise."""
    indexes = {*by_slide, *looked.changed, *(index for index, _ in looked.lost)}
    losses = {
        i: slide_loss(match, i, by_slide.get(i, ()), looked, {s for at, s in hideable if at == i})
        for i in indexes
    }
    return {i: max(lost, looked.changed.get(i, 0.0)) for i, lost in losses.items()}


def _named_slides(scope: Scope, count: int) -> list[int]:
    """Return the slides, from 0, that a scope names one by one."""
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
