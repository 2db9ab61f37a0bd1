"""Which tasks a command plays."""

from collections.abc import Callable, Sequence
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from pptarena.cli.output import stderr
from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from pptarena.tasks import Task

__all__ = ["chosen_tasks", "require_demonstrations"]

_DEMONSTRATION, _MACRO = "demonstration", "macro"
_MOST_NAMED = 5  # tasks in an error


def chosen_tasks(
    suite: str, tasks: str, sample: int = 0, seed: int = 0, *, agents: Sequence[str] = ()
) -> "Sequence[Task]":
    """Return the tasks of ids or paths separated by commas, or those of a suite.

    Args:
        suite: A name or a path.
        tasks: The ids or paths; "" for the whole suite.
        sample: So many of the suite, drawn at random; 0 for all.
        seed: What they are drawn by.
        agents: Who is to play them. For ``macro`` or ``demonstration`` alone, only tasks that have
            one are drawn.

    Raises:
        ConfigError: If there are only commas, two tasks have one id, the suite has fewer tasks than
            are to be drawn, or none that the agent can play.
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
        return _drawn(suite, draw_from(suite), sample, seed, set(agents))
    return pick_tasks(names, suite)


def _drawn(
    suite: str, found: "Sequence[Task]", sample: int, seed: int, agents: set[str]
) -> "Sequence[Task]":
    has, what = _FITTING.get(next(iter(agents)) if len(agents) == 1 else "", (None, ""))
    if sample > len(found):
        raise ConfigError(f"--sample {sample}: the suite {suite} has {len(found)} tasks")
    order = Random(seed).sample(range(len(found)), sample if has is None else len(found))
    tasks = (found[at] for at in order)
    fitting = tasks if has is None else filter(has, tasks)
    drawn = list(islice(fitting, sample))
    if not drawn:
        raise ConfigError(f"no task of {suite} has {what}: give another agent")
    if len(drawn) < sample:
        few = f"--sample {sample}: only {len(drawn)} of {len(found)} tasks of {suite} have {what}"
        stderr().print(few, markup=False, highlight=False, soft_wrap=True)
    return drawn


_FITTING: dict[str, tuple[Callable[["Task"], object], str]] = {
    _MACRO: (lambda task: task.macros, "macros"),
    _DEMONSTRATION: (lambda task: task.demonstration, "a recorded demonstration"),
}


def require_demonstrations(agents: Sequence[str], tasks: "Sequence[Task]") -> None:
    """Refuse to play demonstrations of tasks that have none.

    Raises:
        AgentError: If there is such a task.
    """
    from pptarena.errors import AgentError

    if _DEMONSTRATION not in agents:
        return
    lacking = [task.id for task in tasks if not task.demonstration]
    if lacking:
        which = "" if len(lacking) > _MOST_NAMED else f" ({', '.join(lacking)})"
        raise AgentError(
            f"{len(lacking)} of {len(tasks)} tasks have no recorded demonstration{which}; "
            "use --agent macro, or --suite starter, where all have one"
        )
