"""Selection of the task of an episode, and of its wording."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from zlib import crc32

import numpy as np

from pptarena.envs.config import require_wording
from pptarena.errors import ConfigError
from pptarena.suggestions import not_found
from pptarena.tasks import SuiteFile, Task, get_task

__all__ = ["TaskSampler"]

_OPTIONS = ("task", "task_id", "wording")


class TaskSampler:
    """Selects the task of every episode: from the options of ``reset``, else by a random draw.

    Args:
        tasks: The tasks to draw from; a single task is used without a draw.
        wording: See `EnvConfig.wording`.

    Attributes:
        tasks: The tasks to draw from.
    """

    def __init__(self, tasks: Sequence[Task], wording: int | str = "first") -> None:
        self.tasks = tasks
        self._wording = wording
        self._find: Callable[[str], Task | None] = (
            tasks.find if isinstance(tasks, SuiteFile) else {task.id: task for task in tasks}.get
        )

    def choose(self, options: Mapping[str, Any], generator: np.random.Generator) -> Task:
        """Return the task of the episode that starts, in the selected wording.

        Raises:
            ConfigError: If `options` has unknown keys, or a value that is not allowed.
            UnknownTaskError: If the options name an unknown task.
            TaskError: If the options name a malformed task file, or the task lacks the wording.
        """
        _require_known_options(options)
        if (requested_wording := options.get("wording")) is not None:
            require_wording(requested_wording)
        requested_tasks = [
            options[name] for name in ("task", "task_id") if options.get(name) is not None
        ]
        if len(requested_tasks) > 1:
            raise ConfigError("reset options: task and task_id are the same option; give one")
        task = self._task(requested_tasks[0]) if requested_tasks else self._sample(generator)
        wording = self._wording if requested_wording is None else requested_wording
        if wording == "first":  # a task passed in another wording keeps it
            return task
        if wording == "any":
            # The id makes tasks differ that are all reset with the same seed, as in a run.
            number = int(generator.integers(task.wordings)) + crc32(task.id.encode())
            wording = 1 + number % task.wordings
        return task.worded(int(wording))

    def _task(self, requested: Any) -> Task:
        """Return a task by id, preferably from the tasks to draw from, or by path."""
        if isinstance(requested, Task):
            return requested
        task = self._find(requested) if isinstance(requested, str) else None
        return task or get_task(requested)

    def _sample(self, generator: np.random.Generator) -> Task:
        if len(self.tasks) == 1:
            return self.tasks[0]
        return self.tasks[int(generator.integers(len(self.tasks)))]


def _require_known_options(options: Mapping[str, Any]) -> None:
    for name in options:
        if name not in _OPTIONS:
            raise ConfigError(not_found("reset option", name, _OPTIONS))
