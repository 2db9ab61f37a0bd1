"""An agent of the document environment that produces the target deck by editing the file."""

from collections.abc import Iterable, Mapping
from typing import Any

from pptarena.audits.part_program import part_program
from pptarena.envs.document import ToolCall
from pptarena.errors import AgentError, DeckError, TaskError
from pptarena.tasks import Task
from pptarena.tasks.goals import goals_of_turns

__all__ = ["GoalAgent", "goal_program"]


def goal_program(task: Task, turn: int = 1) -> str:
    """Return a program that edits ``presentation`` into the target deck of a turn.

    The program writes the changed parts of the file, since the edits are not available in the
    program sandbox.

    Raises:
        AgentError: If the target deck of the turn is unknown or cannot be built.
    """
    try:
        decks = (task.deck_bytes(), *goals_of_turns(task))
        if turn < len(decks):
            return part_program(decks[turn - 1], decks[turn])
    except (DeckError, TaskError) as error:
        raise AgentError(f"{task.id}: {error}") from error
    raise AgentError(f"{task.id}: expected a solution or a gold deck for turn {turn}")


class GoalAgent:
    """Runs one program per turn, then `done`; calls `fail` on infeasible turns.

    Args:
        tasks: The tasks to play.
    """

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks = {task.id: task for task in tasks}
        self._calls: list[ToolCall] = []

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode.

        Raises:
            AgentError: If a turn of the task has no known target deck.
        """
        task = self._tasks[info["task_id"]]
        self._calls = []
        for turn, can_be_done in enumerate((task.feasible, *(t.feasible for t in task.turns)), 1):
            if not can_be_done:
                self._calls.append(ToolCall.of("fail"))
                continue
            code = goal_program(task, turn)
            self._calls += [ToolCall.of("run_program", code=code), ToolCall.of("done")]

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> ToolCall:
        """Return the next call.

        Raises:
            AgentError: If the previous call was refused; the message has the reason.
        """
        if info["action_error"]:
            raise AgentError(f"the goal's edit was refused: {info['action_error']}")
        return self._calls.pop(0)
