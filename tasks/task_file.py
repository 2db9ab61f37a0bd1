"""Task files: JSON or YAML, alone or in a folder with their decks."""

import dataclasses
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pptarena.edits import check_solution
from pptarena.errors import EditError, RubricError, TaskError
from pptarena.files import read_text
from pptarena.problems import Problems
from pptarena.rewards import Rubric, Scope, load_rubric, load_scope
from pptarena.tasks.answers import load_answers
from pptarena.tasks.deck_source import DeckSource, file_name, find_deck
from pptarena.tasks.demonstration import DemoStep, load_demonstration, load_scene
from pptarena.tasks.dialogue import load_dialogue
from pptarena.tasks.fields import Fields, require_valid_text
from pptarena.tasks.macros import MacroCall, load_macros
from pptarena.tasks.task import (
    DIFFICULTIES,
    EDIT_TYPES,
    GOLD_RUBRIC,
    INTACT_RUBRIC,
    LEVELS,
    MAX_STEPS,
    Task,
)
from pptarena.tasks.task_files import find_files, require_files
from pptarena.tasks.turn import Turn

__all__ = [
    "SUFFIXES",
    "TASK_FILES",
    "is_task",
    "load_task",
    "parse_task",
    "read_spec",
    "suite_folder",
]

SUFFIXES = (".json", ".yaml", ".yml")
"""Suffixes of task files."""

TASK_FILES = tuple(f"task{suffix}" for suffix in SUFFIXES)
"""Names of the task file in a task folder."""

_VERSION = 2
_REQUIRED_TEXTS = ("deck", "instruction")
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def load_task(path: str | Path) -> Task:
    """Read a task.

    Args:
        path: A task file, or a folder that contains ``task.json`` or ``task.yaml``.

    Raises:
        TaskError: If the file cannot be read or is malformed, or a deck does not exist. The message
            begins with the file's name and lists every problem with its location, such as
            ``"a.json: demonstration/2/kind: expected one of ..."``.
    """
    file = _find_task_file(Path(path).expanduser().resolve())
    try:
        value = _read(file)
        return parse_task(value, file.parent, suite_folder(file).name, str(file))
    except TaskError as error:
        raise TaskError(f"{_display_name(file)}: {error}") from error


def parse_task(value: Any, folder: Path, suite: str, place: str) -> Task:
    """Return the task defined by the contents of a task file.

    Args:
        value: The parsed object.
        folder: Base folder of relative paths.
        suite: Name of the suite.
        place: Path that locates the task; see `Task.place`.

    Raises:
        TaskError: If it is malformed; each of the problems begins with its location.
    """
    require_valid_text(value)
    fields, problems = Fields(value), Problems(TaskError)
    version = problems.read(lambda: fields.take("version", int))
    # Identifies benchmark data in training sets; ignored otherwise.
    problems.read(lambda: fields.take("canary", str, ""))
    if version is not None and version != _VERSION:
        raise TaskError(f"version: expected {_VERSION}, got {version}")
    task = problems.read(lambda: _task(fields, folder, suite, place))
    problems.read(fields.finish)
    problems.finish()
    return task


def read_spec(path: Path) -> Any:
    """Return the contents of a task file, or of the task file in a folder.

    Raises:
        TaskError: If it cannot be read.
    """
    return _read(_find_task_file(path))


def is_task(path: Path) -> bool:
    """Return whether a path is a task, well-formed or not, rather than a bare rubric."""
    if path.is_dir():
        return any((path / name).is_file() for name in TASK_FILES)
    if path.suffix not in SUFFIXES or not path.is_file():
        return False
    try:
        value = _read(path)
    except TaskError:
        return False
    return isinstance(value, Mapping) and all(name in value for name in _REQUIRED_TEXTS)


def suite_folder(file: Path) -> Path:
    """Return the folder of tasks that contains a task file or task folder."""
    return file.parent.parent if file.name in TASK_FILES else file.parent


