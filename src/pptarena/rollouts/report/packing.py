"""Convert a stored episode to the data of the report page."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pptarena.errors import StoreError
from pptarena.rollouts.endings import Ending
from pptarena.rollouts.episode import DOCUMENT, IMPORTED, EpisodeMeta, StepRecord
from pptarena.rollouts.episode_files import (
    FINAL_PICTURE,
    FINAL_TREE,
    read_json,
    read_pixels,
    read_tree,
)
from pptarena.rollouts.messages import read_messages, read_model
from pptarena.rollouts.report.pictures import PicturePool
from pptarena.rollouts.report.slides import SlideComparer
from pptarena.rollouts.store import read_rubrics, read_steps

__all__ = ["EpisodePacker", "list_entry"]


_NODE_KEYS = ("role", "name", "text", "description", "box", "states")


class TreeTable:
    """Packs trees that differ little from step to step.

    A packed tree is ``{"nodes": [...], "depths": [...], "elements": [...], "reason"}``: for each
    node, parents before their children, its number in `nodes`, its depth, and the number of its
    element or 0.

    Attributes:
        nodes: The distinct nodes: role, name, text, description, box and states.
    """

    def __init__(self) -> None:
        self.nodes: list[list[Any]] = []
        self._numbers: dict[str, int] = {}

    def add(self, tree: Mapping[str, Any]) -> dict[str, Any]:
        """Pack one tree.

        Raises:
            KeyError, TypeError, ValueError, AttributeError: If it is not a tree in the store's
                format.
        """
        nodes = tree["nodes"]
        order = _parents_first([int(node["parent"]) for node in nodes])
        return {
            "nodes": [self._number(nodes[index]) for index, _ in order],
            "depths": [depth for _, depth in order],
            "elements": [int(nodes[index]["element"]) for index, _ in order],
            "reason": str(tree.get("reason", "")),
        }

    def _number(self, node: Mapping[str, Any]) -> int:
        packed = [node[key] for key in _NODE_KEYS]
        left, top, width, height = packed[4]
        packed[4] = [int(part) for part in (left, top, width, height)]
        packed[5] = " ".join(packed[5])
        key = json.dumps(packed)
        if key not in self._numbers:
            self._numbers[key] = len(self.nodes)
            self.nodes.append(packed)
        return self._numbers[key]


def _parents_first(parents: Sequence[int]) -> list[tuple[int, int]]:
    """Return index and depth of every node, parents first; cycles are omitted."""
    children: dict[int, list[int]] = {}
    for index, parent in enumerate(parents):
        children.setdefault(parent if 0 <= parent < len(parents) else -1, []).append(index)
    order = []
    stack = [(index, 0) for index in reversed(children.get(-1, []))]
    while stack:
        index, depth = stack.pop()
        order.append((index, depth))
        stack += [(child, depth + 1) for child in reversed(children.get(index, []))]
    return order


def list_entry(number: int, meta: EpisodeMeta, ending: Ending | None) -> dict[str, Any]:
    """Return the data of an episode for the list of episodes.

    Args:
        number: Its number in the report.
        meta: Its metadata.
        ending: How it ended; None if the infrastructure failed.
    """
    return {
        "id": number,
        "agent": meta.contender,
        "task": meta.task,
        "seed": meta.seed,
        "attempt": meta.attempt,
        "difficulty": meta.difficulty,
        "edit_types": list(meta.edit_types),
        "score": meta.score,
        "steps": meta.steps,
        "end": meta.end,
        "ending": "" if ending is None else ending.ending,
        "cause": "" if ending is None else ending.cause,
        "repeats": 0 if ending is None else ending.repeats,
        "infra": meta.infra_error is not None,
    }


_NO_SCREEN = {
    DOCUMENT: "the document environment has no screen",
    IMPORTED: "an imported result has no screen and no actions",
}


@dataclass(frozen=True)
class EpisodePacker:
    """Packs episodes; their pictures go to the pool.

    Attributes:
        pool: The pool of screens.
        slides: Compares the decks.
    """

    pool: PicturePool
    slides: SlideComparer

    def pack(self, folder: Path, meta: EpisodeMeta) -> dict[str, Any]:
        """Return an episode as plain data.

        ``{"meta", "steps", "rubrics", "nodes", "views", "slides", "model"}``. ``views`` are the
        observations before each action and after the last one: ``screen``, ``tree`` and notes about
        ``missing`` files. ``rubrics`` has pairs of a step and the scored tree after it. ``model``
        is None without a model; otherwise it has the ``record``, the ``messages`` and, as
        ``trouble``, the error of reading them.

        Raises:
            StoreError: If the actions cannot be read.
        """
        steps = read_steps(folder)
        table = TreeTable()
        if reason := _NO_SCREEN.get(meta.machine):
            view = {"screen": None, "tree": None, "missing": [reason]}
            views = [view for _ in range(len(steps) + 1)]
        else:
            names = [(step.screenshot_file, step.a11y_file) for step in steps]
            pairs = (*names, (FINAL_PICTURE, FINAL_TREE))
            views = [self._view(folder, *pair, table) for pair in pairs]
        return {
            "meta": meta.to_json(),
            "steps": [step.to_json() | {"action": step.action.to_json()} for step in steps],
            "rubrics": _rubrics(folder, steps),
            "nodes": table.nodes,
            "views": views,
            "slides": self.slides.compare(folder),
            "model": _model(folder, steps),
        }

    def _view(self, folder: Path, picture: str, tree: str, table: TreeTable) -> dict[str, Any]:
        missing: list[str] = []

        def read_or_note(name: str, read: Callable[[], dict[str, Any]]) -> dict[str, Any] | None:
            try:
                return read()
            except StoreError as error:
                is_missing = "No such file" in str(error)
                missing.append(f"{name} is not stored" if is_missing else f"{name}: {error}")
                return None

        def screen() -> dict[str, Any]:
            packed_screen = self.pool.add_screen(read_pixels(folder, picture))
            return {
                "width": packed_screen.width_px,
                "height": packed_screen.height_px,
                "tiles": packed_screen.tiles,
            }

        def packed_tree() -> dict[str, Any]:
            return table.add(read_tree(folder, tree))

        view = {"screen": read_or_note(picture, screen), "tree": read_or_note(tree, packed_tree)}
        return view | {"missing": missing}


def _model(folder: Path, steps: Sequence[StepRecord]) -> dict[str, Any] | None:
    try:
        record = read_model(folder)
        if record is None:
            return None
        messages = read_messages(folder, steps)
    except StoreError as error:
        problem = str(error).removeprefix(f"{folder}/")
        return {"record": None, "messages": [], "trouble": problem}
    packed_messages = [message.to_json() for message in messages]
    return {"record": record.to_json(), "messages": packed_messages, "trouble": ""}


def _rubrics(folder: Path, steps: Sequence[StepRecord]) -> list[tuple[int, Any]]:
    rubrics = [(step, rubric) for step, rubric in read_rubrics(folder) if step < len(steps)]
    try:
        final = read_json(folder, "rubric.json")
    except StoreError:
        final = None
    last = len(steps) - 1
    if final is not None and (not rubrics or rubrics[-1][1] != final):
        rubrics.append((max(last, 0), final))
    return rubrics
