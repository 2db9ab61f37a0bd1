"""Read a task file of OSWorld: instruction, downloads and evaluators."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from pptarena.benchmarks.outcome import RefusedError
from pptarena.benchmarks.user_copy import text_of

__all__ = ["Case", "Download", "Wanted", "read_case"]

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
_MAX_ITEMS = 64


_CENTER_PX: Final = (960, 540)  # of the benchmark's screen, 1920 by 1080: the middle of the slide
_SLIDE: Final = {"role": "document presentation"}
_CLICKS: Final = {"pyautogui.click": "click", "pyautogui.doubleClick": "double_click"}
# The button is pressed and released at the point of the last click, which changes nothing more.
_IGNORED: Final = ("time.sleep", "pyautogui.mouseDown", "pyautogui.mouseUp")


def scene_of(command: Any) -> list[dict[str, Any]] | None:
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
    for line in ast.parse(code).body:
        if isinstance(line, ast.Import):
            continue
        if not isinstance(line, ast.Expr) or not isinstance(line.value, ast.Call):
            raise ValueError("a statement that is no call")
        call = line.value
        name = ast.unparse(call.func)
        if name in _IGNORED:
            continue
        if name not in _CLICKS:
            raise ValueError(f"a call of {name}")
        given = {each.arg: each.value for each in call.keywords}
        values = call.args or [given[axis] for axis in ("x", "y") if axis in given]
        if tuple(ast.literal_eval(each) for each in values) != _CENTER_PX:
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
class Wanted:
    """One evaluator.

    Attributes:
        func: Name of the evaluator function.
        judged: Path in the machine of the file to evaluate; empty if it evaluates something else.
        gold: Downloaded file to compare with; None if there is none.
        rules: Other arguments.
        options: Options.
        slide: Position of the evaluated slide, from 0; None if unspecified.
        companion: Path in the machine of a file to compare with; empty if there is none.
    """

    func: str
    judged: str
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
        opened: Path of the file opened at the start; empty if there is none.
        downloads: Files in the machine at the start.
        wanted: The evaluators, at least one.
        any: Whether one evaluator suffices; otherwise all must pass.
        scene: The clicks of the setup, as the field ``scene`` of a task file.
    """

    id: str
    instruction: str
    opened: str
    downloads: tuple[Download, ...]
    wanted: tuple[Wanted, ...]
    any: bool = False
    scene: tuple[Mapping[str, Any], ...] = ()


def read_case(value: Any) -> Case:
    """Parse a task file; unused fields are ignored.

    Raises:
        RefusedError: If the task is malformed; the message contains the location.
    """
    id = text_of(value, "id")
    if not _ID.fullmatch(id):
        raise RefusedError("malformed", f"id: expected letters, digits and '-', got {id[:90]!r}")
    downloads, opened, scene = _setup(_items(value.get("config", []), "config"))
    evaluator = value.get("evaluator")
    if not isinstance(evaluator, dict):
        raise RefusedError("malformed", "evaluator: expected an object")
    conj = evaluator.get("conj", "and")
    if conj not in ("and", "or"):
        raise RefusedError("malformed", f"evaluator/conj: expected 'and' or 'or', got {conj!r}")
    wanted = _wanted(evaluator)
    instruction = text_of(value, "instruction")
    return Case(id, instruction, opened, downloads, wanted, conj == "or", scene)


def _items(value: Any, place: str) -> list[Any]:
    if not isinstance(value, list) or len(value) > _MAX_ITEMS:
        raise RefusedError("malformed", f"{place}: expected a list of at most {_MAX_ITEMS}")
    return value


def _object(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise RefusedError("malformed", f"{place}: expected an object, got {str(value)[:60]!r}")
    return value


def _setup(
    config: list[Any],
) -> tuple[tuple[Download, ...], str, tuple[Mapping[str, Any], ...]]:
    """Return the downloads, the path of the first opened file, and the clicks as a scene."""
    found: list[Download] = []
    scene: list[Mapping[str, Any]] = []
    opened = ""
    for at, item in enumerate(config):
        place = f"config/{at}"
        kind = _object(item, place).get("type")
        given = _object(item.get("parameters", {}), f"{place}/parameters")
        if kind == "download":
            for file in _items(given.get("files", []), f"{place}/files"):
                found.append(Download(text_of(file, "url"), text_of(file, "path")))
        elif kind == "open" and not opened:
            opened = text_of(given, "path")
        elif kind == "execute":
            scene += scene_of(given.get("command")) or []
    return tuple(found), opened, tuple(scene)


def _wanted(evaluator: dict[str, Any]) -> tuple[Wanted, ...]:
    func = evaluator.get("func")
    names = _items(func, "evaluator/func") if isinstance(func, list) else [func]
    if not names or not all(isinstance(each, str) and each for each in names):
        raise RefusedError("malformed", f"evaluator/func: expected names, got {str(func)[:60]!r}")
    if names == ["infeasible"]:
        return (Wanted("infeasible", "", None, {}, {}),)
    many = isinstance(func, list)
    parts = [_each(evaluator, key, len(names), many) for key in ("result", "expected", "options")]
    return tuple(_one(*each) for each in zip(names, *parts, strict=True))


def _each(evaluator: dict[str, Any], key: str, count: int, many: bool) -> list[dict[str, Any]]:
    """Return one value per evaluator; missing values are empty objects."""
    place = f"evaluator/{key}"
    value = evaluator.get(key)
    if value is None:
        return [{} for _ in range(count)]
    values = _items(value, place) if many else [value]
    if len(values) != count:
        raise RefusedError("malformed", f"{place}: expected {count}, got {len(values)}")
    return [{} if each is None else _object(each, place) for each in values]


def _one(
    name: str, result: dict[str, Any], expected: dict[str, Any], options: dict[str, Any]
) -> Wanted:
    gold, companion = None, ""
    if expected.get("type") == "cloud_file":
        gold = Download(text_of(expected, "path"), text_of(expected, "dest", ""))
    elif expected.get("type") == "vm_file":
        companion = text_of(expected, "path")
    slide = result.get("slide_index")
    return Wanted(
        func=name,
        judged=text_of(result, "path", "") or text_of(result, "ppt_file_path", ""),
        gold=gold,
        rules=_object(expected.get("rules", {}), "evaluator/expected/rules"),
        options=options,
        slide=slide if isinstance(slide, int) and slide >= 0 else None,
        companion=companion,
    )
