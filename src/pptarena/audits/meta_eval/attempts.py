"""The packaged submissions: stored as edits in JSON files, built on demand."""

import json
from functools import partial
from pathlib import Path
from typing import Any

from pptarena.audits.meta_eval.attempt import Attempt
from pptarena.audits.meta_eval.edits import VOCABULARY
from pptarena.audits.meta_eval.standard import Grade
from pptarena.edits import Solution, apply_solution
from pptarena.errors import ConfigError
from pptarena.suggestions import not_found
from pptarena.tasks.registry import get_task, list_tasks

__all__ = ["ATTEMPTS_FOLDERS", "built_in_attempts"]

_FOLDER = Path(__file__).resolve().parent / "attempts"

ATTEMPTS_FOLDERS = {
    "starter": _FOLDER,
    "office": _FOLDER / "office",
    "office-second": _FOLDER / "office-second",
}
"""Folder of the submissions by suite; one file ``<task>.json`` per task."""


def built_in_attempts(suite: str = "starter") -> tuple[Attempt, ...]:
    """Return all submissions for the tasks of a suite, sorted by task and in file order.

    Args:
        suite: A key of `ATTEMPTS_FOLDERS`, or ``bench`` for the submissions of all folders for its
            tasks.

    Raises:
        ConfigError: If the package has no submissions for the suite.
    """
    if suite == "bench":
        ids = {task.id for task in list_tasks("bench")}
        every = (each for name in ATTEMPTS_FOLDERS for each in built_in_attempts(name))
        return tuple(each for each in every if each.task in ids)
    if suite not in ATTEMPTS_FOLDERS:
        raise ConfigError(not_found("suite", suite, ("bench", *ATTEMPTS_FOLDERS)))
    return tuple(
        _attempt(path.stem, entry)
        for path in sorted(ATTEMPTS_FOLDERS[suite].glob("*.json"))
        for entry in json.loads(path.read_text("utf-8"))
    )


def _attempt(task: str, entry: dict[str, Any]) -> Attempt:
    return Attempt(
        task=task,
        id=entry["id"],
        grade=Grade[entry["grade"].upper()],
        why=entry["why"],
        deck=partial(_edited, task, entry["edits"]),
    )


def _edited(id: str, edits: Solution) -> bytes:
    task = get_task(id)
    return apply_solution(task.deck_bytes(), edits, task.files_bytes(), VOCABULARY)
