"""A digest of a task's definition: results are comparable if the digests are equal."""

import hashlib
import json
from typing import Any

from pptarena.tasks import Task, Turn
from pptarena.tasks.deck_source import read_source

__all__ = ["task_digest"]


def task_digest(task: Task) -> str:
    """Return the SHA-256 of a task: its instruction, rubric, scope, budget, decks and files.

    All wordings of a task have the same digest.

    Raises:
        TaskError: If a deck of the task cannot be read.
    """
    task = task.worded(1)
    fields: dict[str, Any] = {
        "instruction": task.instruction,
        "max_steps": task.max_steps,
        "feasible": task.feasible,
        "rubric": task.rubric.to_json(),
        "scope": None if task.scope is None else task.scope.to_json(),
        "deck": hashlib.sha256(task.deck_bytes()).hexdigest(),
    }
    gold = task.gold_bytes()
    if gold is not None:  # omitted otherwise to keep the digests of tasks without a gold deck
        fields["gold"] = hashlib.sha256(gold).hexdigest()
    if task.files:
        files = task.files_bytes().items()
        fields["files"] = {name: hashlib.sha256(content).hexdigest() for name, content in files}
    if task.answers:
        fields["answers"] = [[each.about, each.answer] for each in task.answers]
    if task.scene:
        fields["scene"] = [step.to_json() for step in task.scene]
    if task.dialogue:
        fields["dialogue"] = [each.to_json() for each in task.dialogue]
    if task.turns:
        fields["turns"] = [task.kept, *map(_turn, task.turns)]
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()


def _turn(turn: Turn) -> dict[str, Any]:
    gold = None if turn.gold is None else read_source(turn.gold, "gold")
    return {
        "instruction": turn.instruction,
        "feasible": turn.feasible,
        "kept": turn.kept,
        "rubric": turn.rubric.to_json(),
        "scope": None if turn.scope is None else turn.scope.to_json(),
        "gold": None if gold is None else hashlib.sha256(gold).hexdigest(),
    }
