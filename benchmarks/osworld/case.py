"""A task file of OSWorld: what is asked, which files it downloads, and how it is evaluated."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from pptarena.benchmarks.outcome import RefusedError
from pptarena.benchmarks.user_copy import text_of

__all__ = ["Case", "Download", "Wanted", "read_case"]

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
_MAX_ITEMS = 64


@dataclass(frozen=True, slots=True)
class Download:
    """A file that a task begins with, or is compared with.

    Attributes:
        url: Where the benchmark fetches it.
        path: Where it lies in the benchmark's machine, or what it is called.
    """

    url: str
    path: str

    @property
    def name(self) -> str:
        """The last part of its path."""
        return PurePosixPath(self.path).name


@dataclass(frozen=True, slots=True)
class Wanted:
    """One evaluator.

    Attributes:
        func: Name of its function.
        judged: Path of the file in the machine that it judges; empty if it judges something else.
        gold: The file that it compares with; None if it compares with none of the web.
        rules: What else it is given.
        options: Its options.
        slide: Position of the slide that it looks at, from 0; None if it says none.
        beside: Path of a file in the machine that it compares with; empty for none.
    """

    func: str
    judged: str
    gold: Download | None
    rules: Mapping[str, Any]
    options: Mapping[str, Any]
    slide: int | None = None
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """One task.

    Attributes:
        id: As the benchmark has it.
        instruction: What the agent is asked to do.
        opened: Path of the file that is opened at the start; empty if there is none.
        downloads: What lies in the machine at the start.
        wanted: Its evaluators, one or more.
        any: Whether one evaluator is enough; else all must hold.
    """

    id: str
    instruction: str
    opened: str
    downloads: tuple[Download, ...]
    wanted: tuple[Wanted, ...]
    any: bool = False


def read_case(value: Any) -> Case:
    """Return the task that a file holds; what is not needed here is passed over.

    Raises:
        RefusedError: If it is malformed; the message names the place.
    """
    id = text_of(value, "id")
    if not _ID.fullmatch(id):
        raise RefusedError("malformed", f"id: expected letters, digits and '-', got {id[:90]!r}")
    downloads, opened = _setup(_items(value.get("config", []), "config"))
    evaluator = value.get("evaluator")
    if not isinstance(evaluator, dict):
        raise RefusedError("malformed", "evaluator: expected an object")
    conj = evaluator.get("conj", "and")
    if conj not in ("and", "or"):
        raise RefusedError("malformed", f"evaluator/conj: expected 'and' or 'or', got {conj!r}")
    wanted = _wanted(evaluator)
    return Case(id, text_of(value, "instruction"), opened, downloads, wanted, conj == "or")


def _items(value: Any, place: str) -> list[Any]:
    if not isinstance(value, list) or len(value) > _MAX_ITEMS:
        raise RefusedError("malformed", f"{place}: expected a list of at most {_MAX_ITEMS}")
    return value


def _object(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise RefusedError("malformed", f"{place}: expected an object, got {str(value)[:60]!r}")
    return value


def _setup(config: list[Any]) -> tuple[tuple[Download, ...], str]:
    """Return what is downloaded, and the path of what is opened first."""
    found: list[Download] = []
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
    return tuple(found), opened


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
    """Return what each evaluator is given; one that is given nothing gets an empty object."""
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
    gold, beside = None, ""
    if expected.get("type") == "cloud_file":
        gold = Download(text_of(expected, "path"), text_of(expected, "dest", ""))
    elif expected.get("type") == "vm_file":
        beside = text_of(expected, "path")
    slide = result.get("slide_index")
    return Wanted(
        func=name,
        judged=text_of(result, "path", "") or text_of(result, "ppt_file_path", ""),
        gold=gold,
        rules=_object(expected.get("rules", {}), "evaluator/expected/rules"),
        options=options,
        slide=slide if isinstance(slide, int) and slide >= 0 else None,
        beside=beside,
    )
