"""Tasks as files: JSON or YAML, alone or in a folder with their decks."""

import dataclasses
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pptarena.errors import RubricError, TaskError
from pptarena.files import read_text
from pptarena.rewards import Rubric, Scope, load_rubric, load_scope
from pptarena.tasks.answers import load_answers
from pptarena.tasks.deck_source import DeckSource, find_deck
from pptarena.tasks.demonstration import load_demonstration
from pptarena.tasks.dialogue import load_dialogue
from pptarena.tasks.fields import Fields, require_characters
from pptarena.tasks.macros import load_macros
from pptarena.tasks.task import (
    DIFFICULTIES,
    EDIT_TYPES,
    GOLD_RUBRIC,
    INTACT_RUBRIC,
    LEVELS,
    MAX_STEPS,
    Task,
)
from pptarena.tasks.task_files import find_files
from pptarena.tasks.turn import Turn

__all__ = ["SUFFIXES", "TASK_FILES", "is_task", "load_task", "parse_task", "suite_folder"]

SUFFIXES = (".json", ".yaml", ".yml")
"""What the name of a task file ends in."""

TASK_FILES = tuple(f"task{suffix}" for suffix in SUFFIXES)
"""What the task file of a folder is called."""

_VERSIONS = (1, 2)
_TEXTS = ("deck", "instruction")
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def load_task(path: str | Path) -> Task:
    """Read a task.

    Args:
        path: Its file, or a folder that holds ``task.json`` or ``task.yaml``, anywhere.

    Raises:
        TaskError: If the file cannot be read or is malformed, or a deck is not there. The message
            begins with its name and the place in it, such as
            ``"a.json: demonstration/2/kind: expected one of ..."``.
    """
    file = _file_of(Path(path).expanduser().resolve())
    try:
        value = _read(file)
        task = parse_task(value, file.parent, suite_folder(file).name, str(file))
        if value["version"] == 1 and task.id != file.stem:
            raise TaskError(f"id: expected {file.stem!r}, the name of the file, got {task.id!r}")
    except TaskError as error:
        raise TaskError(f"{_shown(file)}: {error}") from error
    return task


def parse_task(value: Any, folder: Path, suite: str, place: str) -> Task:
    """Return the task that a file holds.

    Args:
        value: The object in it.
        folder: Where paths in it start.
        suite: Name of the suite.
        place: What finds it again; see `Task.place`.

    Raises:
        TaskError: If it is malformed; the message begins with the place in it.
    """
    require_characters(value)
    fields = Fields(value)
    version = fields.take("version", int)
    fields.take("canary", str, "")  # for whoever searches training data; no part of the task
    if version not in _VERSIONS:
        raise TaskError(f"version: expected 1 or 2, got {version}")
    read = _version_1 if version == 1 else _version_2
    task = read(fields, folder, suite, place)
    fields.finish()
    _check(task)
    return task


def is_task(path: Path) -> bool:
    """Return whether a path is that of a task, well formed or not, and not of a bare rubric."""
    if path.is_dir():
        return any((path / name).is_file() for name in TASK_FILES)
    if path.suffix not in SUFFIXES or not path.is_file():
        return False
    try:
        value = _read(path)
    except TaskError:
        return False
    return isinstance(value, Mapping) and all(name in value for name in _TEXTS)


def suite_folder(file: Path) -> Path:
    """Return the folder of tasks that a task file, or the folder around it, belongs to."""
    return file.parent.parent if file.name in TASK_FILES else file.parent


def _file_of(path: Path) -> Path:
    if not path.is_dir():
        return path
    found = [path / name for name in TASK_FILES if (path / name).is_file()]
    if len(found) != 1:
        got = " and ".join(file.name for file in found) or "none"
        raise TaskError(f"{path.name}: expected one of {', '.join(TASK_FILES)} in it, got {got}")
    return found[0]


def _shown(file: Path) -> str:
    return f"{file.parent.name}/{file.name}" if file.name in TASK_FILES else file.name


def _read(file: Path) -> Any:
    if file.suffix not in SUFFIXES:
        raise TaskError(f"expected a file that ends in {', '.join(SUFFIXES)}")
    try:
        text = read_text(file)
        return json.loads(text) if file.suffix == ".json" else _read_yaml(text)
    except (OSError, ValueError, RecursionError) as error:
        raise TaskError(str(error) or type(error).__name__) from error


def _read_yaml(text: str) -> Any:
    try:
        import yaml
    except ImportError as error:
        raise TaskError("YAML is read by a package that is missing: pip install pyyaml") from error
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise TaskError(str(error)) from error


