"""How much of the rest of a deck is lost: what a task did not ask to touch and that changed.

Two shares count, and the larger one is the damage:

- of the deck: the mean loss of its slides;
- of the slides that the task names: 0.6 of their mean loss. Who asks for a new title looks at that
  slide; losing the rest of it weighs more than losing one slide of many.

Up to `SPARED` the check ``nothing_else_changed`` is all that damage costs. From there on it takes a
part of the whole score, in proportion, and at `RUINED` nothing is left.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pptarena.rewards.diff.change import Change
from pptarena.rewards.diff.consequences import every_change
from pptarena.rewards.looks.looked import Looked
from pptarena.rewards.matching.decks import DeckMatch
from pptarena.rewards.scope.loss import added_slide_loss, deck_loss, slide_loss
from pptarena.rewards.scope.scope import Scope

__all__ = ["NO_DAMAGE", "RUINED", "SPARED", "Damage", "measure_damage"]

SPARED = 0.05
"""Share of the deck that may be lost before the score as a whole is cut."""

RUINED = 0.7
"""Share of the deck whose loss leaves nothing of the score."""

_OF_NAMED = 0.6
_NAMED = 3
_WORTH_NAMING = 0.01


@dataclass(frozen=True, slots=True)
class Damage:
    """What of the rest of a deck is lost.

    Attributes:
        share: How much, in [0, 1].
        reason: What, in plain words; empty if nothing is.
    """

    share: float
    reason: str = ""

    @property
    def kept(self) -> float:
        """What is left of the score: a factor in [0, 1]."""
        return min(1.0, max(0.0, (RUINED - self.share) / (RUINED - SPARED)))


NO_DAMAGE = Damage(0.0)


def measure_damage(
    match: DeckMatch, scope: Scope, outside: Sequence[Change], looked: Looked | None = None
) -> Damage:
    """Return how much of the deck was lost by changes outside the scope.

    Args:
        match: Which slide and shape is which.
        scope: The part of the deck that may change.
        outside: The changes outside of it.
        looked: What pictures of the slides say; None if nobody looked.
    """
    count = len(match.original.slides)
    looked = looked or Looked()
    if not count or not (outside or looked.lost or looked.changed):
        return NO_DAMAGE
    # What a change brought along is lost too, though it is named but once.
    outside = tuple(every_change(outside))
    losses = _slide_losses(match, outside, looked)
    named = [losses.get(index, 0.0) for index in _named_slides(scope, count)]
    of_deck = sum(losses.values()) / count
    of_deck += added_slide_loss(outside) / count + deck_loss(outside)
    of_named = _OF_NAMED * sum(named) / len(named) if named else 0.0
    share = min(1.0, max(of_deck, of_named))
    return Damage(share, _reason(losses, outside, share))


def _slide_losses(match: DeckMatch, outside: Iterable[Change], looked: Looked) -> dict[int, float]:
    """Return the loss of each slide of the original that lost anything, or looks otherwise."""
    by_slide: dict[int, list[Change]] = defaultdict(list)
    for change in outside:
        if change.slide is not None:
            by_slide[change.slide - 1].append(change)
    seen = {index for index, _ in looked.lost} | set(looked.changed)
    return {
        index: max(
            slide_loss(match, index, by_slide.get(index, ()), looked),
            looked.changed.get(index, 0.0),
        )
        for index in {*by_slide, *seen}
    }


def _named_slides(scope: Scope, count: int) -> list[int]:
    """Return the slides, from 0, that a scope names one by one."""
    numbers = {n for part in scope.all_parts if part.slides != "all" for n in part.slides}
    return sorted(number - 1 for number in numbers if number <= count)


def _reason(losses: Mapping[int, float], outside: Sequence[Change], share: float) -> str:
    worst = sorted(losses, key=lambda index: (-losses[index], index))
    named = [f"{losses[i]:.0%} of slide {i + 1}" for i in worst if losses[i] >= _WORTH_NAMING]
    parts = named[:_NAMED]
    if len(named) > _NAMED:
        parts.append(f"some of {len(named) - _NAMED} more slides")
    added = sum(change.kind == "slide_added" for change in outside)
    parts += [f"{added} slides were added"] if added else []
    parts += [change.text for change in outside if change.slide is change.slide_now is None][:1]
    return f"{share:.0%} of the rest of the deck is lost: {', '.join(parts)}"
