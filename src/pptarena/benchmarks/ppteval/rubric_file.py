"""Load rubrics from files: rubric files, task files, and rubrics of PPT-Eval."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pptarena.benchmarks.ppteval.importer import import_rubric
from pptarena.errors import RubricError, TaskError
from pptarena.files import read_text
from pptarena.rewards import Rubric, Scope, load_rubric, load_scope

__all__ = ["RubricFile", "load_rubric_file"]


@dataclass(frozen=True, slots=True)
class RubricFile:
    """A rubric with the other fields of its file.

    Attributes:
        rubric: The rubric.
        scope: The part of the deck that may change; None if unspecified.
        instruction: The instruction; empty if unspecified.
    """

    rubric: Rubric
    scope: Scope | None = None
    instruction: str = ""


def load_rubric_file(file: Path) -> RubricFile:
    """Return the rubric of a JSON file.

    Args:
        file: ``{"version": 1, "root": ...}``; or a task, whose ``rubric``, ``scope`` and
            ``instruction`` are used; or a rubric of PPT-Eval, ``{"root": ..., "metadata": ...}``.

    Raises:
        TaskError: If the file cannot be read; the message begins with its name.
        RubricError: If the rubric is malformed; the message begins with the file name and the
            location.
    """
    try:
        value = json.loads(read_text(file))
    except (OSError, ValueError) as error:
        raise TaskError(f"{file.name}: cannot be read: {error}") from error
    if not isinstance(value, dict):
        raise RubricError(f"{file.name}: expected an object, got {str(value)[:40]!r}")
    try:
        return _rubric_file(value)
    except RubricError as error:
        raise RubricError(f"{file.name}: {error}") from error


def _rubric_file(value: dict[str, Any]) -> RubricFile:
    if "rubric" in value:
        scope = value.get("scope")
        loaded = None if scope is None else load_scope(scope)
        return RubricFile(load_rubric(value["rubric"]), loaded, str(value.get("instruction", "")))
    if "version" in value:
        return RubricFile(load_rubric(value))
    metadata = value.get("metadata")
    task = metadata.get("task") if isinstance(metadata, dict) else None
    return RubricFile(import_rubric(value), None, task if isinstance(task, str) else "")
