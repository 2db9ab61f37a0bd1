"""PPT-Eval as a suite: its tasks as tasks of ours, to be played."""

import re
from pathlib import Path

from pptarena.benchmarks.ppteval.importer import PPTEvalTask, load_registry
from pptarena.tasks.task import DIFFICULTIES, Task

__all__ = ["PUBLISHED_STEPS", "REGISTRY", "as_task", "load_tasks"]

REGISTRY = "task_registry/tasks.json"
"""Where the registry lies in a copy of the benchmark."""

PUBLISHED_STEPS = 30
"""Step budget of the published runs."""


def load_tasks(folder: Path) -> tuple[Task, ...]:
    """Return the tasks of a copy of PPT-Eval.

    Args:
        folder: The copy, with `REGISTRY` in it. Decks may be missing; their tasks cannot be played.

    Raises:
        TaskError: If a file is missing or malformed.
    """
    folder = folder.resolve()
    found = load_registry(folder / REGISTRY, folder)
    return tuple(as_task(each, folder.name, str(folder)) for each in found)


def as_task(task: PPTEvalTask, suite: str = "ppteval", place: str = "") -> Task:
    """Return a task of PPT-Eval as one that environments take.

    There is no scope: what else changes costs only what the rubric says, as published.

    Args:
        task: The task.
        suite: Name of the suite.
        place: The folder that it was read from, if it is to be found again there.
    """
    words = re.findall(r"[a-z0-9]+", task.id.lower())
    known = task.difficulty in DIFFICULTIES
    return Task(
        id="-".join(("ppteval", *words)),
        suite=suite,
        difficulty=task.difficulty if known else "medium",
        level="L1",
        edit_types=(),
        deck=task.deck,
        instruction=task.goal.strip(),
        max_steps=PUBLISHED_STEPS,
        rubric=task.rubric,
        source=f"PPT-Eval {task.id}",
        place=place,
    )
