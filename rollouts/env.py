"""What a record of an episode says about the environment it was played in."""

from dataclasses import dataclass
from typing import Any

import gymnasium as gym

from pptarena.envs.ppt_arena import base_env
from pptarena.errors import PPTArenaError

__all__ = ["EnvFacts", "env_facts", "make_document_env", "make_env"]


@dataclass(frozen=True)
class EnvFacts:
    """Facts of an environment.

    Attributes:
        machine: Kind of machine.
        application: Image and application that the machine runs; ``""`` if it does not run.
        screen: Width and height in pixels.
        reward: ``"dense"`` or ``"sparse"``.
        max_steps: Step budget of every episode; None if each task has its own.
    """

    machine: str
    application: str
    screen: tuple[int, int]
    reward: str
    max_steps: int | None


def make_env(
    machine: str = "auto", suite: str = "starter", max_steps: int | None = None, **options: Any
) -> gym.Env[Any, Any]:
    """Make the environment for recorded runs; nothing starts before its first reset.

    Args:
        machine: Kind of machine.
        suite: Suite of tasks.
        max_steps: Step budget of every episode; None takes each task's own.
        options: Other arguments of `PPTArenaEnv`.
    """
    # The passive checker would look at every observation again, 720p pixels included.
    return gym.make(
        "PPTArena-v0",
        machine=machine,
        suite=suite,
        max_steps=max_steps,
        disable_env_checker=True,
        **options,
    )


def make_document_env(
    suite: str = "starter", max_steps: int | None = None, **options: Any
) -> gym.Env[Any, Any]:
    """Make the document environment for recorded runs; see `make_env`.

    Args:
        suite: Suite of tasks.
        max_steps: Step budget of every episode; None takes each task's own.
        options: Other arguments of `PPTArenaDocEnv`.
    """
    return gym.make(
        "PPTArenaDoc-v0", suite=suite, max_steps=max_steps, disable_env_checker=True, **options
    )


def env_facts(env: gym.Env[Any, Any]) -> EnvFacts:
    """Return the facts of an environment."""
    base = base_env(env)
    config = base.config
    try:
        application = base.machine.application_version
    except PPTArenaError:  # the machine never came up
        application = ""
    return EnvFacts(
        machine=base.machine.kind,
        application=application,
        screen=(config.machine.width_px, config.machine.height_px),
        reward=config.reward,
        max_steps=config.max_steps,
    )
