"""The goal of a task as a deck, where one is registered."""

from collections.abc import Callable, Mapping
from typing import Any

from pptarena.errors import TaskError
from pptarena.tasks.deck_source import read_source
from pptarena.tasks.goals.aurora import AURORA_GOALS
from pptarena.tasks.goals.bench import BENCH_GOALS
from pptarena.tasks.goals.beside import BESIDE_GOALS
from pptarena.tasks.goals.clinic import CLINIC_GOALS
from pptarena.tasks.goals.editing import edited
from pptarena.tasks.goals.field import FIELD_GOALS, FIELD_LATER
from pptarena.tasks.goals.harbor import HARBOR_GOALS
from pptarena.tasks.goals.kanto import KANTO_GOALS
from pptarena.tasks.goals.later_turns import LATER_GOALS
from pptarena.tasks.goals.negev import NEGEV_GOALS
from pptarena.tasks.goals.office import OFFICE_GOALS
from pptarena.tasks.goals.open_ended import OPEN_GOALS
from pptarena.tasks.goals.sixty import SIXTY_GOALS
from pptarena.tasks.goals.small_steps import small_steps
from pptarena.tasks.goals.thesis import THESIS_GOALS, THESIS_LATER
from pptarena.tasks.goals.townhall import TOWNHALL_GOALS
from pptarena.tasks.goals.turns import TURNS_GOALS, TURNS_LATER
from pptarena.tasks.grow import rebuilding
from pptarena.tasks.task import Task

__all__ = ["goal_deck", "goals_of_turns", "has_goal", "turn_edits"]

Edit = Callable[[Any], None]

_GOALS: Mapping[str, Edit] = {
    **AURORA_GOALS,
    **BENCH_GOALS,
    **BESIDE_GOALS,
    **CLINIC_GOALS,
    **FIELD_GOALS,
    **HARBOR_GOALS,
    **KANTO_GOALS,
    **NEGEV_GOALS,
    **OFFICE_GOALS,
    **OPEN_GOALS,
    **SIXTY_GOALS,
    **THESIS_GOALS,
    **TOWNHALL_GOALS,
    **TURNS_GOALS,
}
_LATER: Mapping[str, tuple[Edit, ...]] = {
    **LATER_GOALS,
    **FIELD_LATER,
    **THESIS_LATER,
    **TURNS_LATER,
}


def has_goal(task: Task) -> bool:
    """Return whether the target deck is known: as the gold deck, or as edits of the task's deck.

    The edits of a generated task are in its row.
    """
    return task.gold is not None or bool(task.grown.get("edits")) or bool(turn_edits(task))


def goal_deck(task: Task) -> bytes:
    """Return the task's deck with its goal reached: its gold deck, or as python-pptx saves it.

    Raises:
        DeckError: If the deck cannot be read or edited.
        TaskError: If the task has no gold deck, no registered goal and no edits in its row.
    """
    if (gold := task.gold_bytes()) is not None:
        return gold
    if task.grown.get("edits"):
        return rebuilding.edited(task.grown, task.deck_bytes())
    edits = turn_edits(task)
    if not edits:
        raise TaskError(
            f"{task.id}: the task has no gold deck and no registered edits; add the edited deck "
            "to the task as the field 'gold'"
        )
    return edited(task.deck_bytes(), *edits)


def turn_edits(task: Task) -> tuple[Edit, ...]:
    """Return the edits that carry out a task, or a turn of one as `Task.at` returns it.

    They edit a python-pptx presentation of the deck that the turn begins with, in order. It is
    empty where none are registered for the task's id.
    """
    if task.before is None:
        return (_GOALS[task.id],) if task.id in _GOALS else small_steps(task)
    later = task.turn_number - 2
    return _LATER.get(task.id, ())[later : later + 1]


def goals_of_turns(task: Task) -> tuple[bytes, ...]:
    """Return the deck at the end of each turn of a task, up to the first of unknown goal.

    Each is made from the one before; a turn that cannot be done leaves it as it was.

    Raises:
        TaskError: If the goal of the first turn is not known.
    """
    decks = [goal_deck(task) if task.feasible else task.deck_bytes()]
    edits = _LATER.get(task.id, ())
    for number, turn in enumerate(task.turns):
        if not turn.feasible:
            decks.append(decks[-1])
        elif turn.gold is not None:
            decks.append(read_source(turn.gold, "gold"))
        elif number < len(edits):
            decks.append(edited(decks[-1], edits[number]))
        else:
            break
    return tuple(decks)
