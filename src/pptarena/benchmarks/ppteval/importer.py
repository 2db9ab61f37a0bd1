"""Tasks and rubrics of PPT-Eval (microsoft/ppteval, MIT; arXiv 2606.31154).

This package contains none of its files: pass a copy to `load_registry`. Its leaves are Python
programs; see ``envs.programs.runner`` for how they run.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pptarena.decks.package.files import MAX_FILE_BYTES
from pptarena.errors import RubricError, TaskError
from pptarena.files import read_file, read_text
from pptarena.rewards import Rubric, load_rubric
from pptarena.tasks.fields import Fields

__all__ = ["PPTEvalTask", "import_rubric", "load_registry", "rubric_json"]

_NODE_KEYS = frozenset(
    ("name", "description", "is_critical", "metadata", "children", "scorer", "score", "reason")
)
_MAX_DEPTH = 20


@dataclass(frozen=True)
class PPTEvalTask:
    """One task of PPT-Eval.

    Attributes:
        id: Id in the registry, such as ``3-002``.
        goal: The instruction.
        difficulty: ``easy``, ``medium`` or ``hard``; empty if unspecified.
        deck: The initial .pptx file; it may have to be downloaded first.
        rubric: Scores the edited deck.
        rubric_goal: The instruction that the rubric was written for; may differ from `goal` or be
            empty.
        needs_model: Whether a leaf calls a model; without a model the leaf may be unscored.
        tags: Tags in the registry.
    """

    id: str
    goal: str
    difficulty: str
    deck: Path
    rubric: Rubric
    rubric_goal: str = ""
    needs_model: bool = False
    tags: tuple[str, ...] = ()

    def deck_bytes(self) -> bytes:
        """Return the initial .pptx file.

        Raises:
            TaskError: If the file is missing.
        """
        try:
            return read_file(self.deck, MAX_FILE_BYTES)
        except OSError as error:
            raise TaskError(f"{self.id}: the deck cannot be read: {error}") from error


def load_registry(
    file: Path, root: Path | None = None, strategy: str = "weighted"
) -> tuple[PPTEvalTask, ...]:
    """Return the tasks of a registry, in order.

    Args:
        file: ``task_registry/tasks.json``.
        root: Folder that paths are relative to; by default two levels above `file`.
        strategy: How parents aggregate scores; the published results use ``weighted``.

    Raises:
        TaskError: If a file is missing or malformed; the message contains the task and the
            location.
    """
    base = (file.parent.parent if root is None else root).resolve()
    registry = _read_json(file, file.name)
    if not isinstance(registry, dict):
        raise TaskError(f"{file.name}: expected an object of tasks by id")
    return tuple(_task(id, value, base, strategy) for id, value in registry.items())


def import_rubric(obj: object, strategy: str = "weighted") -> Rubric:
    """Convert a rubric of PPT-Eval.

    Run-time fields (``score``, ``reason``) are dropped, as is ``metadata``, whose weights were
    never used. Siblings with the same name are numbered. If any leaf mentions ``vlm_call``, all
    leaves get pictures, as published.

    Args:
        obj: ``{"root": NODE, "metadata": {...}}``.
        strategy: How parents aggregate scores.

    Raises:
        RubricError: If the rubric is malformed; the message begins with the location, such as
            ``root/children/1/scorer/type``.
    """
    return load_rubric(rubric_json(obj, strategy))


def rubric_json(obj: object, strategy: str = "weighted") -> dict[str, Any]:
    """Return the result of `import_rubric` as JSON for a task file.

    Raises:
        RubricError: As for `import_rubric`.
    """
    if not isinstance(obj, Mapping) or "root" not in obj:
        raise RubricError("rubric: expected an object with 'root'")
    pictures = any("vlm_call" in code for code in _codes(obj["root"]))
    root = _node(obj["root"], "root", 0, pictures)
    return {"version": 1, "strategy": strategy, "root": root}


def _task(id: str, value: Any, base: Path, strategy: str) -> PPTEvalTask:
    # `finish` is not called: a registry may contain additional fields.
    fields = Fields(value, id)
    goal = fields.take("goal", str)
    rubric_file = _resolve_inside(base, fields.take("rubric_path", str), f"{id}/rubric_path")
    deck = _resolve_inside(base, fields.take("file_path", str), f"{id}/file_path")
    difficulty = fields.take("misc", dict, {}).get("difficulty", "")
    tags = fields.list("tags", [])
    obj = _read_json(rubric_file, id)
    try:
        rubric = import_rubric(obj, strategy)
    except RubricError as error:
        raise TaskError(f"{id}: {rubric_file.name}: {error}") from error
    metadata = obj.get("metadata")
    rubric_goal = metadata.get("task", "") if isinstance(metadata, Mapping) else ""
    return PPTEvalTask(
        id=id,
        goal=goal,
        difficulty=str(difficulty).lower(),
        deck=deck,
        rubric=rubric,
        rubric_goal=str(rubric_goal),
        needs_model=any("vlm_call" in code or "llm_call" in code for code in _codes(obj["root"])),
        tags=tuple(str(tag) for tag in tags),
    )


def _resolve_inside(base: Path, path: str, location: str) -> Path:
    """Return a path of the registry; it must stay within the base folder."""
    resolved = (base / path).resolve()
    if not resolved.is_relative_to(base):
        raise TaskError(f"{location}: expected a path below {base.name!r}, got {path!r}")
    return resolved


def _read_json(file: Path, label: str) -> Any:
    try:
        return json.loads(read_text(file))
    except (OSError, ValueError, RecursionError) as error:
        raise TaskError(f"{label}: {file.name} cannot be read: {error}") from error


def _node(obj: object, location: str, depth: int, pictures: bool) -> dict[str, Any]:
    if not isinstance(obj, Mapping):
        raise RubricError(f"{location}: expected an object, got {obj!r}")
    if depth > _MAX_DEPTH:
        raise RubricError(f"{location}: expected at most {_MAX_DEPTH} levels")
    for key in obj:
        if key not in _NODE_KEYS:
            raise RubricError(f"{location}: unknown key {key!r}")
    if ("children" in obj) == ("scorer" in obj):
        raise RubricError(f"{location}: expected either 'children' or 'scorer'")
    node: dict[str, Any] = {
        "name": _read_field(obj, "name", str, None, location),
        # Unlike in our rubrics, nodes are not critical by default.
        "critical": _read_field(obj, "is_critical", bool, False, location),
        "description": _read_field(obj, "description", str, "", location),
    }
    if "scorer" in obj:
        code = _code(obj["scorer"], f"{location}/scorer")
        return node | {"check": "python", "args": {"code": code, "pictures": pictures}}
    children = obj["children"]
    if not isinstance(children, list) or not children:
        raise RubricError(
            f"{location}/children: expected a list that is not empty, got {children!r}"
        )
    nodes = [
        _node(child, f"{location}/children/{index}", depth + 1, pictures)
        for index, child in enumerate(children)
    ]
    return node | {"children": _with_unique_names(nodes)}


def _code(scorer: object, location: str) -> str:
    if not isinstance(scorer, Mapping):
        raise RubricError(f"{location}: expected an object, got {scorer!r}")
    if scorer.get("type") != "function":
        raise RubricError(f"{location}/type: expected 'function', got {scorer.get('type')!r}")
    code = _read_field(scorer, "function_code", str, None, location)
    if not code.strip():
        raise RubricError(f"{location}/function_code: expected code that is not empty")
    return str(code)


def _read_field(
    obj: Mapping[str, Any], key: str, expected_type: type, default: Any, location: str
) -> Any:
    value = obj.get(key, default)
    if not isinstance(value, expected_type):
        raise RubricError(f"{location}/{key}: expected {expected_type.__name__}, got {value!r}")
    return value


def _with_unique_names(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    used: set[str] = set()
    for node in nodes:
        name, count = node["name"], 1
        while node["name"] in used:
            count += 1
            node["name"] = f"{name} ({count})"
        used.add(node["name"])
    return nodes


def _codes(node: object, depth: int = 0) -> list[str]:
    """Return the code of all leaves of a tree that may be malformed."""
    if not isinstance(node, Mapping) or depth > _MAX_DEPTH:
        return []
    scorer, children = node.get("scorer"), node.get("children")
    candidates = [scorer.get("function_code")] if isinstance(scorer, Mapping) else []
    codes = [code for code in candidates if isinstance(code, str)]
    if isinstance(children, list):
        for child in children:
            codes += _codes(child, depth + 1)
    return codes