def _find_task_file(path: Path) -> Path:
    if not path.is_dir():
        return path
    files = [path / name for name in TASK_FILES if (path / name).is_file()]
    if len(files) != 1:
        names = " and ".join(file.name for file in files) or "none"
        raise TaskError(f"{path.name}: expected one of {', '.join(TASK_FILES)} in it, got {names}")
    return files[0]


def _display_name(file: Path) -> str:
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


def _task(fields: Fields, folder: Path, suite: str, place: str) -> Task:
    problems = Problems(TaskError)
    read = problems.read
    id = read(lambda: _id(fields))
    first_turn = read(lambda: _turn(fields, folder))
    demonstration = read(lambda: _demonstration(fields))
    values: dict[str, Any] = {
        "turns": read(lambda: _later_turns(fields.list("turns", []), folder)),
        "answers": read(lambda: load_answers(fields.list("answers", []))),
        "scene": read(lambda: load_scene(fields.list("scene", []), "scene")),
        "dialogue": read(lambda: load_dialogue(fields.list("dialogue", []))),
        "difficulty": read(lambda: fields.choice("difficulty", DIFFICULTIES, "medium")),
        "level": read(lambda: fields.choice("level", LEVELS, "L1")),
        "edit_types": read(lambda: _edit_types(fields.list("edit_types", []))),
        "source": read(lambda: fields.take("source", str, "")),
        "labels": read(lambda: _labels(fields.take("labels", dict, {}))),
        "max_steps": read(
            lambda: _max_steps(fields.take("max_steps", int, MAX_STEPS), demonstration)
        ),
        "macros": read(lambda: _macros(fields)),
        "grown": read(lambda: fields.take("grown", dict, {})),
    }
    deck = read(lambda: find_deck(fields.take("deck", str), folder, "deck"))
    files = read(lambda: find_files(fields.list("files", []), folder))
    if deck is not None and files is not None:
        read(lambda: require_files(files, file_name(deck)))
    problems.finish()
    turn_values = {
        each.name: getattr(first_turn, each.name) for each in dataclasses.fields(first_turn)
    }
    return Task(
        id=id,
        suite=suite,
        deck=deck,
        files=files,
        demonstration=demonstration,
        place=place,
        **turn_values,
        **values,
    )


def _turn(fields: Fields, folder: Path) -> Turn:
    """Read one turn: its instruction and how it is scored."""
    problems = Problems(TaskError)
    read = problems.read
    instruction = read(lambda: _instruction(fields))
    gold = read(lambda: _gold(fields, folder))
    has_no_gold = gold is None and not problems.any
    feasible = read(lambda: fields.take("feasible", bool, True)) is not False
    if gold is not None and not feasible:
        read(lambda: _reject("gold"))
    solution = read(lambda: _solution(fields))
    if solution and not feasible:
        read(lambda: _reject("solution"))
    is_optional = not has_no_gold or not feasible
    rubric = read(lambda: _optional_object(fields, "rubric", is_optional))
    scope = read(lambda: _optional_object(fields, "scope", is_optional))
    turn = Turn(
        instruction=instruction,
        rubric=read(lambda: _rubric_of_turn(rubric, feasible)),
        scope=read(lambda: _scope_of_turn(scope, feasible)),
        gold=gold,
        feasible=feasible,
        kept=read(lambda: fields.take("kept", bool, True)),
        solution=solution or (),
        paraphrases=read(lambda: _texts(fields, "paraphrases")),
    )
    problems.finish()
    return turn


def _later_turns(values: list[Any], folder: Path) -> tuple[Turn, ...]:
    problems = Problems(TaskError)
    turns = problems.read_each(values, lambda index, value: _later_turn(value, folder, index))
    problems.finish()
    return turns


def _later_turn(value: Any, folder: Path, index: int) -> Turn:
    problems = Problems(TaskError)
    try:
        fields = Fields(value)
        turn = problems.read(lambda: _turn(fields, folder))
        problems.read(fields.finish)
        problems.finish()
    except TaskError as error:
        raise TaskError(*(f"turns/{index}: {each}" for each in error.problems)) from error
    return turn


