"""The goal of a task as a deck, where one is registered."""

from pptarena.audits.goals.bench import BENCH_GOALS
from pptarena.audits.goals.clinic import CLINIC_GOALS
from pptarena.audits.goals.editing import edited
from pptarena.audits.goals.office import OFFICE_GOALS
from pptarena.audits.goals.sixty import SIXTY_GOALS
from pptarena.errors import TaskError
from pptarena.tasks.task import Task

__all__ = ["goal_deck", "has_goal"]

_GOALS = {**BENCH_GOALS, **CLINIC_GOALS, **OFFICE_GOALS, **SIXTY_GOALS}


def has_goal(task: Task) -> bool:
    """Return whether the goal is known: as the task's gold deck, or an edit of its deck."""
    return task.gold is not None or task.id in _GOALS


def goal_deck(task: Task) -> bytes:
    """Return the task's deck with its goal reached: its gold deck, or as python-pptx saves it.

    Raises:
        TaskError: If the task has neither a gold deck nor a registered goal.
    """
    if (gold := task.gold_bytes()) is not None:
        return gold
    if task.id not in _GOALS:
        raise TaskError(f"{task.id}: it has no gold deck, and no goal in audits/goals")
    return edited(task.deck_bytes(), _GOALS[task.id])
