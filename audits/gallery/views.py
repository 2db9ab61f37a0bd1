"""What the gallery shows of one task."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pptarena.errors import TaskError
from pptarena.rewards import Rubric
from pptarena.rollouts.report.slides import SlideComparer
from pptarena.tasks import Task
from pptarena.tasks.goals import goals_of_turns, has_goal

__all__ = ["SlideView", "TaskView", "TurnView", "view_task"]

_MOST_SLIDES = 8  # of one turn; the changes of the others stand there as words


@dataclass(frozen=True, slots=True)
class SlideView:
    """A slide that a goal changes.

    Attributes:
        before, after: Its position in each deck, from 1; None where it is not there.
        before_picture, after_picture: Numbers in the pool of pictures, likewise.
        changes: What differs, in words.
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
        instruction: What is asked for.
        feasible: Whether it can be done.
        rubric: What is scored.
        slides: The slides that its goal changes.
        changes: All changes of the goal, in words.
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
        film: An animated WebP file of an episode that reached the goal; None without one.
    """

    task: Task
    turns: tuple[TurnView, ...]
    film: bytes | None = None


def view_task(task: Task, comparer: SlideComparer, film: bytes | None = None) -> TaskView:
    """Return what is shown of a task; what cannot be shown says why.

    Args:
        task: The task.
        comparer: Compares the deck before and after every turn.
        film: Of an episode.
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
