"""Graded submissions of a user: a folder of .pptx files and a ``manifest.json``."""

import json
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from pptarena.decks.package.files import read_bytes
from pptarena.errors import TaskError
from pptarena.files import read_text
from pptarena.tasks.fields import Fields
from pptarena.tasks.registry import get_task
from tools.meta_eval.attempts import Attempt, Grade

__all__ = ["MANIFEST", "attempts_in"]

MANIFEST = "manifest.json"
"""File name of the manifest, which describes the decks of a folder."""

_GRADES = tuple(grade.label for grade in Grade)


def attempts_in(folder: Path) -> tuple[Attempt, ...]:
    """Return the graded submissions of a folder, in the order of its manifest.

    The manifest is a JSON object. ``attempts`` lists objects with ``task`` (an id), ``deck`` (a
    file of the folder), ``grade`` (none, some, significant, perfect), and optionally ``id``
    (default: the file's name) and ``why``. ``originals`` optionally maps a task to the file that
    its submissions started from, preferably saved by the same application; the default is the
    task's own deck.

    Args:
        folder: Folder with the manifest and the decks.

    Raises:
        TaskError: If the manifest is missing or malformed, or a listed file is missing; the message
            begins with the location.
        UnknownTaskError: If a task does not exist.
    """
    fields = Fields(_read(folder / MANIFEST))
    originals = _originals(folder, fields.take("originals", dict, {}))
    entries = fields.list("attempts")
    fields.finish()
    if not entries:
        raise TaskError(f"{folder / MANIFEST}: attempts: expected at least one")
    found = tuple(
        _attempt(folder, Fields(entry, f"attempts/{index}"), originals)
        for index, entry in enumerate(entries)
    )
    seen: set[tuple[str, str]] = set()
    for index, attempt in enumerate(found):
        if (attempt.task, attempt.id) in seen:
            raise TaskError(f"attempts/{index}: a second attempt {attempt.id!r} at {attempt.task}")
        seen.add((attempt.task, attempt.id))
    return found


def _read(manifest: Path) -> Any:
    try:
        return json.loads(read_text(manifest))
    except OSError as error:
        raise TaskError(f"expected a file {manifest}: {error.strerror}") from error
    except ValueError as error:
        raise TaskError(f"{manifest}: not JSON: {error}") from error


def _originals(folder: Path, entries: dict[str, Any]) -> dict[str, Path]:
    return {
        get_task(task).id: _file(folder, name, f"originals/{task}")
        for task, name in entries.items()
    }


def _attempt(folder: Path, fields: Fields, originals: dict[str, Path]) -> Attempt:
    task = get_task(fields.take("task", str)).id
    file = _file(folder, fields.take("deck", str), fields.place("deck"))
    original = originals.get(task)
    attempt = Attempt(
        task=task,
        id=fields.take("id", str, file.stem),
        grade=Grade[fields.choice("grade", _GRADES).upper()],
        why=fields.take("why", str, ""),
        deck=partial(read_bytes, file),
        original=None if original is None else partial(read_bytes, original),
    )
    fields.finish()
    return attempt


def _file(folder: Path, name: Any, place: str) -> Path:
    if not isinstance(name, str) or PurePosixPath(name).is_absolute() or ".." in Path(name).parts:
        raise TaskError(f"{place}: expected a file of the folder, got {name!r}")
    if not (folder / name).is_file():
        raise TaskError(f"{place}: there is no file {folder / name}")
    return folder / name
