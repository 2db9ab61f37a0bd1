"""`PPTArenaVectorEnv`: the vector environment that `gymnasium.make_vec` creates."""

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
    """Several `PPTArenaEnv` whose machines run concurrently.

    `gymnasium.make_vec("PPTArena-v0", num_envs=4, ...)` creates one; all keyword arguments that are
    not named here are those of `PPTArenaEnv`.

    Args:
        num_envs: Number of sub-environments.
        autoreset_mode: When sub-environments are reset; see `gymnasium.vector.AutoresetMode`.
        copy: Whether every result has new arrays; otherwise arrays are reused.
        step_deadline_sec: Most seconds for the step of one sub-environment, scoring included; None
            for 30 s, for virtual machines 120 s, plus the time of five requests if there is a
            judge.
        reset_wait_sec: Most seconds that a step waits for a sub-environment that is being reset.
            With 0, no step waits for another's reset, and a sub-environment that is not ready is
            truncated.
        env_wrappers: Wrappers of every sub-environment, the innermost first.
        max_episode_steps: Steps after which `gymnasium.wrappers.TimeLimit` truncates. Usually
            prefer the argument ``max_steps`` of `PPTArenaEnv`, which also scores the document at
            the end.
        arguments: Arguments of `PPTArenaEnv`; ``machine`` must be a name or a class.

    Raises:
        ConfigError: If an argument has a value that is not allowed.
        UnknownTaskError: If no task or suite has that name.

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
        # A failed sub-environment is reset again here, after a pause.
        arguments = {"start_attempts": 1, **arguments}
        with closing(PPTArenaEnv(**arguments)) as probe:
            if probe.render_mode == "human" and not probe.machine.watched:
                raise ConfigError(
                    "render_mode 'human' needs a machine that a viewer can look at in a vector: "
                    "use machine='qemu'"
                )
            arguments = on_machine(arguments, type(probe.machine))  # resolve "auto" only once
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
