"""An agent of the document environment that reaches the goal by the file edit of `goals`."""

import ast
import inspect
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from pptarena.audits.goals import bench, clinic, editing, kanto, later_turns, office, sixty
from pptarena.envs.document import ToolCall
from pptarena.errors import AgentError
from pptarena.tasks import Task

__all__ = ["GoalAgent", "goal_program"]

_TABLES: Mapping[str, ModuleType] = {
    "BENCH_GOALS": bench,
    "CLINIC_GOALS": clinic,
    "KANTO_GOALS": kanto,
    "OFFICE_GOALS": office,
    "SIXTY_GOALS": sixty,
}


def goal_program(task_id: str, turn: int = 1) -> str:
    """Return the program that edits ``presentation`` so that the goal of a turn is reached.

    Raises:
        AgentError: If no edit is registered for the task or the turn.
    """
    if turn > 1:
        if turn - 2 < len(later_turns.LATER_GOALS.get(task_id, ())):
            return _program(later_turns, f"LATER_GOALS[{task_id!r}][{turn - 2}]")
        raise AgentError(f"{task_id}: expected a file edit for turn {turn} in audits/goals")
    for name, module in _TABLES.items():
        if task_id in getattr(module, name):
            return _program(module, f"{name}[{task_id!r}]")
    raise AgentError(f"{task_id}: expected a task with a file edit in audits/goals, it has none")


def _program(module: ModuleType, edit: str) -> str:
    return f"{_source(editing)}\n{_source(module)}\n{edit}(presentation)"


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
            code = goal_program(task.id, turn)
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
