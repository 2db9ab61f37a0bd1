"""Edit PowerPoint decks with reinforcement-learning agents: environments, tasks and scores.

Importing this package registers Gymnasium environments: ``PPTArena-v0`` (a desktop with a real
office application), ``PPTArenaDoc-v0`` (the same tasks by tool calls on the file), and
``PPTArena/<task id>-v0`` for each packaged task.

    >>> import pptarena
    >>> env = pptarena.make("meridian-hide-backup", machine="fake")
    >>> observation, info = env.reset(seed=0)
    >>> observation, reward, terminated, truncated, info = env.step(pptarena.actions.done())

Environments and episodes:
    make         make an environment
    actions      module with a constructor for every action
    run_episode  run an agent for one episode
    make_sb3     make vectorized environments for stable-baselines3

Tasks and scores:
    Task         an instruction, a deck and a rubric
    load_task    load a task by id or path
    load_suite   load the tasks of a suite
    score        score a deck against a task's rubric

Decks:
    read_deck    parse a .pptx file
    diff_decks   list the differences between two decks

Full documentation: the folder ``docs`` of the repository (``make docs`` builds the site).
"""

import importlib
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium as gym

if TYPE_CHECKING:
    from pptarena.api import load_suite, load_task, make, run_episode, score
    from pptarena.decks import read_deck
    from pptarena.decks.diff import diff_decks
    from pptarena.envs import actions
    from pptarena.tasks import Task
    from pptarena.wrappers.sb3 import make_sb3

__all__ = [
    "Task",
    "__version__",
    "actions",
    "diff_decks",
    "load_suite",
    "load_task",
    "make",
    "make_sb3",
    "read_deck",
    "run_episode",
    "score",
]

__version__ = "0.1.0"

# Loaded on first use, to keep the import fast.
_MODULES = {
    "Task": "pptarena.tasks",
    "diff_decks": "pptarena.decks.diff",
    "load_suite": "pptarena.api",
    "load_task": "pptarena.api",
    "make": "pptarena.api",
    "make_sb3": "pptarena.wrappers.sb3",
    "read_deck": "pptarena.decks",
    "run_episode": "pptarena.api",
    "score": "pptarena.api",
}

_ENTRY_POINT = "pptarena.envs:PPTArenaEnv"
_VECTOR_ENTRY_POINT = "pptarena.envs.vector:PPTArenaVectorEnv"


def __getattr__(name: str) -> Any:
    if name == "actions":
        return importlib.import_module("pptarena.envs.actions")
    if name in _MODULES:
        return getattr(importlib.import_module(_MODULES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


def _task_ids() -> list[str]:
    """Return the ids of all packaged tasks from their file names, without importing the tasks."""
    spec = importlib.util.find_spec("pptarena.tasks")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    return sorted(path.stem for folder in folders for path in Path(folder).glob("specs/*/*.json"))


def _register() -> None:
    # Gymnasium's passive checker is disabled: in 1.4, if the first `reset` raises, it has no
    # observation to compare with, and every later `step` raises a TypeError. Our tests run the
    # checker.
    gym.register(
        "PPTArena-v0",
        entry_point=_ENTRY_POINT,
        vector_entry_point=_VECTOR_ENTRY_POINT,
        nondeterministic=True,
        disable_env_checker=True,
    )
    # Nondeterministic because ``info`` contains durations.
    gym.register(
        "PPTArenaDoc-v0",
        entry_point="pptarena.envs.document:PPTArenaDocEnv",
        nondeterministic=True,
        disable_env_checker=True,
    )
    for task_id in _task_ids():
        gym.register(
            f"PPTArena/{task_id}-v0",
            entry_point=_ENTRY_POINT,
            vector_entry_point=_VECTOR_ENTRY_POINT,
            nondeterministic=True,
            disable_env_checker=True,
            kwargs={"task": task_id},
        )


_register()
