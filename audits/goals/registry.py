"""The goal of a task as a deck, where one is registered."""

from pptarena.audits.goals.bench import BENCH_GOALS
from pptarena.audits.goals.editing import edited
from pptarena.errors import TaskError
from pptarena.tasks.task import Task

__all__ = ["goal_deck", "has_goal"]

_GOALS = {**BENCH_GOALS}


def has_goal(task: Task) -> bool:
    """Return whether there is an edit of the file that reaches the task's goal."""
    return task.id in _GOALS


def goal_deck(task: Task) -> bytes:
    """Return the task's deck with its goal reached, as python-pptx saves it.

    Raises:
        TaskError: If the task has no registered goal.
    """
    if task.id not in _GOALS:
        raise TaskError(f"{task.id}: no goal is registered; see audits/goals")
    return edited(task.deck_bytes(), _GOALS[task.id])
