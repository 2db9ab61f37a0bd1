"""PPT-Eval as a suite of playable tasks."""

import re
from pathlib import Path

from pptarena.benchmarks.ppteval.importer import PPTEvalTask, load_registry
from pptarena.tasks.task import DIFFICULTIES, Task

__all__ = ["PUBLISHED_STEPS", "REGISTRY", "as_task", "load_tasks"]

REGISTRY = "task_registry/tasks.json"
"""Path of the registry in a copy of the benchmark."""

PUBLISHED_STEPS = 30
"""Step budget of the published runs."""


def load_tasks(folder: Path) -> tuple[Task, ...]:
    """Return the tasks of a copy of PPT-Eval.

    Args:
        folder: The copy, containing `REGISTRY`. Tasks with missing decks cannot be played.

    Raises:
        TaskError: If a file is missing or malformed.
    """
    folder = folder.resolve()
    tasks = load_registry(folder / REGISTRY, folder)
    return tuple(as_task(task, folder.name, str(folder)) for task in tasks)


def as_task(task: PPTEvalTask, suite: str = "ppteval", folder: str = "") -> Task:
    """Convert a task of PPT-Eval for use in environments.

    The task has no scope: other changes cost only what the rubric specifies, as published.

    Args:
        task: The task.
        suite: Name of the suite.
        folder: Folder that the task was read from, to find it again; empty if unknown.
    """
    parts = re.findall(r"[a-z0-9]+", task.id.lower())
    is_known = task.difficulty in DIFFICULTIES
    return Task(
        id="-".join(("ppteval", *parts)),
        suite=suite,
        difficulty=task.difficulty if is_known else "medium",
        level="L1",
        edit_types=(),
        deck=task.deck,
        instruction=task.goal.strip(),
        max_steps=PUBLISHED_STEPS,
        rubric=task.rubric,
        source=f"PPT-Eval {task.id}",
        place=folder,
    )
