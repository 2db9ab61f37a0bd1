"""Which task comes, and which one after it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from pptarena.errors import ConfigError
from pptarena.suggestions import not_found
from pptarena.tasks import SuiteFile, Task, get_task

__all__ = ["TaskDraw"]

_OPTIONS = ("task", "task_id", "next_task")


class TaskDraw:
    """Chooses the task of every episode: as told by ``reset``'s options, else drawn.

    Args:
        tasks: The tasks to draw from; one alone is never drawn, but taken.

    Attributes:
        tasks: Those.
        ahead: The task that was drawn for the next episode already, None for none.
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.tasks = tasks
        self._find: Callable[[str], Task | None] = (
            tasks.find if isinstance(tasks, SuiteFile) else {task.id: task for task in tasks}.get
        )
        self.ahead: Task | None = None

    def choose(self, options: Mapping[str, Any], generator: np.random.Generator) -> Task:
        """Return the task of the episode that begins.

        Raises:
            ConfigError: If there are options of other names.
            UnknownTaskError: If the options name a task that is not there.
            TaskError: If they name a task file that is malformed.
        """
        _require_known(options)
        chosen = options.get("task", options.get("task_id"))
        if chosen is not None:
            return self._task(chosen)
        drawn, self.ahead = self.ahead, None
        return drawn or self._draw(generator)

    def look_ahead(self, options: Mapping[str, Any], generator: np.random.Generator) -> Task | None:
        """Return the task that is likely next: as told, as drawn now; None if nobody knows."""
        if "next_task" in options:
            return self._task(options["next_task"])
        if "task" in options or "task_id" in options:
            return None
        self.ahead = self._draw(generator)
        return self.ahead

    def _task(self, chosen: Any) -> Task:
        """Return a task by its id, one of those to draw from first, or by its path."""
        if isinstance(chosen, Task):
            return chosen
        return self._find(chosen) or get_task(chosen)

    def _draw(self, generator: np.random.Generator) -> Task:
        if len(self.tasks) == 1:
            return self.tasks[0]
        return self.tasks[int(generator.integers(len(self.tasks)))]


def _require_known(options: Mapping[str, Any]) -> None:
    for name in options:
        if name not in _OPTIONS:
            raise ConfigError(not_found("reset option", name, _OPTIONS))
