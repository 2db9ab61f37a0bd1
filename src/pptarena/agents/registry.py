"""Agents by name; each module is imported when one of its agents is requested."""

import importlib
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import cast

from pptarena.agents.base import Agent
from pptarena.errors import ConfigError
from pptarena.suggestions import not_found
from pptarena.tasks import Task, get_task

__all__ = ["CUSTOM_AGENT_HINT", "agent_names", "is_agent_name", "make_agent"]

_DEMONSTRATION, _MACRO, _TITLE_MACRO = "demonstration", "macro", "macro-titles"
_AGENTS = {
    _DEMONSTRATION: "pptarena.agents.demonstration:DemonstrationAgent",
    _MACRO: "pptarena.agents.macro_agent:MacroAgent",
    _TITLE_MACRO: "pptarena.agents.macro_agent:TitleMacroAgent",
    "random": "pptarena.agents.random_agent:RandomAgent",
}
_INTERNAL = {"busy": "pptarena.agents.busy:BusyAgent"}  # to measure speed

CUSTOM_AGENT_HINT = "Your own agents are named 'package.module:Class'."
"""The end of a message: how to name an agent outside the package."""


def agent_names() -> tuple[str, ...]:
    """Return the names of the agents of the package."""
    return tuple(_AGENTS)


def is_agent_name(name: str) -> bool:
    """Return whether `make_agent` accepts a name: a known one, or the path of a class."""
    return ":" in name or name in _AGENTS | _INTERNAL


def make_agent(name: str, tasks: Iterable[Task] = ()) -> Agent:
    """Create an agent.

    Args:
        name: A name of `agent_names`, or ``"package.module:Class"``; the class is called without
            arguments. Modules of the working directory are found after installed ones.
        tasks: The tasks to play, for demonstrations and macros: tasks from files have no registered
            id.

    Raises:
        ConfigError: If the agent does not exist, or it lacks the methods of `Agent`.
    """
    path = (_AGENTS | _INTERNAL).get(name, name)
    module_name, colon, class_name = path.partition(":")
    if not (module_name and colon and class_name) or module_name.startswith("."):
        raise ConfigError(not_found("agent", name, agent_names(), CUSTOM_AGENT_HINT))
    if path == name and (working_folder := str(Path.cwd())) not in sys.path:
        sys.path.append(working_folder)  # console scripts do not search it
    try:
        factory = getattr(importlib.import_module(module_name), class_name)
    except (ImportError, AttributeError) as error:
        hint = f"; run the command in the folder of {module_name}.py, or install the package"
        missing = isinstance(error, ModuleNotFoundError) and error.name == module_name
        raise ConfigError(
            f"cannot import the agent {path!r}: {error}{hint if missing else ''}"
        ) from error
    if not callable(factory):
        raise ConfigError(f"expected the class of an agent, but {path!r} is {factory!r:.80}")
    agent = (
        factory(_task_finder(tasks))
        if name in (_DEMONSTRATION, _MACRO, _TITLE_MACRO)
        else factory()
    )
    for method in ("reset", "act"):
        if not callable(getattr(agent, method, None)):
            raise ConfigError(f"the agent {path!r} has no method {method!r}")
    return cast(Agent, agent)


def _task_finder(tasks: Iterable[Task]) -> Callable[[str], Task]:
    """Return a function that finds these tasks by id, and all others like `get_task`."""
    by_id = {task.id: task for task in tasks}
    return lambda id: by_id[id] if id in by_id else get_task(id)
