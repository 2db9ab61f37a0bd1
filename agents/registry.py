"""Agents by name; a module is imported only when one of its agents is asked for."""

import importlib
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import cast

from pptarena.agents.base import Agent
from pptarena.errors import ConfigError
from pptarena.suggestions import not_found
from pptarena.tasks import Task, get_task

__all__ = ["OWN_AGENT", "agent_names", "is_agent_name", "make_agent"]

_DEMONSTRATION, _MACRO = "demonstration", "macro"
_AGENTS = {
    _DEMONSTRATION: "pptarena.agents.demonstration:DemonstrationAgent",
    _MACRO: "pptarena.agents.macro_agent:MacroAgent",
    "random": "pptarena.agents.random_agent:RandomAgent",
}
_INTERNAL = {"busy": "pptarena.agents.busy:BusyAgent"}  # for measurements of speed

OWN_AGENT = "An agent of yours is 'package.module:Class'."
"""How an agent is named that does not come with the package; the end of a message."""


def agent_names() -> tuple[str, ...]:
    """Return the names of the agents that come with the package."""
    return tuple(_AGENTS)


def is_agent_name(name: str) -> bool:
    """Return whether `make_agent` makes an agent of a name, or takes it for the place of one."""
    return ":" in name or name in _AGENTS | _INTERNAL


def make_agent(name: str, tasks: Iterable[Task] = ()) -> Agent:
    """Make an agent.

    Args:
        name: A name of `agent_names`, or ``"package.module:Class"``; the class is called without
            arguments. Modules of the working directory are found, after those that are installed.
        tasks: Those it is to play, for demonstration and macros: tasks of files have no known id.

    Raises:
        ConfigError: If there is no such agent, or it lacks the methods of `Agent`.
    """
    place = (_AGENTS | _INTERNAL).get(name, name)
    module_name, colon, class_name = place.partition(":")
    if not (module_name and colon and class_name):
        raise ConfigError(not_found("agent", name, agent_names(), OWN_AGENT))
    if place == name and (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)  # console scripts do not look there
    try:
        factory = getattr(importlib.import_module(module_name), class_name)
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"cannot import the agent {place!r}: {error}") from error
    agent = factory(_finder(tasks)) if name in (_DEMONSTRATION, _MACRO) else factory()
    for method in ("reset", "act"):
        if not callable(getattr(agent, method, None)):
            raise ConfigError(f"the agent {place!r} has no method {method!r}")
    return cast(Agent, agent)


def _finder(tasks: Iterable[Task]) -> Callable[[str], Task]:
    """Return what finds these tasks by their ids, and all others as `get_task` does."""
    by_id = {task.id: task for task in tasks}
    return lambda id: by_id[id] if id in by_id else get_task(id)
