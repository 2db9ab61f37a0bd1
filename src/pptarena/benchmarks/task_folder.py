"""Write a folder of tasks case by case, each with its own folder of decks."""

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any, Final

from pptarena.benchmarks.outcome import RefusedError
from pptarena.errors import DeckError, TaskError
from pptarena.rewards.scored_tree import ALMOST_ONE
from pptarena.tasks.deck_source import file_name
from pptarena.tasks.scorer import Scorer
from pptarena.tasks.task import Task
from pptarena.tasks.task_file import load_task
from pptarena.tasks.task_files import TaskFile, require_files

__all__ = ["DECKS", "GOLD", "TaskFolder", "make_task_id"]

DECKS: Final = "decks"
"""The folder of decks next to the tasks."""

GOLD: Final = "gold.pptx"
"""Name of the gold deck in a task's folder of decks."""

_MAX_ID = 80
_NO_FILES: Mapping[str, bytes] = MappingProxyType({})


def make_task_id(benchmark: str, name: str) -> str:
    """Return the task id of a case: a prefix and the words of its name."""
    words = re.findall(r"[a-z0-9]+", name.casefold()) or ["case"]
    return "-".join((benchmark, *words))[:_MAX_ID].rstrip("-")


class TaskFolder:
    """A folder of tasks.

    Args:
        out: The folder; created if it does not exist.
    """

    def __init__(self, out: Path) -> None:
        self._out = out
        self._ids: set[str] = set()

    def write(
        self,
        task: Mapping[str, Any],
        deck: bytes,
        deck_name: str,
        *,
        gold: bytes | None = None,
        files: Mapping[str, bytes] = _NO_FILES,
        other_files: Mapping[str, bytes] = _NO_FILES,
    ) -> str:
        """Write a task with its decks; return its id.

        Args:
            task: Its fields, except ``version``, ``deck``, ``gold`` and ``files``.
            deck: The initial .pptx file.
            deck_name: File name of the deck; characters that the machine does not allow are
                replaced.
            gold: The gold deck as a .pptx file.
            files: Attachments in the machine, by name.
            other_files: Other files for the folder of decks, by file name.

        Raises:
            RefusedError: If the task is invalid, its id is taken, its original deck scores above 0
                or its gold deck below 1; then nothing is written.
        """
        id = str(task["id"])
        if id in self._ids:
            raise RefusedError("malformed", f"another case has the same id, {id!r}")
        folder = self._out / DECKS / id
        name = file_name(Path(PurePosixPath(deck_name).name))
        if name.lower() in {GOLD, *map(str.lower, (*files, *other_files))}:
            name = f"deck of {name}"
        content = {name: deck, **other_files, **{f"files/{file}": files[file] for file in files}}
        if gold is not None:
            content[GOLD] = gold
        prefix = f"{DECKS}/{id}"
        value = {"version": 2, **task, "deck": f"{prefix}/{name}"}
        value |= {"gold": f"{prefix}/{GOLD}"} if gold is not None else {}
        value |= {"files": [f"{prefix}/files/{file}" for file in files]} if files else {}
        path = self._out / f"{id}.json"
        try:
            # Check first: a third-party name may be a path.
            require_files([TaskFile(file, data) for file, data in files.items()], name)
            for file, data in content.items():
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                (folder / file).write_bytes(data)
            path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", "utf-8")
            _require_sound(load_task(path))
        except (DeckError, OSError, TaskError) as error:
            path.unlink(missing_ok=True)
            shutil.rmtree(folder, ignore_errors=True)
            if isinstance(error, RefusedError):
                raise
            raise RefusedError("malformed", str(error)) from error
        self._ids.add(id)
        return id


def _require_sound(task: Task) -> None:
    """Refuse a task whose original scores above 0 or whose gold scores below 1.

    Unscored leaves are ignored.
    """
    if not task.feasible:
        return
    scorer, gold = Scorer(task), task.gold_bytes()
    start = scorer.score(scorer.original_file)
    if start.score:
        details = f"{start.score:.2f} on the original deck: {start.reason}"
        raise RefusedError("the deck meets the request already", details)
    if gold is None:
        return
    end = scorer.score(gold)
    if (end.score or 0.0) < ALMOST_ONE:
        raise RefusedError("the gold deck does not score 1", f"{end.score}: {end.reason}")
