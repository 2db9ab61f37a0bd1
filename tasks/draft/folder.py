"""Task folders on disk: a draft with its decks, and a template to fill in."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pptarena.errors import TaskError
from pptarena.files import atomic_write
from pptarena.tasks.draft.drafter import Draft
from pptarena.tasks.task_files import TaskFile, require_files

__all__ = ["PLACEHOLDER", "require_id", "require_new", "slug_of", "write_draft", "write_template"]

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_FILES = frozenset(("task.json", "deck.pptx", "gold.pptx", "files"))
PLACEHOLDER = "WRITE HERE"
"""Marks the texts of a new task that the author has to write."""
_NO_FILES: Mapping[str, bytes] = MappingProxyType({})


def slug_of(name: str) -> str:
    """Return a task id derived from a file name: lower-case words joined by ``-``."""
    words = re.findall(r"[a-z0-9]+", name.casefold())
    slug = "-".join(words) or "task"
    return slug if slug[0].isalpha() else f"task-{slug}"


def require_id(id: str) -> None:
    """Raise TaskError unless an id consists of lower-case words joined by ``-``."""
    if not _ID.fullmatch(id):
        raise TaskError(f"id: expected lower-case words joined by '-', got {id!r}")


def write_draft(
    folder: Path,
    draft: Draft,
    deck: bytes,
    gold: bytes,
    *,
    files: Mapping[str, bytes] = _NO_FILES,
    force: bool = False,
) -> None:
    """Write a task folder: ``task.json``, ``deck.pptx``, ``gold.pptx`` and the attachments.

    Raises:
        TaskError: If the folder exists and `force` is not set, or contains other files.
        OSError: If it cannot be written.
    """
    decks = {"deck.pptx": deck, "gold.pptx": gold}
    _write(folder, {**decks, **_with_files(draft.task, files)}, force=force)


def write_template(
    folder: Path,
    deck: bytes,
    id: str,
    *,
    files: Mapping[str, bytes] = _NO_FILES,
    force: bool = False,
) -> Path:
    """Write a minimal task folder as a template, and return the path of its ``task.json``.

    All texts to fill in contain ``WRITE HERE``, so that the template is never mistaken for a task.

    Raises:
        TaskError: As for `write_draft`.
        OSError: If it cannot be written.
    """
    require_id(id)
    goal = {"name": f"{PLACEHOLDER}: what must be so", "critical": True, "check": "title_is"}
    nothing_else = {
        "name": "nothing else changed",
        "critical": False,
        "check": "nothing_else_changed",
    }
    args = {"slide": 1, "text": f"{PLACEHOLDER}: the new title"}
    children = [{**goal, "args": args}, {**nothing_else, "args": {}}]
    task = {
        "version": 2,
        "id": id,
        "difficulty": "easy",
        "level": "L1",
        "edit_types": ["text"],
        "deck": "deck.pptx",
        "instruction": f"{PLACEHOLDER}: what the agent is asked to do.",
        "max_steps": 15,
        "rubric": {"version": 1, "root": {"name": "the goal is reached", "children": children}},
        "scope": {"parts": [{"slides": [1], "aspects": ["text"], "shapes": ["@title"]}]},
    }
    _write(folder, {"deck.pptx": deck, **_with_files(task, files)}, force=force)
    return folder / "task.json"


def require_new(folder: Path, *, force: bool = False) -> None:
    """Raise TaskError if a task cannot be written to a folder because of existing files."""
    if folder.exists():
        if not folder.is_dir():
            raise TaskError(f"{folder} is a file: name a new folder")
        others = sorted(path.name for path in folder.iterdir() if path.name not in _FILES)
        if others:
            raise TaskError(
                f"{folder} is not a task folder, because it contains {others[0]!r}: name a new "
                "folder"
            )
        if not force:
            raise TaskError(
                f"{folder} exists: name a new folder, or overwrite the task with --force"
            )


def _write(folder: Path, files: dict[str, bytes], *, force: bool) -> None:
    require_new(folder, force=force)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        with atomic_write(folder / name) as file:
            file.write(content)


def _with_files(task: Mapping[str, Any], files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return ``task.json`` and the attachments it names, in a subfolder.

    Raises:
        TaskError: If an attachment's name is not allowed in a machine.
    """
    require_files([TaskFile(name, content) for name, content in files.items()], "deck.pptx")
    paths = {f"files/{name}": content for name, content in files.items()}
    return {**paths, "task.json": _json({**task, "files": list(paths)} if paths else task)}


def _json(task: Any) -> bytes:
    return (json.dumps(task, ensure_ascii=False, indent=2) + "\n").encode()
