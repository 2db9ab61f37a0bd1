"""Import tasks of PPT-Eval as task files with their decks."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, Final

from pptarena.benchmarks.outcome import Outcome, outcomes
from pptarena.benchmarks.ppteval.importer import rubric_json
from pptarena.benchmarks.ppteval.suite import PUBLISHED_STEPS, REGISTRY
from pptarena.benchmarks.task_folder import TaskFolder, make_task_id
from pptarena.benchmarks.user_copy import UserCopy, read_text_field
from pptarena.decks.diff.change import ASPECTS
from pptarena.errors import TaskError
from pptarena.tasks.task import DIFFICULTIES

__all__ = ["EVERYTHING", "import_registry"]

EVERYTHING: Final = {"slides": "all", "new_slides": True, "aspects": sorted(ASPECTS)}
"""Scope of a task whose rubric alone specifies what must not change, as published."""


def import_registry(path: Path, out: Path) -> Iterator[Outcome]:
    """Write the tasks of a user's copy as a task folder; yield the outcome of each.

    Args:
        path: The copy, with `REGISTRY` and the rubrics and decks that it names.
        out: Output folder; created if it does not exist.

    Raises:
        TaskError: If the registry is missing or malformed.
    """
    copy = UserCopy(path)
    registry = copy.json(REGISTRY)
    if not isinstance(registry, dict) or not registry:
        raise TaskError(f"{REGISTRY}: expected an object of tasks by id")
    folder = TaskFolder(out)
    yield from outcomes(
        (str(id), partial(_import, str(id), value, copy, folder)) for id, value in registry.items()
    )


def _import(id: str, value: Any, copy: UserCopy, folder: TaskFolder) -> str:
    goal, rubric_path = read_text_field(value, "goal"), read_text_field(value, "rubric_path")
    rubric = rubric_json(copy.json(rubric_path))
    deck = copy.deck(value.get("file_path"), "file_path")
    misc = value.get("misc")
    difficulty = str(misc.get("difficulty", "")).lower() if isinstance(misc, dict) else ""
    task = {
        "id": make_task_id("ppteval", id),
        "instruction": goal,
        "difficulty": difficulty if difficulty in DIFFICULTIES else "medium",
        "max_steps": PUBLISHED_STEPS,
        "rubric": rubric,
        "scope": EVERYTHING,
        "source": f"PPT-Eval, github.com/microsoft/ppteval, MIT: {id}",
    }
    return folder.write(task, deck, PurePosixPath(str(value["file_path"])).name)
