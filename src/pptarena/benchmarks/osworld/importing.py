"""Import OSWorld's LibreOffice Impress tasks as task files with their decks."""

import json
import re
import uuid
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from pptarena.benchmarks.osworld.case import Case, Download, Wanted, read_case
from pptarena.benchmarks.osworld.goals import Goal, goal_of, require_judged
from pptarena.benchmarks.outcome import Outcome, RefusedError, outcomes
from pptarena.benchmarks.task_folder import TaskFolder, id_of
from pptarena.benchmarks.user_copy import UserCopy
from pptarena.decks import read_deck
from pptarena.errors import TaskError
from pptarena.rewards.gold.plan import plan_of
from pptarena.tasks.draft.kinds import difficulty_of, edit_types_of, level_of, steps_of

__all__ = ["EXAMPLES", "PUBLISHED", "STEPS", "import_examples"]

EXAMPLES: Final = "evaluation_examples/examples/libreoffice_impress"
"""Folder of the task files in a copy of the repository."""

PUBLISHED: Final = "osworld.json"
"""File next to a task's decks that stores the benchmark's own evaluators."""

STEPS: Final = 50
"""Step budget: the middle one of the budgets that the benchmark reports."""

_SOURCE = "OSWorld, github.com/xlang-ai/OSWorld, Apache-2.0"
_ON_DESKTOP = re.compile(r"\bon (?:the|my) Desktop\b", re.IGNORECASE)


_HOMES = ("libreoffice_impress/{}", "{}", "cache/{}")


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

    def deck(self, id: str, file: Download, place: str) -> bytes:
        """Return a .pptx file of a task.

        Raises:
            RefusedError: If the file is missing or not a deck.
        """
        return self._copy.deck(self._find(id, file, "a deck is missing", place), place)

    def file(self, id: str, file: Download, place: str) -> bytes:
        """Return the bytes of any other file of a task.

        Raises:
            RefusedError: If the file is missing.
        """
        return self._copy.file(self._find(id, file, "a file is missing", place), place)

    def _find(self, id: str, file: Download, cause: str, place: str) -> str:
        names = list(dict.fromkeys(_names(file)))
        for home in _HOMES:
            for name in names:
                words = f"{home.format(id)}/{name}"
                if self._copy.has(words):
                    return words
        where = " or ".join(home.format(id) for home in _HOMES)
        raise RefusedError(cause, f"{place}: expected {' or '.join(names)} in {where}")


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
    names = sorted(each.name for each in copy.root.glob("*.json"))
    if not names:
        raise TaskError(f"{path}: expected task files in it or in {EXAMPLES}, found none")
    downloads, folder = Downloads(files), TaskFolder(out)
    yield from outcomes(
        (name.removesuffix(".json"), partial(_import, name, copy, downloads, folder))
        for name in names
    )


def _import(name: str, copy: UserCopy, downloads: Downloads, folder: TaskFolder) -> str:
    case = read_case(copy.json(name))
    require_judged(case)
    at_start = {each.path: each for each in case.downloads}
    if case.opened not in at_start:
        raise RefusedError("begins without a deck", case.opened or "nothing is opened")
    deck_file = at_start.pop(case.opened)
    if not deck_file.name.lower().endswith(".pptx"):
        raise RefusedError("the file that is opened is no .pptx", deck_file.name)
    deck = downloads.deck(case.id, deck_file, "the deck")
    files = {
        each.name: downloads.file(case.id, each, f"the file {each.name}")
        for each in at_start.values()
    }
    golds = [
        None if each.gold is None else downloads.deck(case.id, each.gold, "the gold deck")
        for each in case.wanted
    ]
    goal = goal_of(case, deck, _golds(case, golds), files)
    task = {
        "id": id_of("osworld", case.id),
        # This package puts attachments next to the deck, in Documents.
        "instruction": _ON_DESKTOP.sub("in Documents", case.instruction)
        if files
        else case.instruction,
        "max_steps": STEPS,
        "source": f"{_SOURCE}: libreoffice_impress/{case.id}",
        **_facts(goal, deck),
        **goal.fields,
        **({"scene": list(case.scene)} if case.scene else {}),
    }
    other_files = {f"gold-{at}.pptx": gold for at, gold in enumerate(golds, 1) if gold is not None}
    record = json.dumps(_published(case, golds), ensure_ascii=False, indent=1)
    other_files[PUBLISHED] = f"{record}\n".encode()
    return folder.write(
        task, deck, deck_file.name, gold=goal.gold, files=files, other_files=other_files
    )


def _golds(case: Case, golds: list[bytes | None]) -> list[bytes]:
    found = [gold for gold in golds if gold is not None]
    if case.wanted[0].func == "compare_pptx_files" and len(found) < len(golds):
        raise RefusedError("malformed", "evaluator/expected: expected a deck to compare with")
    return found


def _facts(goal: Goal, deck: bytes) -> dict[str, Any]:
    if goal.gold is None:
        return {"difficulty": "easy", "level": "L1", "edit_types": list(goal.edit_types)}
    groups = plan_of(read_deck(deck), read_deck(goal.gold)).groups
    return {
        "difficulty": difficulty_of(steps_of(groups))[0],
        "level": level_of(groups),
        "edit_types": list(edit_types_of(groups)),
    }


def _published(case: Case, golds: list[bytes | None]) -> dict[str, Any]:
    wanted = [_evaluator(each, at, golds) for at, each in enumerate(case.wanted)]
    return {"id": case.id, "any": case.any, "wanted": wanted}


def _evaluator(wanted: Wanted, at: int, golds: list[bytes | None]) -> Mapping[str, Any]:
    gold = None if golds[at] is None else f"gold-{at + 1}.pptx"
    return {
        "func": wanted.func,
        "options": dict(wanted.options),
        "rules": dict(wanted.rules),
        "gold": gold,
    }
