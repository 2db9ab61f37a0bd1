"""Read a task file of OSWorld: instruction, downloads and evaluators."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from pptarena.benchmarks.outcome import RefusedError
from pptarena.benchmarks.user_copy import read_text_field

__all__ = ["Case", "Download", "Evaluator", "read_case"]

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
_MAX_ITEMS = 64


_CENTER_PX: Final = (960, 540)  # of the benchmark's screen, 1920 by 1080: the middle of the slide
_SLIDE: Final = {"role": "document presentation"}
_CLICKS: Final = {"pyautogui.click": "click", "pyautogui.doubleClick": "double_click"}
# The button is pressed and released at the point of the last click, without further effects.
_IGNORED: Final = ("time.sleep", "pyautogui.mouseDown", "pyautogui.mouseUp")


def parse_scene(command: Any) -> list[dict[str, Any]] | None:
    """Return the scene of an ``execute`` step of the setup.

    Clicks in the middle of the screen become clicks in the middle of the slide. Other points depend
    on the benchmark's screen and window, so they have no counterpart here.

    Args:
        command: The command of the step, such as ``["python", "-c", "import pyautogui; ..."]``.

    Returns:
        Steps of the field ``scene`` of a task file; None if the step does anything else.
    """
    if not isinstance(command, list) or command[:2] != ["python", "-c"] or len(command) != 3:
        return None
    try:
        return list(_steps(str(command[2])))
    except (SyntaxError, ValueError):
        return None


def _steps(code: str) -> Iterator[dict[str, Any]]:
    for statement in ast.parse(code).body:
        if isinstance(statement, ast.Import):
            continue
        if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
            raise ValueError("a statement other than a call")
        call = statement.value
        name = ast.unparse(call.func)
        if name in _IGNORED:
            continue
        if name not in _CLICKS:
            raise ValueError(f"a call of {name}")
        keywords = {keyword.arg: keyword.value for keyword in call.keywords}
        values = call.args or [keywords[axis] for axis in ("x", "y") if axis in keywords]
        if tuple(ast.literal_eval(keyword) for keyword in values) != _CENTER_PX:
            raise ValueError("a point that depends on the screen")
        yield {"kind": _CLICKS[name], "target": _SLIDE}


@dataclass(frozen=True, slots=True)
class Download:
    """A file that a task starts with or compares with.

    Attributes:
        url: Download URL.
        path: Path in the benchmark's machine, or file name.
    """

    url: str
    path: str

    @property
    def name(self) -> str:
        """The last component of the path."""
        return PurePosixPath(self.path).name


@dataclass(frozen=True, slots=True)
class Evaluator:
    """One evaluator.

    Attributes:
        func: Name of the evaluator function.
        result_path: Path on the machine of the file to evaluate; empty if it does not evaluate a
            file.
        gold: Downloaded file to compare with; None if there is none.
        rules: Other arguments.
        options: Options.
        slide: Position of the evaluated slide, from 0; None if unspecified.
        companion: Path in the machine of a file to compare with; empty if there is none.
    """

    func: str
    result_path: str
    gold: Download | None
    rules: Mapping[str, Any]
    options: Mapping[str, Any]
    slide: int | None = None
    companion: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """One task.

    Attributes:
        id: Task id of the benchmark.
        instruction: The instruction.
        opened_path: Path of the file opened at the start; empty if there is none.
        downloads: Files on the machine at the start.
        evaluators: The evaluators, at least one.
        any: Whether one evaluator suffices; otherwise all must pass.
        scene: The clicks of the setup, as the field ``scene`` of a task file.
    """

    id: str
    instruction: str
    opened_path: str
    downloads: tuple[Download, ...]
    evaluators: tuple[Evaluator, ...]
    any: bool = False
    scene: tuple[Mapping[str, Any], ...] = ()


def read_case(value: Any) -> Case:
    """Parse a task file; unused fields are ignored.

    Raises:
        RefusedError: If the task is malformed; the message contains the location.
    """
    id = read_text_field(value, "id")
    if not _ID.fullmatch(id):
        raise RefusedError("malformed", f"id: expected letters, digits and '-', got {id[:90]!r}")
    downloads, opened_path, scene = _setup(_items(value.get("config", []), "config"))
    evaluator = value.get("evaluator")
    if not isinstance(evaluator, dict):
        raise RefusedError("malformed", "evaluator: expected an object")
    conj = evaluator.get("conj", "and")
    if conj not in ("and", "or"):
        raise RefusedError("malformed", f"evaluator/conj: expected 'and' or 'or', got {conj!r}")
    evaluators = _read_evaluators(evaluator)
    instruction = read_text_field(value, "instruction")
    return Case(id, instruction, opened_path, downloads, evaluators, conj == "or", scene)


def _items(value: Any, location: str) -> list[Any]:
    if not isinstance(value, list) or len(value) > _MAX_ITEMS:
        raise RefusedError("malformed", f"{location}: expected a list of at most {_MAX_ITEMS}")
    return value


def _object(value: Any, location: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise RefusedError("malformed", f"{location}: expected an object, got {str(value)[:60]!r}")
    return value


def _setup(
    config: list[Any],
) -> tuple[tuple[Download, ...], str, tuple[Mapping[str, Any], ...]]:
    """Return the downloads, the path of the first opened file, and the clicks as a scene."""
    downloads: list[Download] = []
    scene: list[Mapping[str, Any]] = []
    opened_path = ""
    for index, item in enumerate(config):
        location = f"config/{index}"
        step_type = _object(item, location).get("type")
        parameters = _object(item.get("parameters", {}), f"{location}/parameters")
        if step_type == "download":
            for file in _items(parameters.get("files", []), f"{location}/files"):
                downloads.append(
                    Download(read_text_field(file, "url"), read_text_field(file, "path"))
                )
        elif step_type == "open" and not opened_path:
            opened_path = read_text_field(parameters, "path")
        elif step_type == "execute":
            scene += parse_scene(parameters.get("command")) or []
    return tuple(downloads), opened_path, tuple(scene)


def _read_evaluators(evaluator: dict[str, Any]) -> tuple[Evaluator, ...]:
    func = evaluator.get("func")
    names = _items(func, "evaluator/func") if isinstance(func, list) else [func]
    if not names or not all(isinstance(name, str) and name for name in names):
        raise RefusedError("malformed", f"evaluator/func: expected names, got {str(func)[:60]!r}")
    if names == ["infeasible"]:
        return (Evaluator("infeasible", "", None, {}, {}),)
    is_list = isinstance(func, list)
    columns = [
        _per_evaluator(evaluator, key, len(names), is_list)
        for key in ("result", "expected", "options")
    ]
    return tuple(_read_evaluator(*name) for name in zip(names, *columns, strict=True))


def _per_evaluator(
    evaluator: dict[str, Any], key: str, count: int, many: bool
) -> list[dict[str, Any]]:
    """Return one value per evaluator; missing values are empty objects."""
    location = f"evaluator/{key}"
    value = evaluator.get(key)
    if value is None:
        return [{} for _ in range(count)]
    values = _items(value, location) if many else [value]
    if len(values) != count:
        raise RefusedError("malformed", f"{location}: expected {count}, got {len(values)}")
    return [{} if item is None else _object(item, location) for item in values]


def _read_evaluator(
    name: str, result: dict[str, Any], expected: dict[str, Any], options: dict[str, Any]
) -> Evaluator:
    gold, companion = None, ""
    if expected.get("type") == "cloud_file":
        gold = Download(read_text_field(expected, "path"), read_text_field(expected, "dest", ""))
    elif expected.get("type") == "vm_file":
        companion = read_text_field(expected, "path")
    slide = result.get("slide_index")
    return Evaluator(
        func=name,
        result_path=read_text_field(result, "path", "")
        or read_text_field(result, "ppt_file_path", ""),
        gold=gold,
        rules=_object(expected.get("rules", {}), "evaluator/expected/rules"),
        options=options,
        slide=slide if isinstance(slide, int) and slide >= 0 else None,
        companion=companion,
    )
