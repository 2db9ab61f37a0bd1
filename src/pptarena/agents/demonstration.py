"""`DemonstrationAgent`: plays the recorded demonstration of a task."""

from collections.abc import Callable, Mapping
from typing import Any

from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.envs.tree_targets import action_for_step
from pptarena.errors import AgentError
from pptarena.tasks import DemoStep, Task, get_task

__all__ = ["DemonstrationAgent"]

# Seconds to wait before each retry for a missing target; the first retry costs a step but no time.
_RETRY_WAITS_SEC = (0, 1)


class DemonstrationAgent:
    """Plays the demonstration of a task and then ends the episode.

    Every step of a demonstration names its target by role and name; the agent finds it in the last
    accessibility tree. A demonstration proves that a task is feasible.

    Args:
        find_task: Returns the task with an id.
    """

    def __init__(self, find_task: Callable[[str], Task] = get_task) -> None:
        self._find_task = find_task
        self._task_id = ""
        self._steps: tuple[DemoStep, ...] = ()
        self._next_index = 0
        self._retries = 0

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode with the demonstration of ``info["task_id"]``.

        Raises:
            AgentError: If the task has no demonstration.
        """
        task = self._find_task(info["task_id"])
        if not task.demonstration:
            raise AgentError(f"the task {task.id!r} has no demonstration")
        self._task_id, self._steps = task.id, task.demonstration
        self._next_index = self._retries = 0

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Action:
        """Return the next action of the demonstration; ``done`` after the last.

        Raises:
            AgentError: If the target of the step does not appear on the screen, or the environment
                refused the last action.
        """
        if info["action_error"]:
            raise AgentError(
                f"{self._step_label(self._next_index - 1)} was refused: {info['action_error']}"
            )
        if self._next_index >= len(self._steps):
            return actions.done()
        step, nodes = self._steps[self._next_index], info["a11y"]["nodes"]
        height, width, _ = observation["screenshot"].shape
        try:
            action = action_for_step(step, nodes, (width, height), info["observation_id"])
        except AgentError as error:
            if self._retries == len(_RETRY_WAITS_SEC):
                raise AgentError(f"{self._step_label(self._next_index)}: {error}") from None
            self._retries += 1
            return actions.wait(_RETRY_WAITS_SEC[self._retries - 1])
        self._next_index, self._retries = self._next_index + 1, 0
        return action

    def _step_label(self, index: int) -> str:
        kind = self._steps[index].kind if index >= 0 else "its first action"
        return f"step {index + 1} ({kind}) of the demonstration of {self._task_id!r}"
