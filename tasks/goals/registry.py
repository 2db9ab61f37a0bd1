"""Target decks of tasks whose solution is known."""

from collections.abc import Callable
from typing import Any

from pptarena.edits import Solution, edit_presentation
from pptarena.errors import EditError, TaskError
from pptarena.tasks.deck_source import read_source
from pptarena.tasks.goals.editing import edit_deck
from pptarena.tasks.task import Task

__all__ = ["goal_deck", "goal_decks", "has_goal", "turn_edits"]

Edit = Callable[[Any], None]


def has_goal(task: Task) -> bool:
    """Return whether the target deck is known: as a gold deck, or as edits of the task's deck."""
    return task.gold is not None or bool(turn_edits(task))


def goal_deck(task: Task) -> bytes:
    """Return the target deck of a task: its gold deck, or its deck after the known edits.

    Raises:
        DeckError: If the deck cannot be read or edited.
        TaskError: If the task has no gold deck and no solution, or its edits do not fit the deck.
    """
    if (gold := task.gold_bytes()) is not None:
        return gold
    edits = turn_edits(task)
    if not edits:
        raise TaskError(
            f"{task.id}: the task has no gold deck and no solution; add the edited deck "
            "to the task as the field 'gold', or the edits as the field 'solution'"
        )
    return edit_deck(task.deck_bytes(), *edits)


def turn_edits(task: Task) -> tuple[Edit, ...]:
    """Return the solution of a task, or of a turn of one as returned by `Task.at`, as a function.

    It edits a python-pptx presentation of the deck at the start of the turn. Empty if the solution
    is not known.
    """
    if not task.solution:
        return ()
    return (lambda presentation: _solve(task, task.solution, presentation),)


def goal_decks(task: Task) -> tuple[bytes, ...]:
    """Return the target deck of each turn of a task, up to the first unknown one.

    Each is made from the previous one; an infeasible turn leaves it unchanged.

    Raises:
        TaskError: If the target deck of the first turn is not known.
    """
    decks = [goal_deck(task) if task.feasible else task.deck_bytes()]
    for number, turn in enumerate(task.turns, 2):
        edits = turn_edits(task.at(number))
        if not turn.feasible:
            decks.append(decks[-1])
        elif turn.gold is not None:
            decks.append(read_source(turn.gold, "gold"))
        elif edits:
            decks.append(edit_deck(decks[-1], *edits))
        else:
            break
    return tuple(decks)


def _solve(task: Task, solution: Solution, presentation: Any) -> None:
    try:
        edit_presentation(presentation, solution, task.files_bytes())
    except EditError as error:
        raise TaskError(f"{task.id}: {error}") from error
