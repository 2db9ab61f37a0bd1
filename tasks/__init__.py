"""Tasks: an instruction on a deck, the rubric that scores it, and a demonstration that solves it.

Tasks are data: ``specs/<suite>/<task id>.json``, over the decks of ``pptarena.tasks.decks``.
"""

from pptarena.tasks.demonstration import DemoStep
from pptarena.tasks.registry import get_task, list_tasks, suites
from pptarena.tasks.task import EDIT_TYPES, Task, load_task

__all__ = [
    "EDIT_TYPES",
    "DemoStep",
    "Task",
    "get_task",
    "list_tasks",
    "load_task",
    "suites",
]
