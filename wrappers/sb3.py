"""Build environments for stable-baselines3."""

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import gymnasium as gym

from pptarena.envs.vector.hidden_main import hidden_main
from pptarena.errors import ConfigError, missing_package
from pptarena.wrappers.learner import LearnerConfig, learner_env
from pptarena.wrappers.requirements import require_at_least

if TYPE_CHECKING:
    from stable_baselines3.common.vec_env import VecEnv

__all__ = ["make_sb3"]


def make_sb3(
    num_envs: int = 1,
    *,
    config: LearnerConfig | None = None,
    processes: bool = False,
    seed: int | None = None,
    **arguments: Any,
) -> "VecEnv":
    """Return a vector of environments for stable-baselines3 and sb3-contrib.

    Each environment has its own machine and a `Monitor`. With the default settings they work with
    ``MaskablePPO("MultiInputPolicy", env)``. The machines start with the first reset.

    Args:
        num_envs: Number of environments.
        config: Settings, see `LearnerConfig`; None for the defaults.
        processes: Whether each environment runs in its own process (SubprocVecEnv); otherwise all
            share this process and act in turn (DummyVecEnv). The script needs no main guard.
        seed: Seed of the generators that sample tasks; environment i gets ``seed + i``.
        arguments: Arguments of `pptarena.envs.PPTArenaEnv`, such as ``task`` and ``machine``.

    Raises:
        ConfigError: If stable-baselines3 is missing, or an argument is not allowed.

    Example::

        env = pptarena.make_sb3(2, task="meridian-hide-backup", processes=True)
        MaskablePPO("MultiInputPolicy", env).learn(10_000)
    """
    try:
        from stable_baselines3.common.monitor import Monitor
        from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv
    except ImportError as error:
        raise missing_package("make_sb3", "stable-baselines3", "sb3") from error
    require_at_least("num_envs", num_envs, 1)
    if seed is not None:
        require_at_least("seed", seed, 0)
    if config is not None and not isinstance(config, LearnerConfig):
        raise ConfigError(f"config: expected a LearnerConfig or None, got {config!r:.80}")
    if processes and not isinstance(arguments.get("machine", "auto"), str | type):
        raise ConfigError("machine: with processes, give its kind, not a machine")

    def make() -> gym.Env[Any, Any]:
        env = learner_env(config, **arguments)
        return Monitor(env, info_keywords=("score", "task_id"))

    if processes:  # an error in a process would arrive here as a broken connection
        make().close()
    with hidden_main() if processes else nullcontext():
        vector = (SubprocVecEnv if processes else DummyVecEnv)([make] * num_envs)
    vector.seed(seed)
    return vector
