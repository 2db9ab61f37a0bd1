"""`Task`: one editing task, and how it is read from its file."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pptarena.errors import RubricError, TaskError
from pptarena.rewards import Rubric, Scope, load_rubric, load_scope
from pptarena.tasks.deck_files import deck_names, read_deck_file
from pptarena.tasks.demonstration import DemoStep, load_demonstration
from pptarena.tasks.fields import Fields

__all__ = ["DIFFICULTIES", "EDIT_TYPES", "LEVELS", "Task", "load_task"]

DIFFICULTIES = ("easy", "medium", "hard")
"""By the steps of a skilled user: up to five, five to ten, more."""

LEVELS = ("L1", "L2", "L3", "L4")
"""One operation, one program's features combined, several programs, open-ended creation."""

EDIT_TYPES = (
    "text",
    "shapes",
    "images",
    "tables",
    "charts",
    "diagrams",
    "media",
    "arrangement",
    "layouts",
    "themes",
    "masters",
    "animations",
    "transitions",
    "hyperlinks",
    "slides",
    "accessibility",
)
"""The sixteen kinds of edits of the PPTArena editing benchmark, table 1.

``arrangement`` is alignment, distribution, grouping and z-order; ``slides`` is slides, sections,
their order, numbers, footers and notes; ``accessibility`` is alt text, reading order and comments.
"""

_VERSION = 1
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Task:
    """One task: an instruction on a deck, and what tells whether it was carried out.

    Attributes:
        id: Lower-case words joined by ``-``; part of a gymnasium id.
        suite: Name of the set of tasks it belongs to.
        difficulty: One of `DIFFICULTIES`.
        level: One of `LEVELS`.
        edit_types: Some of `EDIT_TYPES`.
        deck: Name of the deck it starts from.
        instruction: What the agent is asked to do.
        max_steps: Steps after which an episode is truncated.
        rubric: Scores the edited deck.
        scope: The part of the deck that the task may touch; every file declares one. None is for
            tasks made in code: nothing may be touched, and damage is not measured.
        feasible: Whether it can be done; of an infeasible task, the right end is ``fail``.
        demonstration: The actions of one way to do it.
    """

    id: str
    suite: str
    difficulty: str
    level: str
    edit_types: tuple[str, ...]
    deck: str
    instruction: str
    max_steps: int
    rubric: Rubric
    scope: Scope | None = None
    feasible: bool = True
    demonstration: tuple[DemoStep, ...] = ()

    def deck_bytes(self) -> bytes:
        """Return the .pptx file the task starts from.

        Raises:
            TaskError: If the package has no deck of that name.
        """
        return read_deck_file(self.deck)

    def to_json(self) -> dict[str, Any]:
        """Return what describes the task to a reader: no rubric, no demonstration."""
        return {
            "id": self.id,
            "suite": self.suite,
            "difficulty": self.difficulty,
            "level": self.level,
            "edit_types": list(self.edit_types),
            "deck": self.deck,
            "instruction": self.instruction,
        }


def load_task(path: Path) -> Task:
    """Read a task from its file; the folder's name is the suite.

    Raises:
        TaskError: If the file cannot be read or is malformed; the message begins with its name
            and the place in it, such as ``"a.json: demonstration/2/kind: expected one of ..."``.
    """
    try:
        value = json.loads(path.read_text("utf-8"))
        task = _task(Fields(value), path.parent.name)
        if task.id != path.stem:
            raise TaskError(f"id: expected {path.stem!r}, the name of the file, got {task.id!r}")
    except (OSError, ValueError, TaskError) as error:
        raise TaskError(f"{path.name}: {error}") from error
    return task


def _task(fields: Fields, suite: str) -> Task:
    version = fields.take("version", int)
    if version != _VERSION:
        raise TaskError(f"version: expected {_VERSION}, got {version}")
    task = Task(
        id=fields.take("id", str),
        suite=suite,
        difficulty=fields.choice("difficulty", DIFFICULTIES),
        level=fields.choice("level", LEVELS),
        edit_types=_edit_types(fields.list("edit_types")),
        deck=fields.take("deck", str),
        instruction=fields.take("instruction", str).strip(),
        max_steps=fields.take("max_steps", int),
        feasible=fields.take("feasible", bool, True),
        rubric=_rubric(fields.take("rubric", dict)),
        scope=_scope(fields.take("scope", dict)),
        demonstration=load_demonstration(fields.list("demonstration", []), "demonstration"),
    )
    fields.finish()
    _check(task)
    return task


def _check(task: Task) -> None:
    if not _ID.fullmatch(task.id):
        raise TaskError(f"id: expected lower-case words joined by '-', got {task.id!r}")
    if not task.instruction:
        raise TaskError("instruction: expected a text, got none")
    steps = len(task.demonstration)
    if task.max_steps <= steps:
        # The end of an episode is a step of its own.
        raise TaskError(
            f"max_steps: expected more than the {steps} steps of the demonstration, "
            f"got {task.max_steps}"
        )
    if task.feasible and (task.scope is None or task.scope.allows_nothing):
        raise TaskError("scope: expected the part of the deck that the task may touch, got nothing")
    if task.deck not in deck_names():
        raise TaskError(f"deck: expected one of {', '.join(deck_names())}, got {task.deck!r}")


def _edit_types(values: list[Any]) -> tuple[str, ...]:
    if not values:
        raise TaskError("edit_types: expected at least one")
    for index, value in enumerate(values):
        if value not in EDIT_TYPES:
            raise TaskError(
                f"edit_types/{index}: expected one of {', '.join(EDIT_TYPES)}, got {value!r}"
            )
    return tuple(values)


def _rubric(value: dict[str, Any]) -> Rubric:
    try:
        return load_rubric(value)
    except RubricError as error:
        raise TaskError(f"rubric/{error}") from error


def _scope(value: dict[str, Any]) -> Scope:
    try:
        return load_scope(value)
    except RubricError as error:
        raise TaskError(str(error)) from error
