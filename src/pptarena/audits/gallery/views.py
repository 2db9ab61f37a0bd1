"""The gallery's view of one task."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pptarena.errors import TaskError
from pptarena.rewards import Rubric
from pptarena.rollouts.report.slides import SlideComparer
from pptarena.tasks import Task
from pptarena.tasks.goals import goals_of_turns, has_goal

__all__ = ["SlideView", "TaskView", "TurnView", "view_task"]

_MOST_SLIDES = 8  # per turn; changes of further slides are listed as text


@dataclass(frozen=True, slots=True)
class SlideView:
    """A slide that the target deck changes.

    Attributes:
        before, after: Position in each deck, from 1; None if the slide is not in that deck.
        before_picture, after_picture: Index of the picture in the pool; None if there is no
            picture.
        changes: Descriptions of the differences.
    """

    before: int | None
    after: int | None
    before_picture: int | None
    after_picture: int | None
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurnView:
    """One turn of a task.

    Attributes:
        instruction: The instruction.
        feasible: Whether the turn is feasible.
        rubric: The rubric.
        slides: The slides that the target deck changes.
        changes: Descriptions of all changes.
        missing: Why slides are not shown; empty if they are.
    """

    instruction: str
    feasible: bool
    rubric: Rubric
    slides: tuple[SlideView, ...] = ()
    changes: tuple[str, ...] = ()
    missing: str = ""


@dataclass(frozen=True, slots=True)
class TaskView:
    """One task.

    Attributes:
        task: The task.
        turns: Its turns, at least one.
        film: An animated WebP file of a solved episode; None if there is none.
    """

    task: Task
    turns: tuple[TurnView, ...]
    film: bytes | None = None


def view_task(task: Task, comparer: SlideComparer, film: bytes | None = None) -> TaskView:
    """Return the view of a task; missing slides are explained in `TurnView.missing`.

    Args:
        task: The task.
        comparer: Compares the decks before and after each turn.
        film: Video of an episode.
    """
    goals, missing = _goals(task)
    decks = (task.deck_bytes(), *goals)
    turns = []
    every = ((task.instruction, task.feasible, task.rubric), *map(_of_turn, task.turns))
    for number, (instruction, feasible, rubric) in enumerate(every):
        turn = TurnView(instruction, feasible, rubric)
        if not feasible:
            turn = TurnView(instruction, feasible, rubric, missing="the deck stays as it is")
        elif number + 1 < len(decks):
            found = comparer.compare_files(decks[number], decks[number + 1])
            slides = tuple(map(_slide, found["slides"][:_MOST_SLIDES]))
            changes = tuple(found["changes"])
            turn = TurnView(instruction, feasible, rubric, slides, changes, found["missing"])
        else:
            turn = TurnView(instruction, feasible, rubric, missing=missing)
        turns.append(turn)
    return TaskView(task, tuple(turns), film)


def _goals(task: Task) -> tuple[tuple[bytes, ...], str]:
    unknown = "its goal is not known as a deck"
    if task.feasible and not has_goal(task):
        return (), unknown
    try:
        return goals_of_turns(task), unknown
    except TaskError as error:
        return (), str(error)


def _of_turn(turn: Any) -> tuple[str, bool, Rubric]:
    return turn.instruction, turn.feasible, turn.rubric


def _slide(found: Mapping[str, Any]) -> SlideView:
    return SlideView(
        found["before"],
        found["after"],
        found["before_picture"],
        found["after_picture"],
        tuple(found["changes"]),
    )
