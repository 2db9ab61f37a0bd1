"""Tasks: an instruction about a deck, the rubric that scores it, and a demonstration.

Tasks are data in files and folders. Packaged tasks are ``specs/<suite>/<task id>.json``, with decks
in the folder ``decks``.
"""

from pptarena.tasks.allowed_folders import allow_outside
from pptarena.tasks.answers import Answer
from pptarena.tasks.deck_source import DeckSource
from pptarena.tasks.demonstration import DemoStep
from pptarena.tasks.dialogue import Exchange
from pptarena.tasks.macros import MacroCall
from pptarena.tasks.registry import (
    draw_from,
    find_task,
    get_task,
    list_tasks,
    pick_tasks,
    siblings,
    suites,
)
from pptarena.tasks.suite_file import SuiteFile
from pptarena.tasks.task import EDIT_TYPES, Task
from pptarena.tasks.task_file import load_task
from pptarena.tasks.turn import Turn

__all__ = [
    "EDIT_TYPES",
    "Answer",
    "DeckSource",
    "DemoStep",
    "Exchange",
    "MacroCall",
    "SuiteFile",
    "Task",
    "Turn",
    "allow_outside",
    "draw_from",
    "find_task",
    "get_task",
    "list_tasks",
    "load_task",
    "pick_tasks",
    "siblings",
    "suites",
]
