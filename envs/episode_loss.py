"""The damage of all turns of a task to the deck that the first turn started from."""

from collections.abc import Sequence
from dataclasses import dataclass

from pptarena.decks import Deck
from pptarena.decks.match.decks import match_decks
from pptarena.envs.grader import Grader
from pptarena.errors import UnscoredError
from pptarena.rewards import Scope
from pptarena.rewards.checking.registry import get_check
from pptarena.rewards.checking.view import View
from pptarena.rewards.scope.damage import NO_DAMAGE, Damage, measure_damage
from pptarena.rewards.scope.scope import ScopePart
from pptarena.rewards.scope.turns import carried_over

__all__ = ["NO_LOSS", "EpisodeLoss", "episode_loss"]


@dataclass(frozen=True, slots=True)
class EpisodeLoss:
    """The loss over all turns of a task.

    Attributes:
        damage: The damage outside the scopes.
        unchanged: The score of the check ``nothing_else_changed``, in [0, 1].
    """

    damage: Damage
    unchanged: float = 1.0


NO_LOSS = EpisodeLoss(NO_DAMAGE)


def episode_loss(graders: Sequence[Grader]) -> EpisodeLoss:
    """Compare the last deck with the first one under the scopes of all turns.

    The scope of a turn names slides of the deck that the turn was written for. They are translated
    to slides of the first deck; slides added since are governed by ``new_slides`` alone. Changes
    that the scopes allow but no turn's target contains count as damage, too. If a turn has no
    scope, the damage is not measured, as at the turn's own end.

    Args:
        graders: The graders of all turns, in order.
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
        scope = _scope_in_first_deck(grader, first)
        if scope is None:
            continue  # the turn's slides no longer exist, so it allows nothing
        parts += scope.parts
        free += scope.free
        new_slides += float("inf") if scope.new_slides is True else int(scope.new_slides)
    allowed = True if new_slides == float("inf") else int(new_slides)
    union = Scope(parts=tuple(parts), new_slides=allowed, free=tuple(free))
    targets = _targets(graders)
    view = View(match_decks(first, last), union, targets=targets[-1:], other_targets=targets)
    damage = measure_damage(view.match, union, view.unrequested, unasked=view.unexplained)
    return EpisodeLoss(damage, get_check("nothing_else_changed", "").run(view, {}).score)


def _targets(graders: Sequence[Grader]) -> tuple[Deck, ...]:
    """Return the targets of all turns in order; empty if the last turn's target is unknown."""
    decks_by_turn = [grader.targets.decks() for grader in graders]
    all_known = all(
        decks or not grader.task.feasible
        for decks, grader in zip(decks_by_turn, graders, strict=True)
    )
    return tuple(deck for decks in decks_by_turn for deck in decks) if all_known else ()


def _scope_in_first_deck(grader: Grader, first: Deck) -> Scope | None:
    """Return the scope of a turn with the positions of its slides in the first deck."""
    context = grader.start.context
    written_for = grader.original if context is None else context.reference or grader.original
    try:
        scope = (grader.task.scope or Scope()).resolve(written_for)
    except UnscoredError:
        return None
    return carried_over(scope, written_for, first)
