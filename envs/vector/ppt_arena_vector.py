"""`PPTArenaVectorEnv`: what `gymnasium.make_vec` makes of a pptarena id."""

from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from typing import Any

import gymnasium as gym
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import TimeLimit

from pptarena.envs.arguments import on_machine
from pptarena.envs.machines.base import Machine
from pptarena.envs.ppt_arena import PPTArenaEnv
from pptarena.envs.vector.deadlines import Deadlines
from pptarena.envs.vector.parallel import ParallelVectorEnv
from pptarena.errors import ConfigError

__all__ = ["PPTArenaVectorEnv"]

AnyEnv = gym.Env[Any, Any]


class PPTArenaVectorEnv(ParallelVectorEnv):
    """Several `PPTArenaEnv` whose machines work at the same time.

    `gymnasium.make_vec("PPTArena-v0", num_envs=4, ...)` makes one; all keyword arguments that are
    not named here are those of `PPTArenaEnv`.

    Args:
        num_envs: How many.
        autoreset_mode: What happens at an episode's end; see `gymnasium.vector.AutoresetMode`.
        copy: Whether every reply has arrays of its own; else they are used again.
        step_deadline_sec: Longest time for the step of one sub-environment, scoring included; None
            takes 30 s, for virtual machines 120 s, and with a judge the time of five requests more.
        reset_wait_sec: How long a step waits for a sub-environment that is being reset; with 0, no
            step ever waits for another's reset, and one that is not ready is truncated.
        env_wrappers: Put round every sub-environment, the first one innermost.
        max_episode_steps: Steps after which `gymnasium.wrappers.TimeLimit` truncates; the argument
            ``max_steps`` of `PPTArenaEnv`, which also scores such an end, is mostly better.
        arguments: Those of `PPTArenaEnv`; ``machine`` must be the name of a kind, or a class.

    Raises:
        ConfigError: If an argument has a value that is not allowed.
        UnknownTaskError: If there is no task or suite of that name.

    Example:
        >>> envs = PPTArenaVectorEnv(2, machine="fake", width_px=640, height_px=360)
        >>> obs, infos = envs.reset(seed=0)
        >>> obs["screenshot"].shape, infos["score"].tolist()
        ((2, 360, 640, 3), [0.0, 0.0])
        >>> envs.close()
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        step_deadline_sec: float | None = None,
        reset_wait_sec: float = 10.0,
        env_wrappers: Sequence[Callable[[AnyEnv], AnyEnv]] = (),
        max_episode_steps: int | None = None,
        **arguments: Any,
    ) -> None:
        if not isinstance(num_envs, int) or num_envs < 1:
            raise ConfigError(f"expected num_envs to be a number from 1, got {num_envs!r}")
        if isinstance(arguments.get("machine"), Machine):
            raise ConfigError("machine: several environments need the name of a kind of machine")
        # A sub-environment that fails is reset again here, after a pause.
        arguments = {"start_attempts": 1, **arguments}
        with closing(PPTArenaEnv(**arguments)) as probe:
            if probe.render_mode == "human" and not probe.machine.watched:
                raise ConfigError(
                    "render_mode 'human' needs a machine that a viewer can look at in a vector: "
                    "use machine='qemu'"
                )
            arguments = on_machine(arguments, type(probe.machine))  # "auto" is looked up once
            deadlines = Deadlines.fitting(
                probe.config, probe.machine.slow_factor, step_deadline_sec, reset_wait_sec
            )
        make = partial(_make, arguments, max_episode_steps, tuple(env_wrappers))
        super().__init__(
            [make] * num_envs, copy=copy, autoreset_mode=autoreset_mode, deadlines=deadlines
        )


def _make(
    arguments: dict[str, Any],
    max_episode_steps: int | None,
    wrappers: Sequence[Callable[[AnyEnv], AnyEnv]],
) -> AnyEnv:
    env: AnyEnv = PPTArenaEnv(**arguments)
    if max_episode_steps is not None:
        env = TimeLimit(env, max_episode_steps)
    for wrapper in wrappers:
        env = wrapper(env)
    return env
