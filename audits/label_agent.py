"""An agent of the document environment that carries out the labels of imported tasks of PPTC."""

from collections.abc import Iterable, Mapping
from typing import Any

from pptarena.benchmarks.pptc.labels import labels_of
from pptarena.envs.document import ToolCall
from pptarena.errors import AgentError, TaskError
from pptarena.tasks import Task

__all__ = ["LabelAgent"]


class LabelAgent:
    """Carries out the calls of each turn's label as one text, then says done.

    Where the label asks for help, it says fail: of such a turn perhaps nothing can be done.

    Args:
        tasks: Those it is to play.
    """

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks = {task.id: task for task in tasks}
        self._calls: list[ToolCall] = []

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Begin an episode.

        Raises:
            AgentError: If the task has no labels.
        """
        task = self._tasks[info["task_id"]]
        try:
            labels = labels_of(task.id, task.place)
        except TaskError as error:
            raise AgentError(str(error)) from error
        self._calls = []
        for label in labels:
            # A task of a later turn begins with nothing chosen; labels go on from what is.
            later = task.dialogue and label.prelude
            calls = f"{label.prelude};{label.calls}" if later else label.calls
            end = "fail" if label.seeks else "done"
            self._calls += [ToolCall.of("run_calls", calls=calls), ToolCall.of(end)]

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> ToolCall:
        """Return the next call; what a label cannot do is passed over, as the benchmark does."""
        return self._calls.pop(0)
