"""Which tasks a command plays."""

from collections.abc import Sequence
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from pptarena.tasks import Task

__all__ = ["chosen_tasks"]


def chosen_tasks(
    suite: str, tasks: str, sample: int = 0, seed: int = 0, *, with_macros: bool = False
) -> "Sequence[Task]":
    """Return the tasks of ids or paths separated by commas, or those of a suite.

    Args:
        suite: A name or a path.
        tasks: The ids or paths; "" for the whole suite.
        sample: So many of the suite, drawn at random; 0 for all.
        seed: What they are drawn by.
        with_macros: Whether only tasks that have macros are drawn.

    Raises:
        ConfigError: If there are only commas, two tasks have one id, or no task has macros.
        UnknownTaskError: If there is no such task or suite.
        TaskError: If a task file is malformed.
    """
    from pptarena.tasks import draw_from, pick_tasks

    names = [name.strip() for name in tasks.split(",") if name.strip()]
    if tasks and not names:
        raise ConfigError(f"expected ids of tasks, separated by commas, got {tasks!r}")
    if sample and names:
        raise ConfigError("--sample draws from a suite: leave out --tasks")
    if sample:
        found = draw_from(suite)
        many = len(found) if with_macros else min(sample, len(found))
        order = Random(seed).sample(range(len(found)), many)
        fitting = (task for at in order if (task := found[at]).macros or not with_macros)
        if not (drawn := list(islice(fitting, sample))):
            raise ConfigError(f"no task of {suite} has macros: give another agent")
        return drawn
    return pick_tasks(names, suite)