def _id(fields: Fields) -> str:
    id = fields.take("id", str)
    if not _ID.fullmatch(id):
        raise TaskError(f"id: expected lower-case words joined by '-', got {id!r}")
    return id


def _instruction(fields: Fields) -> str:
    instruction = fields.take("instruction", str).strip()
    if not instruction:
        raise TaskError("instruction: expected a text, got none")
    return instruction


def _demonstration(fields: Fields) -> tuple[DemoStep, ...]:
    return load_demonstration(fields.list("demonstration", []), "demonstration")


def _macros(fields: Fields) -> tuple[MacroCall, ...] | None:
    return load_macros(fields.list("macros"), "macros") if fields.has("macros") else None


def _max_steps(max_steps: int, demonstration: tuple[DemoStep, ...] | None) -> int:
    """Return the step budget; a demonstration of None is malformed."""
    steps = len(demonstration or ())
    if max_steps <= steps:
        # Ending the episode is a step too.
        raise TaskError(
            f"max_steps: expected more than the {steps} steps of the demonstration, got {max_steps}"
        )
    return max_steps


def _gold(fields: Fields, folder: Path) -> DeckSource | None:
    name = fields.take("gold", str, "")
    return find_deck(name, folder, "gold") if name else None


def _optional_object(fields: Fields, name: str, is_optional: bool) -> dict[str, Any] | None:
    """Return a field that is optional if there is a gold deck or the task is infeasible."""
    if fields.has(name):
        return fields.take(name, dict)
    if not is_optional:
        raise fields.missing(name, "an object, or a gold deck in its stead")
    return None


def _reject(name: str) -> None:
    raise TaskError(f"{name}: expected none, since a task that cannot be done has no goal")


def _solution(fields: Fields) -> tuple[dict[str, Any], ...]:
    try:
        return check_solution(fields.list("solution", []))
    except EditError as error:
        raise TaskError(*str(error).split("\n")) from error


def _edit_types(values: list[Any]) -> tuple[str, ...]:
    unknown = [
        f"edit_types/{index}: expected one of {', '.join(EDIT_TYPES)}, got {value!r}"
        for index, value in enumerate(values)
        if value not in EDIT_TYPES
    ]
    if unknown:
        raise TaskError(*unknown)
    return tuple(values)


def _texts(fields: Fields, name: str) -> tuple[str, ...]:
    values = fields.list(name, [])
    invalid = [
        f"{name}/{index}: expected a text, got {value!r}"
        for index, value in enumerate(values)
        if not isinstance(value, str) or not value.strip()
    ]
    if invalid:
        raise TaskError(*invalid)
    return tuple(value.strip() for value in values)


def _labels(values: dict[Any, Any]) -> dict[str, tuple[str, ...]]:
    invalid = [
        f"labels/{name}: expected a list of texts, got {value!r}"
        for name, value in values.items()
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value)
    ]
    if invalid:
        raise TaskError(*invalid)
    return {str(name): tuple(value) for name, value in values.items()}


def _rubric_of_turn(value: dict[str, Any] | None, feasible: bool) -> Rubric:
    if value is not None:
        return _rubric(value)
    return GOLD_RUBRIC if feasible else INTACT_RUBRIC


def _scope_of_turn(value: dict[str, Any] | None, feasible: bool) -> Scope | None:
    if value is None:
        return None if feasible else _scope({}, feasible)
    return _scope(value, feasible)


def _rubric(value: dict[str, Any]) -> Rubric:
    try:
        return load_rubric(value)
    except RubricError as error:
        raise TaskError(*(f"rubric/{each}" for each in error.problems)) from error


def _scope(value: dict[str, Any], feasible: bool) -> Scope:
    try:
        scope = load_scope(value)
    except RubricError as error:
        raise TaskError(*error.problems) from error
    if feasible and scope.allows_nothing:
        raise TaskError("scope: expected the part of the deck that the task may touch, got nothing")
    return scope
