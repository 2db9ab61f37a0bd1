"""An agent of the document environment that reaches goals by edits of the file.

Those of packaged tasks are in `goals`; those of grown tasks are told by their rows.
"""

import ast
import inspect
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from pptarena.audits.part_program import part_program
from pptarena.envs.document import ToolCall
from pptarena.errors import AgentError, DeckError, TaskError
from pptarena.tasks import Task
from pptarena.tasks.goals import (
    aurora,
    bench,
    beside,
    clinic,
    editing,
    field,
    harbor,
    kanto,
    later_turns,
    media,
    negev,
    office,
    open_ended,
    sixty,
    tables,
    thesis,
    townhall,
    turns,
    workbooks,
)
from pptarena.tasks.grow.rebuilding import edited

__all__ = ["GoalAgent", "goal_program", "grown_program"]

_MODULES = (
    *(aurora, bench, beside, clinic, field, harbor, kanto, later_turns),
    *(negev, office, open_ended, sixty, thesis, townhall, turns),
)
# In the jail there is no package to read files from; those of the task lie beside the deck.
_FILES = "def packaged_file(name):\n    return files[name.rpartition('/')[2]]"


def goal_program(task_id: str, turn: int = 1) -> str:
    """Return the program that edits ``presentation`` so that the goal of a turn is reached.

    Raises:
        AgentError: If no edit is registered for the task or the turn.
    """
    module, name = _table(task_id, later=turn > 1)
    if turn == 1 and module is not None:
        return _program(module, f"{name}[{task_id!r}]")
    if module is not None and turn - 2 < len(getattr(module, name)[task_id]):
        return _program(module, f"{name}[{task_id!r}][{turn - 2}]")
    if turn > 1:
        raise AgentError(f"{task_id}: expected a file edit for turn {turn} in tasks/goals")
    raise AgentError(f"{task_id}: expected a task with a file edit in tasks/goals, it has none")


def grown_program(task: Task) -> str:
    """Return the program that carries out the edits that a grown task was made of.

    They are made again on the task's deck, by operator, place and values; the program writes what
    they changed in the file, since the operators themselves are not where it runs.

    Raises:
        AgentError: If they cannot be made again.
    """
    try:
        deck = task.deck_bytes()
        return part_program(deck, edited(task.grown, deck))
    except (DeckError, TaskError) as error:
        raise AgentError(f"{task.id}: {error}") from error


def _table(task_id: str, *, later: bool) -> tuple[ModuleType | None, str]:
    """Return the module that has a task's edits and the name of its table of them."""
    for module in _MODULES:
        for name in module.__all__:
            is_table = name.endswith(("_GOALS", "_LATER")) and ("LATER" in name) is later
            if is_table and task_id in getattr(module, name):
                return module, name
    return None, ""


def _program(module: ModuleType, edit: str) -> str:
    helpers = (_source(each) for each in (editing, media, tables, workbooks))
    return "\n".join((_FILES, *helpers, _source(module), f"{edit}(presentation)"))


class GoalAgent:
    """Runs the edit of each turn as one program, then says done; what is infeasible it refuses.

    Args:
        tasks: Those it is to play.
    """

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks = {task.id: task for task in tasks}
        self._calls: list[ToolCall] = []

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Begin an episode.

        Raises:
            AgentError: If there is no edit for one of the task's turns.
        """
        task = self._tasks[info["task_id"]]
        self._calls = []
        for turn, can_be_done in enumerate((task.feasible, *(t.feasible for t in task.turns)), 1):
            if not can_be_done:
                self._calls.append(ToolCall.of("fail"))
                continue
            code = grown_program(task) if task.grown else goal_program(task.id, turn)
            self._calls += [ToolCall.of("run_program", code=code), ToolCall.of("done")]

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> ToolCall:
        """Return the next call.

        Raises:
            AgentError: If the edit was refused, with the reason.
        """
        if info["action_error"]:
            raise AgentError(f"the goal's edit was refused: {info['action_error']}")
        return self._calls.pop(0)


def _source(module: ModuleType) -> str:
    """Return a module's text without docstrings and without what it imports of this package."""
    tree = ast.parse(Path(inspect.getfile(module)).read_text("utf-8"))
    tree.body = [each for each in tree.body if not _is_ours(each)]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def _is_ours(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and str(node.module).startswith("pptarena")
