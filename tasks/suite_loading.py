"""Suites outside the package: folders of tasks, ``.jsonl`` files, and installed packages.

A package announces its suites as entry points of the group ``pptarena.suites``. The object of an
entry point is the path of a folder, or a function without arguments that returns a folder or tasks.
"""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from pptarena.errors import TaskError
from pptarena.plugins import FOREIGN_SUITES, import_object
from pptarena.tasks.suite_file import SuiteFile
from pptarena.tasks.task import DIFFICULTIES, Task
from pptarena.tasks.task_file import SUFFIXES, is_task, load_task

__all__ = [
    "GROUP",
    "installed_suites",
    "load_installed",
    "load_suite",
    "sorted_by_difficulty",
    "with_suite",
]

_log = logging.getLogger(__name__)

GROUP = "pptarena.suites"
"""Entry point group of installed suites."""


def load_suite(path: Path) -> tuple[Task, ...]:
    """Return the tasks of a folder or a file, in order of difficulty.

    Args:
        path: A folder of task files and task folders (not searched recursively), the folder of a
            known benchmark, a single task, or a ``.jsonl`` file with one task per line.

    Raises:
        TaskError: If there are no tasks, a task is malformed, or two tasks have the same id.
    """
    path = path.expanduser().resolve()
    if path.suffix == ".jsonl":
        return sorted_by_difficulty(SuiteFile(path), path)
    for marker, loader in FOREIGN_SUITES.items():
        if (path / marker).is_file():
            return sorted_by_difficulty(import_object(loader)(path), path)
    if not path.is_dir() or is_task(path):
        return (load_task(path),)
    paths = [each for each in sorted(path.iterdir()) if _may_be_task(each)]
    return sorted_by_difficulty([load_task(each) for each in paths], path)


def installed_suites() -> dict[str, EntryPoint]:
    """Return the suites of installed packages by name; of duplicate names the first one counts."""
    by_name: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        if entry.name in by_name and by_name[entry.name].value != entry.value:
            _log.warning("two packages have a suite %r; %s is left out", entry.name, entry.value)
        by_name.setdefault(entry.name, entry)
    return by_name


@cache
def load_installed(entry: EntryPoint) -> tuple[Task, ...]:
    """Return the tasks of an installed suite, in order of difficulty.

    Raises:
        TaskError: If it cannot be loaded, or contains anything but tasks.
    """
    origin = f"suite {entry.name!r} ({entry.value})"
    try:
        value = entry.load()
        suite = value() if callable(value) else value
    except Exception as error:  # third-party code
        raise TaskError(f"{origin}: {type(error).__name__}: {error}") from error
    if isinstance(suite, str | Path):
        return tuple(with_suite(load_suite(Path(suite)), entry.name))
    tasks = list(suite) if isinstance(suite, Iterable) else [suite]
    if invalid := [each for each in tasks if not isinstance(each, Task)]:
        raise TaskError(f"{origin}: expected a folder or tasks, got {invalid[0]!r}")
    return sorted_by_difficulty(with_suite(tasks, entry.name), origin)


def with_suite(tasks: Iterable[Task], suite: str) -> Iterator[Task]:
    """Yield tasks with the name of the suite through which they were loaded."""
    for task in tasks:
        yield task if task.suite == suite else replace(task, suite=suite)


def sorted_by_difficulty(tasks: Iterable[Task], origin: object) -> tuple[Task, ...]:
    """Return the tasks of a suite in order of difficulty.

    Args:
        tasks: The tasks.
        origin: Origin of the tasks, for errors.

    Raises:
        TaskError: If there are none, or two tasks have the same id.
    """
    by_id: dict[str, Task] = {}
    for task in tasks:
        if task.id in by_id:
            origins = " and ".join(filter(None, (by_id[task.id].place, task.place)))
            raise TaskError(f"{origin}: two tasks have the id {task.id!r}: {origins}")
        by_id[task.id] = task
    if not by_id:
        raise TaskError(
            f"{origin}: expected task files ({', '.join(SUFFIXES)}) or folders with a task.json or "
            "task.yaml, got none"
        )
    return tuple(
        sorted(by_id.values(), key=lambda task: (DIFFICULTIES.index(task.difficulty), task.id))
    )


def _may_be_task(path: Path) -> bool:
    # A malformed file is an error rather than skipped, because it may be a task with a typo.
    if path.name.startswith("."):
        return False
    return is_task(path) if path.is_dir() else path.suffix in SUFFIXES
