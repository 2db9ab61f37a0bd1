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
from tools.meta_eval.submissions import Grade, Submission

__all__ = ["MANIFEST", "submissions_in"]

MANIFEST = "manifest.json"
"""File name of the manifest, which describes the decks of a folder."""

_GRADES = tuple(grade.label for grade in Grade)


def submissions_in(folder: Path) -> tuple[Submission, ...]:
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
    submissions = tuple(
        _submission(folder, Fields(entry, f"attempts/{index}"), originals)
        for index, entry in enumerate(entries)
    )
    keys: set[tuple[str, str]] = set()
    for index, submission in enumerate(submissions):
        if (submission.task, submission.id) in keys:
            raise TaskError(
                f"attempts/{index}: a second attempt {submission.id!r} at {submission.task}"
            )
        keys.add((submission.task, submission.id))
    return submissions


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


def _submission(folder: Path, fields: Fields, originals: dict[str, Path]) -> Submission:
    task = get_task(fields.take("task", str)).id
    file = _file(folder, fields.take("deck", str), fields.location("deck"))
    original = originals.get(task)
    submission = Submission(
        task=task,
        id=fields.take("id", str, file.stem),
        grade=Grade[fields.choice("grade", _GRADES).upper()],
        why=fields.take("why", str, ""),
        deck=partial(read_bytes, file),
        original=None if original is None else partial(read_bytes, original),
    )
    fields.finish()
    return submission


def _file(folder: Path, name: Any, location: str) -> Path:
    if not isinstance(name, str) or PurePosixPath(name).is_absolute() or ".." in Path(name).parts:
        raise TaskError(f"{location}: expected a file of the folder, got {name!r}")
    if not (folder / name).is_file():
        raise TaskError(f"{location}: there is no file {folder / name}")
    return folder / name
