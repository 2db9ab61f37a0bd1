"""The tasks that come with the package, by id and by suite."""

import difflib
from functools import cache
from pathlib import Path

from pptarena.errors import TaskError, UnknownTaskError
from pptarena.tasks.task import DIFFICULTIES, Task, load_task
from pptarena.tasks.templates import first_steps, two_steps

__all__ = ["get_task", "list_tasks", "suites"]

_SPECS = Path(__file__).parent / "specs"
_NEAR_MATCHES = 3

# Suites of tasks made from templates, with the deck they are made on.
_MADE = {
    "first-steps": (first_steps, "meridian"),
    "first-steps-unseen": (first_steps, "resistance"),
    "two-steps": (two_steps, "meridian"),
}


def suites() -> tuple[str, ...]:
    """Return the names of all suites, sorted."""
    return tuple(sorted({path.parent.name for path in _SPECS.glob("*/*.json")} | set(_MADE)))


@cache
def list_tasks(suite: str = "bench") -> tuple[Task, ...]:
    """Return the tasks of a suite, the easy ones first.

    Raises:
        UnknownTaskError: If there is no such suite.
        TaskError: If a task file is malformed.
    """
    if suite in _MADE:
        make, deck = _MADE[suite]
        return make(suite, deck)
    tasks = [load_task(path) for path in sorted(_SPECS.glob("*/*.json")) if _in(path, suite)]
    if not tasks:
        raise UnknownTaskError(f"expected a suite of {', '.join(suites())}, got {suite!r}")
    return tuple(sorted(tasks, key=lambda task: (DIFFICULTIES.index(task.difficulty), task.id)))


@cache
def get_task(id: str) -> Task:
    """Return the task of an id.

    Raises:
        UnknownTaskError: If there is none; the message names ids that are much like it.
        TaskError: If its file is malformed.
    """
    paths = _paths()
    for suite in _MADE if id not in paths else ():
        if id.startswith(f"{suite}-"):
            for task in list_tasks(suite):
                if task.id == id:
                    return task
    if id not in paths:
        known = [*paths, *(task.id for suite in _MADE for task in list_tasks(suite))]
        near = difflib.get_close_matches(id, known, n=_NEAR_MATCHES, cutoff=0.4)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise UnknownTaskError(f"there is no task {id!r}{hint} (`pptarena tasks list` shows all)")
    return load_task(paths[id])


def _in(path: Path, suite: str) -> bool:
    return path.parent.name == suite


@cache
def _paths() -> dict[str, Path]:
    paths: dict[str, Path] = {}
    for path in sorted(_SPECS.glob("*/*.json")):
        if path.stem in paths:
            raise TaskError(f"{path.name}: two suites have a task of this id")
        paths[path.stem] = path
    return paths
