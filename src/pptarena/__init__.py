"""PPTArena: tasks of editing PowerPoint decks as gymnasium environments.

Importing this package registers the environments with gymnasium: ``PPTArena-v0``, which draws a
task of its suite at every reset, one ``PPTArena/<task id>-v0`` per task, and ``PPTArenaDoc-v0``,
the same tasks on a file instead of a screen.
"""

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium as gym

if TYPE_CHECKING:
    from pptarena.wrappers.sb3 import make_sb3

__all__ = ["__version__", "make_sb3"]

__version__ = "0.1.0"

_ENTRY_POINT = "pptarena.envs:PPTArenaEnv"
_VECTOR_ENTRY_POINT = "pptarena.envs.vector:PPTArenaVectorEnv"


def __getattr__(name: str) -> Any:
    # Late, so that importing the package stays fast.
    if name == "make_sb3":
        from pptarena.wrappers.sb3 import make_sb3

        return make_sb3
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _task_ids() -> list[str]:
    """Return the ids of all tasks by the names of their files, without importing the tasks."""
    spec = importlib.util.find_spec("pptarena.tasks")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    return sorted(path.stem for folder in folders for path in Path(folder).glob("specs/*/*.json"))


def _register() -> None:
    # Without Gymnasium's passive checker: in 1.4, a first `reset` that raises leaves it without an
    # observation to compare with, and every later `step` raises a TypeError. Our tests run it.
    gym.register(
        "PPTArena-v0",
        entry_point=_ENTRY_POINT,
        vector_entry_point=_VECTOR_ENTRY_POINT,
        nondeterministic=True,
        disable_env_checker=True,
    )
    # Not deterministic because ``info`` tells how long things took.
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
