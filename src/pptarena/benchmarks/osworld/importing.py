"""Import OSWorld's LibreOffice Impress tasks as task files with their decks."""

import json
import re
import uuid
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from pptarena.benchmarks.osworld.case import Case, Download, Evaluator, read_case
from pptarena.benchmarks.osworld.requirements import (
    Requirements,
    derive_requirements,
    require_supported,
)
from pptarena.benchmarks.outcome import Outcome, RefusedError, outcomes
from pptarena.benchmarks.task_folder import TaskFolder, make_task_id
from pptarena.benchmarks.user_copy import UserCopy
from pptarena.decks import read_deck
from pptarena.errors import TaskError
from pptarena.rewards.gold.plan import plan_of
from pptarena.tasks.draft.classification import difficulty_of, edit_types_of, level_of, steps_of

__all__ = ["EXAMPLES", "PUBLISHED", "STEPS", "import_examples"]

EXAMPLES: Final = "evaluation_examples/examples/libreoffice_impress"
"""Folder of the task files in a copy of the repository."""

PUBLISHED: Final = "osworld.json"
"""File next to a task's decks that stores the benchmark's own evaluators."""

STEPS: Final = 50
"""Step budget: the middle one of the budgets that the benchmark reports."""

_SOURCE = "OSWorld, github.com/xlang-ai/OSWorld, Apache-2.0"
_ON_DESKTOP = re.compile(r"\bon (?:the|my) Desktop\b", re.IGNORECASE)


_FOLDERS = ("libreoffice_impress/{}", "{}", "cache/{}")


class Downloads:
    """A folder with one folder per task: ``libreoffice_impress/ID``, ``ID`` or ``cache/ID``.

    The benchmark's own runs create the last of these.

    Args:
        root: The folder.

    Raises:
        TaskError: If the folder does not exist.
    """

    def __init__(self, root: Path) -> None:
        self._copy = UserCopy(root)

    def deck(self, id: str, file: Download, label: str) -> bytes:
        """Return a .pptx file of a task.

        Raises:
            RefusedError: If the file is missing or not a deck.
        """
        return self._copy.deck(self._find(id, file, "a deck is missing", label), label)

    def file(self, id: str, file: Download, label: str) -> bytes:
        """Return the bytes of any other file of a task.

        Raises:
            RefusedError: If the file is missing.
        """
        return self._copy.file(self._find(id, file, "a file is missing", label), label)

    def _find(self, id: str, file: Download, cause: str, label: str) -> str:
        names = list(dict.fromkeys(_names(file)))
        for template in _FOLDERS:
            for name in names:
                path = f"{template.format(id)}/{name}"
                if self._copy.has(path):
                    return path
        folders = " or ".join(template.format(id) for template in _FOLDERS)
        raise RefusedError(cause, f"{label}: expected {' or '.join(names)} in {folders}")


def _names(file: Download) -> Iterator[str]:
    """Yield the possible names of a file, starting with its name in the benchmark's cache.

    In the cache, the name that a deck has in the machine may belong to a result.
    """
    if file.name:
        yield f"{uuid.uuid5(uuid.NAMESPACE_URL, file.url)}_{file.name}"
    name = PurePosixPath(unquote(urlsplit(file.url).path)).name
    if "." in name.strip("."):
        yield name
    if file.name:
        yield file.name


def import_examples(path: Path, files: Path, out: Path) -> Iterator[Outcome]:
    """Write the tasks of a user's copy as a task folder; yield the outcome of each.

    Args:
        path: The repository, or its folder of task files.
        files: Folder with the decks and other files of the tasks; see `Downloads`.
        out: Output folder; created if it does not exist.

    Raises:
        TaskError: If there are no task files.
    """
    copy = UserCopy(path)
    if (copy.root / EXAMPLES).is_dir():
        copy = UserCopy(copy.root / EXAMPLES)
    names = sorted(file.name for file in copy.root.glob("*.json"))
    if not names:
        raise TaskError(f"{path}: expected task files in it or in {EXAMPLES}, found none")
    downloads, folder = Downloads(files), TaskFolder(out)
    yield from outcomes(
        (name.removesuffix(".json"), partial(_import, name, copy, downloads, folder))
        for name in names
    )


def _import(name: str, copy: UserCopy, downloads: Downloads, folder: TaskFolder) -> str:
    case = read_case(copy.json(name))
    require_supported(case)
    initial_files = {download.path: download for download in case.downloads}
    if case.opened_path not in initial_files:
        raise RefusedError("starts without a deck", case.opened_path or "no file is opened")
    deck_file = initial_files.pop(case.opened_path)
    if not deck_file.name.lower().endswith(".pptx"):
        raise RefusedError("the opened file is not a .pptx file", deck_file.name)
    deck = downloads.deck(case.id, deck_file, "the deck")
    files = {
        download.name: downloads.file(case.id, download, f"the file {download.name}")
        for download in initial_files.values()
    }
    golds = [
        None if download.gold is None else downloads.deck(case.id, download.gold, "the gold deck")
        for download in case.evaluators
    ]
    requirements = derive_requirements(case, deck, _gold_decks(case, golds), files)
    task = {
        "id": make_task_id("osworld", case.id),
        # This package puts attachments next to the deck, in Documents.
        "instruction": _ON_DESKTOP.sub("in Documents", case.instruction)
        if files
        else case.instruction,
        "max_steps": STEPS,
        "source": f"{_SOURCE}: libreoffice_impress/{case.id}",
        **_classification(requirements, deck),
        **requirements.fields,
        **({"scene": list(case.scene)} if case.scene else {}),
    }
    other_files = {
        f"gold-{position}.pptx": gold for position, gold in enumerate(golds, 1) if gold is not None
    }
    record = json.dumps(_record(case, golds), ensure_ascii=False, indent=1)
    other_files[PUBLISHED] = f"{record}\n".encode()
    return folder.write(
        task, deck, deck_file.name, gold=requirements.gold, files=files, other_files=other_files
    )


def _gold_decks(case: Case, golds: list[bytes | None]) -> list[bytes]:
    decks = [gold for gold in golds if gold is not None]
    if case.evaluators[0].func == "compare_pptx_files" and len(decks) < len(golds):
        raise RefusedError("malformed", "evaluator/expected: expected a deck to compare with")
    return decks


def _classification(requirements: Requirements, deck: bytes) -> dict[str, Any]:
    if requirements.gold is None:
        return {"difficulty": "easy", "level": "L1", "edit_types": list(requirements.edit_types)}
    groups = plan_of(read_deck(deck), read_deck(requirements.gold)).groups
    return {
        "difficulty": difficulty_of(steps_of(groups))[0],
        "level": level_of(groups),
        "edit_types": list(edit_types_of(groups)),
    }


def _record(case: Case, golds: list[bytes | None]) -> dict[str, Any]:
    evaluators = [
        _evaluator(evaluator, index, golds) for index, evaluator in enumerate(case.evaluators)
    ]
    return {"id": case.id, "any": case.any, "wanted": evaluators}


def _evaluator(evaluator: Evaluator, index: int, golds: list[bytes | None]) -> Mapping[str, Any]:
    gold = None if golds[index] is None else f"gold-{index + 1}.pptx"
    return {
        "func": evaluator.func,
        "options": dict(evaluator.options),
        "rules": dict(evaluator.rules),
        "gold": gold,
    }
