"""What all turns of a task together lost of the deck that the first one started from."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pptarena.decks.match.decks import DeckMatch, match_decks
from pptarena.errors import UnscoredError
from pptarena.rewards import Scope
from pptarena.rewards.scope.damage import NO_DAMAGE, Damage, measure_damage
from pptarena.rewards.scope.outside import changes_outside
from pptarena.rewards.scope.scope import ScopePart

if TYPE_CHECKING:
    from pptarena.envs.grading import Grader

__all__ = ["damage_of_turns"]


def damage_of_turns(graders: Sequence["Grader"]) -> Damage:
    """Return what the last deck lost of the first one, under the scopes of all turns together.

    The scope of a turn names slides of the deck that the turn started from. They are translated to
    slides of the first deck; slides that are new there are ruled by ``new_slides`` alone. A turn
    without a scope leaves the damage unmeasured, as it does at its own end.

    Args:
        graders: Those of all turns, in order.
    """
    first, last = graders[0].original, graders[-1].current
    if first is last:
        return NO_DAMAGE
    parts: list[ScopePart] = []
    new_slides = 0.0
    for grader in graders:
        scope = grader.task.scope
        if scope is None and grader.task.feasible:
            return NO_DAMAGE
        try:
            scope = (scope or Scope()).on(grader.original)
        except UnscoredError:
            continue  # slides that the turn names are gone: it allows nothing then
        match = match_decks(first, grader.original)
        parts += [_translated(part, match) for part in scope.all_parts]
        new_slides += float("inf") if scope.new_slides is True else int(scope.new_slides)
    allowed = True if new_slides == float("inf") else int(new_slides)
    union = Scope(parts=tuple(parts), new_slides=allowed)
    match = match_decks(first, last)
    return measure_damage(match, union, changes_outside(match, union))


def _translated(part: ScopePart, match: DeckMatch) -> ScopePart:
    """Return a part with the positions that its slides have in the first deck."""
    return part if part.slides == "all" else replace(part, slides=_of_first(part.slides, match))


def _of_first(slides: tuple[int, ...], match: DeckMatch) -> tuple[int, ...]:
    found = (match.to_original.get(number - 1) for number in slides)
    return tuple(index + 1 for index in found if index is not None)
