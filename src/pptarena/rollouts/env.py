"""The environment in the record of an episode."""

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
        machine: Type of machine.
        application: Image and application of the machine; ``""`` if it is not running.
        screen: Width and height in pixels.
        reward: ``"dense"`` or ``"sparse"``.
    """

    machine: str
    application: str
    screen: tuple[int, int]
    reward: str


def make_env(
    machine: str = "auto", suite: str = "starter", max_steps: int | None = None, **options: Any
) -> gym.Env[Any, Any]:
    """Create the environment of recorded runs; nothing starts before its first reset.

    Args:
        machine: Type of machine.
        suite: Suite of tasks.
        max_steps: Step budget of every episode; None for each task's own.
        options: Other arguments of `PPTArenaEnv`.
    """
    # The passive checker would check every observation again, 720p pixels included.
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
    """Create the document environment of recorded runs; see `make_env`.

    Args:
        suite: Suite of tasks.
        max_steps: Step budget of every episode; None for each task's own.
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
    except PPTArenaError:  # the machine never started
        application = ""
    return EnvFacts(
        machine=base.machine.kind,
        application=application,
        screen=(config.machine.width_px, config.machine.height_px),
        reward=config.reward,
    )
