"""One number for all that makes a task, to tell whether two results are of the same one."""

import hashlib
import json
from typing import Any

from pptarena.tasks import Task

__all__ = ["task_digest"]


def task_digest(task: Task) -> str:
    """Return the SHA-256 of all that makes a task: instruction, rubric, scope, budget, decks.

    Raises:
        TaskError: If a deck of the task cannot be read.
    """
    whole: dict[str, Any] = {
        "instruction": task.instruction,
        "max_steps": task.max_steps,
        "feasible": task.feasible,
        "rubric": task.rubric.to_json(),
        "scope": None if task.scope is None else task.scope.to_json(),
        "deck": hashlib.sha256(task.deck_bytes()).hexdigest(),
    }
    gold = task.gold_bytes()
    if gold is not None:  # left out otherwise, so that numbers of tasks without one stay
        whole["gold"] = hashlib.sha256(gold).hexdigest()
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()