def _version_1(fields: Fields, folder: Path, suite: str, place: str) -> Task:
    feasible = fields.take("feasible", bool, True)
    return Task(
        id=fields.take("id", str),
        suite=suite,
        difficulty=fields.choice("difficulty", DIFFICULTIES),
        level=fields.choice("level", LEVELS),
        edit_types=_edit_types(fields.list("edit_types"), least=1),
        deck=find_deck(fields.take("deck", str), folder, "deck"),
        instruction=fields.take("instruction", str).strip(),
        max_steps=fields.take("max_steps", int),
        feasible=feasible,
        rubric=_rubric(fields.take("rubric", dict)),
        scope=_scope(fields.take("scope", dict), feasible),
        demonstration=load_demonstration(fields.list("demonstration", []), "demonstration"),
        macros=load_macros(fields.list("macros", []), "macros"),
        place=place,
    )


def _version_2(fields: Fields, folder: Path, suite: str, place: str) -> Task:
    id, first = fields.take("id", str), _turn(fields, folder)
    return Task(
        id=id,
        suite=suite,
        **{each.name: getattr(first, each.name) for each in dataclasses.fields(first)},
        turns=_later_turns(fields.list("turns", []), folder),
        files=find_files(fields.list("files", []), folder),
        answers=load_answers(fields.list("answers", [])),
        dialogue=load_dialogue(fields.list("dialogue", [])),
        difficulty=fields.choice("difficulty", DIFFICULTIES, "medium"),
        level=fields.choice("level", LEVELS, "L1"),
        edit_types=_edit_types(fields.list("edit_types", [])),
        deck=find_deck(fields.take("deck", str), folder, "deck"),
        paraphrases=_texts(fields, "paraphrases"),
        source=fields.take("source", str, ""),
        max_steps=fields.take("max_steps", int, MAX_STEPS),
        demonstration=load_demonstration(fields.list("demonstration", []), "demonstration"),
        macros=load_macros(fields.list("macros", []), "macros"),
        grown=fields.take("grown", dict, {}),
        place=place,
    )


def _turn(fields: Fields, folder: Path) -> Turn:
    """Read what one turn asks for, and what tells whether it was carried out."""
    gold = _gold(fields, folder)
    feasible = fields.take("feasible", bool, True)
    if gold is not None and not feasible:
        raise TaskError("gold: expected none, since a task that cannot be done has no goal")
    may_lack = gold is not None or not feasible
    rubric, scope = (_own(fields, name, may_lack) for name in ("rubric", "scope"))
    if not feasible:
        scope = scope or {}
    return Turn(
        instruction=fields.take("instruction", str).strip(),
        rubric=(GOLD_RUBRIC if feasible else INTACT_RUBRIC) if rubric is None else _rubric(rubric),
        scope=None if scope is None else _scope(scope, feasible),
        gold=gold,
        feasible=feasible,
        kept=fields.take("kept", bool, True),
    )


def _later_turns(values: list[Any], folder: Path) -> tuple[Turn, ...]:
    found = []
    for index, value in enumerate(values):
        try:
            fields = Fields(value)
            found.append(_turn(fields, folder))
            fields.finish()
            if not found[-1].instruction:
                raise TaskError("instruction: expected a text, got none")
        except TaskError as error:
            raise TaskError(f"turns/{index}: {error}") from error
    return tuple(found)


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


def _gold(fields: Fields, folder: Path) -> DeckSource | None:
    words = fields.take("gold", str, "")
    return find_deck(words, folder, "gold") if words else None


def _own(fields: Fields, name: str, may_lack: bool) -> dict[str, Any] | None:
    """Return a field that may be missing where there is a gold deck, or nothing to be done."""
    if fields.has(name):
        return fields.take(name, dict)
    if not may_lack:
        raise fields.missing(name, "an object, or a gold deck in its stead")
    return None


def _edit_types(values: list[Any], least: int = 0) -> tuple[str, ...]:
    if len(values) < least:
        raise TaskError("edit_types: expected at least one")
    for index, value in enumerate(values):
        if value not in EDIT_TYPES:
            raise TaskError(
                f"edit_types/{index}: expected one of {', '.join(EDIT_TYPES)}, got {value!r}"
            )
    return tuple(values)


def _texts(fields: Fields, name: str) -> tuple[str, ...]:
    values = fields.list(name, [])
    for index, value in enumerate(values):
        if not isinstance(value, str) or not value.strip():
            raise TaskError(f"{name}/{index}: expected a text, got {value!r}")
    return tuple(value.strip() for value in values)


def _rubric(value: dict[str, Any]) -> Rubric:
    try:
        return load_rubric(value)
    except RubricError as error:
        raise TaskError(f"rubric/{error}") from error


def _scope(value: dict[str, Any], feasible: bool) -> Scope:
    try:
        scope = load_scope(value)
    except RubricError as error:
        raise TaskError(str(error)) from error
    if feasible and scope.allows_nothing:
        raise TaskError("scope: expected the part of the deck that the task may touch, got nothing")
    return scope
