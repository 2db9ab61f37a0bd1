"""Selection of the tasks that ``run`` runs."""

from collections.abc import Callable, Sequence
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from pptarena.cli.output import print_note
from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from pptarena.tasks import Task

__all__ = ["require_demonstrations", "select_tasks"]

_DEMONSTRATION, _MACROS = "demonstration", ("macro", "macro-titles")
_MAX_NAMED = 5  # in an error message


def select_tasks(
    suite: str,
    names: Sequence[str] | None,
    sample: int = 0,
    seed: int = 0,
    *,
    agents: Sequence[str] = (),
) -> "Sequence[Task]":
    """Return the tasks with these names, or the tasks of a suite.

    Args:
        suite: Name or path of the suite.
        names: Ids or paths of tasks; empty for the entire suite.
        sample: Number of tasks to sample from the suite; 0 for all.
        seed: Seed of the sample.
        agents: The agents that run the tasks. If the only agent plays macros or demonstrations,
            the tasks are sampled from those it can run.

    Raises:
        ConfigError: If a name is empty, two tasks have the same id, or the suite has too few tasks
            or none that the agent can run.
        UnknownTaskError: If a task or the suite does not exist.
        TaskError: If a task file is malformed.
    """
    from pptarena.tasks import draw_from, pick_tasks

    names = [name.strip() for name in names or ()]
    if not all(names):
        raise ConfigError("--task is empty: name the id or the path of a task")
    if sample and names:
        raise ConfigError("--sample samples from a suite: remove --task")
    if sample:
        return _sample_tasks(suite, draw_from(suite), sample, seed, set(agents))
    return pick_tasks(names, suite)


def _sample_tasks(
    suite: str, tasks_of_suite: "Sequence[Task]", sample: int, seed: int, agents: set[str]
) -> "Sequence[Task]":
    requirements = _requirements()
    is_playable, requirement = requirements.get(
        next(iter(agents)) if len(agents) == 1 else "", (None, "")
    )
    if sample > len(tasks_of_suite):
        raise ConfigError(f"--sample {sample}: the suite {suite} has {len(tasks_of_suite)} tasks")
    order = Random(seed).sample(
        range(len(tasks_of_suite)), sample if is_playable is None else len(tasks_of_suite)
    )
    tasks = (tasks_of_suite[index] for index in order)
    playable = tasks if is_playable is None else filter(is_playable, tasks)
    sampled = list(islice(playable, sample))
    if not sampled:
        raise ConfigError(f"no task of {suite} has {requirement}: use another agent")
    if len(sampled) < sample:
        print_note(
            f"--sample {sample}: only {len(sampled)} of {len(tasks_of_suite)} tasks of {suite} "
            f"have {requirement}"
        )
    return sampled


def _requirements() -> dict[str, tuple[Callable[["Task"], object], str]]:
    """Return, by agent, a predicate of the tasks it can run, and their common property."""
    from pptarena.tasks.solution_macros import has_macros

    return {
        **dict.fromkeys(_MACROS, (has_macros, "macros")),
        _DEMONSTRATION: (lambda task: task.demonstration, "a recorded demonstration"),
    }


def require_demonstrations(agents: Sequence[str], tasks: "Sequence[Task]") -> None:
    """Check that the tasks have demonstrations, if the agent ``demonstration`` runs them.

    Raises:
        AgentError: If a task has none.
    """
    from pptarena.errors import AgentError

    if _DEMONSTRATION not in agents:
        return
    missing = [task.id for task in tasks if not task.demonstration]
    if missing:
        names = "" if len(missing) > _MAX_NAMED else f" ({', '.join(missing)})"
        raise AgentError(
            f"{len(missing)} of {len(tasks)} tasks have no recorded demonstration{names}; "
            "use --agent macro, or --suite starter, where all have one"
        )
