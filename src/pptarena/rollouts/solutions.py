"""Stored episodes as demonstrations of their tasks."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pptarena.envs.tree_targets import find_target
from pptarena.errors import ActionError, StoreError, TaskError
from pptarena.rollouts.episode import StepRecord
from pptarena.rollouts.episode_files import read_tree
from pptarena.rollouts.store import read_meta, read_steps
from pptarena.rollouts.summary import SUCCESS_SCORE
from pptarena.tasks import DemoStep, Task
from pptarena.tasks.deck_source import read_source
from pptarena.tasks.demonstration import STEP_KINDS
from pptarena.tasks.registry import spec_of

__all__ = ["demonstration_of", "require_solution_folder", "write_solution"]

_EXTRA_STEPS = 10
_DIGITS = 4

Nodes = Sequence[Mapping[str, Any]]
Point = tuple[float, float]


def demonstration_of(folder: Path) -> tuple[DemoStep, ...]:
    """Return the actions of a stored episode as the demonstration of its task.

    Actions on elements refer to them by role and name. Actions on points refer to the smallest
    named element at the point, and the point in its box. Refused actions and the final ``done``
    are omitted.

    Args:
        folder: The episode.

    Raises:
        StoreError: If the episode cannot be read, or has an action that demonstrations lack.
    """
    steps = [step for step in read_steps(folder) if step.action_error is None]
    if steps and steps[-1].terminated and steps[-1].action.kind == "done":
        del steps[-1]
    demo_steps = []
    for step in steps:
        try:
            demo_steps.append(_demo_step(step, folder))
        except ActionError as error:
            raise StoreError(f"{folder}: step {step.step}: {error}") from error
    return tuple(demo_steps)


def require_solution_folder(task: Task, folder: Path) -> None:
    """Check that `write_solution` can write a task to a folder.

    Raises:
        TaskError: If the folder exists, or the task has no file of its own.
        UnknownTaskError: If the task is packaged with many others in one file.
    """
    if folder.exists():
        raise TaskError(f"{folder} exists: choose a new folder")
    spec_of(task)


def write_solution(task: Task, episode: Path, folder: Path) -> Path:
    """Write a copy of a task with the actions of an episode as its demonstration.

    The folder has the task file, its decks and its attachments. The step budget is raised if
    the demonstration is longer.

    Args:
        task: The task of the episode.
        episode: Folder of an episode with score 1.0.
        folder: A new folder.

    Returns:
        The path of the task file.

    Raises:
        StoreError: If the episode cannot be read, has another score, or has an action that
            demonstrations lack.
        TaskError: As for `require_solution_folder`, or if a file of the task cannot be read.
        OSError: If it cannot be written.
    """
    require_solution_folder(task, folder)
    score = read_meta(episode).score
    if score is None or score < SUCCESS_SCORE:
        score_text = "no score" if score is None else f"score {score:.2f}"
        raise StoreError(f"{episode}: expected an episode with score 1.00, got {score_text}")
    steps = [step.to_json() for step in demonstration_of(episode)]
    spec, files = _collect_files(task)
    if len(steps) + 1 > task.max_steps:
        spec["max_steps"] = len(steps) + _EXTRA_STEPS
    spec["demonstration"] = steps
    files["task.json"] = (json.dumps(spec, ensure_ascii=False, indent=2) + "\n").encode()
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder / "task.json"


def _collect_files(task: Task) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return a task file with paths in its own folder, and these files by path."""
    spec, files = dict(spec_of(task)), dict[str, bytes]()
    if str(spec["deck"]).endswith(".pptx"):  # others are packaged decks
        spec["deck"] = f"deck/{task.file_name}"
        files[spec["deck"]] = task.deck_bytes()
    turns = [dict(turn) for turn in spec.get("turns", [])]
    golds = [task.gold, *(turn.gold for turn in task.turns)]
    for number, (fields, gold) in enumerate(zip([spec, *turns], golds, strict=True)):
        if str(fields.get("gold", "")).endswith(".pptx") and gold is not None:
            fields["gold"] = "gold.pptx" if number == 0 else f"gold-{number + 1}.pptx"
            files[fields["gold"]] = read_source(gold, "gold")
    if turns:
        spec["turns"] = turns
    if task.files:
        contents = {f"files/{name}": data for name, data in task.files_bytes().items()}
        files |= contents
        spec["files"] = list(contents)
    return spec, files


def _demo_step(step: StepRecord, folder: Path) -> DemoStep:
    """Return an action as a step of a demonstration.

    Raises:
        ActionError: If demonstrations have no such action.
        StoreError: If the tree cannot be read.
    """
    action = step.action
    if action.kind not in STEP_KINDS:
        raise ActionError(f"a demonstration has no action {action.kind!r}")
    fields: dict[str, Any] = {"keys": action.keys, "text": action.text, "amount": action.amount}
    if step.aim.point is None:
        return DemoStep(action.kind, **fields)
    nodes = read_tree(folder, step.a11y_file)["nodes"]
    target: dict[str, Any]
    offset: Point | None = None
    if action.element:
        target = _target_of(
            nodes, next(each for each in nodes if each["element"] == action.element)
        )
    elif action.kind != "copy_image":
        target, offset = _target_at(nodes, step.aim.point)
    else:
        raise ActionError("a demonstration copies the image of an element, not of a region")
    if action.kind != "drag" or step.aim.end is None:
        return DemoStep(action.kind, target=target, at=offset, **fields)
    end_target, end_offset = _target_at(nodes, step.aim.end)
    return DemoStep(
        action.kind, target=target, at=offset, end_target=end_target, end_at=end_offset, **fields
    )


def _target_at(nodes: Nodes, point: tuple[int, int]) -> tuple[dict[str, Any], Point]:
    """Return the target at a pixel, and the point in its box.

    Raises:
        ActionError: If the point has no element.
    """
    x, y = point[0] + 0.5, point[1] + 0.5

    def contains(left: int, top: int, width: int, height: int) -> bool:
        return left <= x < left + width and top <= y < top + height

    hit = [node for node in nodes if _is_visible(node) and contains(*node["box"])]
    if not hit:
        raise ActionError(f"no element at the point {point}")
    # Elements without a name, such as paragraphs, can only be addressed by their number.
    named = [node for node in hit if node["name"]] or hit
    smallest = min(reversed(named), key=lambda node: node["box"][2] * node["box"][3])
    left, top, width, height = smallest["box"]
    at = round((x - left) / width, _DIGITS), round((y - top) / height, _DIGITS)
    return _target_of(nodes, smallest), at


def _target_of(nodes: Nodes, node: Mapping[str, Any]) -> dict[str, Any]:
    """Return the target that selects a node: role, name and index among equal nodes."""
    target = {name: node[name] for name in ("role", "name") if node[name]}
    nth = 0
    while (selected := find_target(nodes, numbered := _nth(target, nth))) is not node:
        if selected is None:
            raise ActionError("the element has neither a role nor a name")
        nth += 1
    return numbered


def _nth(target: Mapping[str, Any], nth: int) -> dict[str, Any]:
    return {**target, **({"nth": nth} if nth else {})}


def _is_visible(node: Mapping[str, Any]) -> bool:
    return bool(node["element"]) or "showing" in node["states"]
