"""An agent of the document environment that executes the labels of imported PPTC tasks."""

from collections.abc import Iterable, Mapping
from typing import Any

from pptarena.benchmarks.pptc.labels import load_labels
from pptarena.envs.document import ToolCall
from pptarena.errors import AgentError, TaskError
from pptarena.tasks import Task

__all__ = ["LabelAgent"]


class LabelAgent:
    """Executes the calls of each turn's label in one `run_calls`, then calls `done`.

    If the label asks for help, the agent calls `fail`: the turn may be impossible.

    Args:
        tasks: The tasks to play.
    """

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks = {task.id: task for task in tasks}
        self._calls: list[ToolCall] = []

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode.

        Raises:
            AgentError: If the task has no labels.
        """
        task = self._tasks[info["task_id"]]
        try:
            labels = load_labels(task.id, task.place)
        except TaskError as error:
            raise AgentError(str(error)) from error
        self._calls = []
        for label in labels:
            # A task that starts at a later turn has no selection yet, so the prelude selects first.
            later = task.dialogue and label.prelude
            calls = f"{label.prelude};{label.calls}" if later else label.calls
            end = "fail" if label.seeks else "done"
            self._calls += [ToolCall.of("run_calls", calls=calls), ToolCall.of(end)]

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> ToolCall:
        """Return the next call; impossible calls of a label are skipped, as in the benchmark."""
        return self._calls.pop(0)
