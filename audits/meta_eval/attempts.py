"""The graded attempts of the package: data in ``attempts/<task>.json``, made on demand."""

import json
from functools import partial
from pathlib import Path
from typing import Any

from pptarena.audits.meta_eval.attempt import Attempt
from pptarena.audits.meta_eval.edits import Edit, edited
from pptarena.audits.meta_eval.standard import Grade
from pptarena.tasks.registry import get_task

__all__ = ["ATTEMPTS_FOLDER", "built_in_attempts"]

ATTEMPTS_FOLDER = Path(__file__).resolve().parent / "attempts"
"""Where the attempts of the package are, one file a task."""


def built_in_attempts() -> tuple[Attempt, ...]:
    """Return all attempts of the package, by task and in the order of their files."""
    return tuple(
        _attempt(path.stem, entry)
        for path in sorted(ATTEMPTS_FOLDER.glob("*.json"))
        for entry in json.loads(path.read_text("utf-8"))
    )


def _attempt(task: str, entry: dict[str, Any]) -> Attempt:
    edits = tuple(Edit(name, arguments) for name, arguments in entry["edits"])
    return Attempt(
        task=task,
        id=entry["id"],
        grade=Grade[entry["grade"].upper()],
        why=entry["why"],
        deck=partial(_made, task, edits),
    )


def _made(task: str, edits: tuple[Edit, ...]) -> bytes:
    return edited(get_task(task).deck_bytes(), edits)
