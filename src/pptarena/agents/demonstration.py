"""`DemonstrationAgent`: plays the recorded demonstration of a task."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pptarena.agents.targets import find_target, missing_target
from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.errors import AgentError
from pptarena.tasks import DemoStep, Task, get_task

__all__ = ["DemonstrationAgent"]

Screen = tuple[int, int]

# Seconds to wait before each look for a target. The first look costs a step but no time; a target
# that is missing after the last look will not appear.
_RETRY_WAITS_SEC = (0, 1)


class DemonstrationAgent:
    """Plays the demonstration of a task and then ends the episode.

    Every step of a demonstration names its target by role and name; the agent finds it in the last
    accessibility tree. A demonstration shows that a task can be done, and how.

    Args:
        find_task: Returns the task with an id.
    """

    def __init__(self, find_task: Callable[[str], Task] = get_task) -> None:
        self._find_task = find_task
        self._task_id = ""
        self._steps: tuple[DemoStep, ...] = ()
        self._next = 0
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
        self._next = self._retries = 0

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Action:
        """Return the next action of the demonstration; ``done`` after the last.

        Raises:
            AgentError: If the target of the step does not appear on the screen, or the environment
                refused the last action.
        """
        if info["action_error"]:
            raise AgentError(f"{self._place(self._next - 1)} was refused: {info['action_error']}")
        if self._next >= len(self._steps):
            return actions.done()
        step, nodes = self._steps[self._next], info["a11y"]["nodes"]
        found = [find_target(nodes, target) for target in (step.target, step.end_target) if target]
        if None in found:
            return self._look_again(nodes)
        self._next, self._retries = self._next + 1, 0
        return self._action(step, info, _screen(observation))

    def _action(self, step: DemoStep, info: Mapping[str, Any], screen: Screen) -> Action:
        nodes = info["a11y"]["nodes"]
        node = find_target(nodes, step.target) if step.target else None
        end = find_target(nodes, step.end_target) if step.end_target else None
        element = int(node["element"]) if node and step.at is None else 0
        return Action(
            step.kind,
            element=element,
            # A node beyond the limit of elements has no number, but it has a position.
            xy=_point_in(node, step.at, screen) if node and not element else None,
            end_xy=_point_in(end, step.end_at, screen) if end else None,
            keys=step.keys,
            text=step.text,
            amount=step.amount,
            observation_id=info["observation_id"],
        )

    def _look_again(self, nodes: Sequence[Mapping[str, Any]]) -> Action:
        if self._retries < len(_RETRY_WAITS_SEC):
            self._retries += 1
            return actions.wait(_RETRY_WAITS_SEC[self._retries - 1])
        step = self._steps[self._next]
        targets = (target for target in (step.target, step.end_target) if target)
        missing = next(target for target in targets if find_target(nodes, target) is None)
        raise AgentError(f"{self._place(self._next)}: {missing_target(nodes, missing)}")

    def _place(self, number: int) -> str:
        kind = self._steps[number].kind if number >= 0 else "its first action"
        return f"step {number + 1} ({kind}) of the demonstration of {self._task_id!r}"


def _screen(observation: Mapping[str, Any]) -> Screen:
    height, width, _ = observation["screenshot"].shape
    return width, height


def _point_in(
    node: Mapping[str, Any], at: tuple[float, float] | None, screen: Screen
) -> tuple[float, float]:
    """Return a point in the box of a node, by default its center, in [0, 1] of the screen."""
    across, down = at or (0.5, 0.5)
    left, top, width, height = node["box"]
    x, y = (left + width * across) / screen[0], (top + height * down) / screen[1]
    return min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0)
