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
        sample: Number of tasks to draw from the suite; 0 for all.
        seed: Seed of the draw.
        agents: The agents that run them. If there is only one, and it plays macros or
            demonstrations, the tasks are drawn from those it can run.

    Raises:
        ConfigError: If a name is empty, two tasks have the same id, or the suite has too few tasks
            or none that the agent can run.
        UnknownTaskError: If a task or the suite does not exist.
        TaskError: If a task file is malformed.
    """
    from pptarena.tasks import draw_from, pick_tasks

    names = [name.strip() for name in names or ()]
    if not all(names):
        raise ConfigError("--task needs the id or the path of a task, but got an empty text")
    if sample and names:
        raise ConfigError("--sample draws from a suite: leave out --task")
    if sample:
        return _drawn(suite, draw_from(suite), sample, seed, set(agents))
    return pick_tasks(names, suite)


def _drawn(
    suite: str, found: "Sequence[Task]", sample: int, seed: int, agents: set[str]
) -> "Sequence[Task]":
    fitting_by_agent = _fitting()
    has, what = fitting_by_agent.get(next(iter(agents)) if len(agents) == 1 else "", (None, ""))
    if sample > len(found):
        raise ConfigError(f"--sample {sample}: the suite {suite} has {len(found)} tasks")
    order = Random(seed).sample(range(len(found)), sample if has is None else len(found))
    tasks = (found[at] for at in order)
    fitting = tasks if has is None else filter(has, tasks)
    drawn = list(islice(fitting, sample))
    if not drawn:
        raise ConfigError(f"no task of {suite} has {what}: use another agent")
    if len(drawn) < sample:
        print_note(
            f"--sample {sample}: only {len(drawn)} of {len(found)} tasks of {suite} have {what}"
        )
    return drawn


def _fitting() -> dict[str, tuple[Callable[["Task"], object], str]]:
    """Return, by agent, which tasks it can run and what these have."""
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
    lacking = [task.id for task in tasks if not task.demonstration]
    if lacking:
        which = "" if len(lacking) > _MAX_NAMED else f" ({', '.join(lacking)})"
        raise AgentError(
            f"{len(lacking)} of {len(tasks)} tasks have no recorded demonstration{which}; "
            "use --agent macro, or --suite starter, where all have one"
        )
