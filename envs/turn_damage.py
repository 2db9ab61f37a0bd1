"""What all turns of a task together lost of the deck that the first one started from."""

from collections.abc import Sequence
from dataclasses import dataclass

from pptarena.decks import Deck
from pptarena.decks.match.decks import match_decks
from pptarena.envs.grader import Grader
from pptarena.errors import UnscoredError
from pptarena.rewards import Scope
from pptarena.rewards.checking.registry import get_check
from pptarena.rewards.checking.view import View
from pptarena.rewards.scope.carried_over import carried_over
from pptarena.rewards.scope.damage import NO_DAMAGE, Damage, measure_damage
from pptarena.rewards.scope.scope import ScopePart

__all__ = ["NO_LOSS", "LossOfTurns", "loss_of_turns"]


@dataclass(frozen=True, slots=True)
class LossOfTurns:
    """What all turns of a task together lost.

    Attributes:
        damage: What of the rest of the deck is lost.
        unchanged: What the check ``nothing_else_changed`` scores, in [0, 1].
    """

    damage: Damage
    unchanged: float = 1.0


NO_LOSS = LossOfTurns(NO_DAMAGE)


def loss_of_turns(graders: Sequence[Grader]) -> LossOfTurns:
    """Return what the last deck lost of the first one, under the scopes of all turns together.

    The scope of a turn names slides of the deck that the turn was written for. They are translated
    to slides of the first deck; slides that are new there are ruled by ``new_slides`` alone. What
    the scopes allow and no target of a turn has is damage, too. A turn without a scope leaves the
    damage unmeasured, as it does at its own end.

    Args:
        graders: Those of all turns, in order.
    """
    first, last = graders[0].original, graders[-1].current
    if first is last:
        return NO_LOSS
    parts: list[ScopePart] = []
    free: list[ScopePart] = []
    new_slides = 0.0
    for grader in graders:
        if grader.task.scope is None and grader.task.feasible:
            return NO_LOSS
        scope = _on_first(grader, first)
        if scope is None:
            continue  # slides that the turn names are gone: it allows nothing then
        parts += scope.parts
        free += scope.free
        new_slides += float("inf") if scope.new_slides is True else int(scope.new_slides)
    allowed = True if new_slides == float("inf") else int(new_slides)
    union = Scope(parts=tuple(parts), new_slides=allowed, free=tuple(free))
    targets = _targets(graders)
    view = View(match_decks(first, last), union, targets=targets[-1:], other_targets=targets)
    damage = measure_damage(view.match, union, view.outside, unasked=view.unasked)
    return LossOfTurns(damage, get_check("nothing_else_changed", "").run(view, {}).score)


def _targets(graders: Sequence[Grader]) -> tuple[Deck, ...]:
    """Return the targets of all turns in order; none if that of the last turn is unknown."""
    found = [() if each.targets is None else each.targets.decks() for each in graders]
    is_known = all(
        decks or not each.task.feasible for decks, each in zip(found, graders, strict=True)
    )
    return tuple(deck for decks in found for deck in decks) if is_known else ()


def _on_first(grader: Grader, first: Deck) -> Scope | None:
    """Return the scope of a turn with the positions that its slides have in the first deck."""
    context = grader.start.context
    written_for = grader.original if context is None else context.reference or grader.original
    try:
        scope = (grader.task.scope or Scope()).on(written_for)
    except UnscoredError:
        return None
    return carried_over(scope, written_for, first)
