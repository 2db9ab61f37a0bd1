"""Environments whose next episode is made ready while the last one is played."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from pptarena.wrappers.require import require_at_least

__all__ = ["ResetAhead"]

Env = gym.Env[Any, Any]
Begun = tuple[Any, dict[str, Any]]

# Vectors give their environments seeds that follow one another; those of here lie far between.
_SEED_STEP = 1_000_003


class ResetAhead(gym.Env[Any, Any]):
    """Takes turns between equal environments: one is played, the others are reset meanwhile.

    Learners that step several environments together wait for the slowest, so that each reset holds
    up all of them. Here a reset only hands over to the environment that was begun longest ago.

    Args:
        make: Makes one environment; all must be equal.
        count: How many there are, at least 2; each has a machine of its own.

    Raises:
        ConfigError: If the count is below 2.
    """

    def __init__(self, make: Callable[[], Env], count: int = 2) -> None:
        require_at_least("count", count, 2)
        self._envs = [make() for _ in range(count)]
        self._playing = self._envs[0]
        self._begun: deque[tuple[Env, Future[Begun]]] = deque()
        self._threads = ThreadPoolExecutor(count, "pptarena-reset-ahead")
        self.observation_space = self._playing.observation_space
        self.action_space = self._playing.action_space
        self.metadata = self._playing.metadata
        self.render_mode = self._playing.render_mode

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Begun:
        """Begin an episode.

        Args:
            seed: Of all the environments' generators; each gets another that follows from it.
            options: Those of the environment; with them nothing is ready, so this one is reset.
        """
        if seed is not None:
            self._wait()
            self._begun.clear()
            for number, env in enumerate(self._envs):
                self._begin(env, seed + number * _SEED_STEP, None if number else options)
        elif options and self._begun:
            return self._playing.reset(options=options)
        elif self._begun:
            self._begin(self._playing)
        else:
            for number, env in enumerate(self._envs):
                self._begin(env, options=None if number else options)
        # Should it fail, it is the one to begin again.
        self._playing, begun = self._begun.popleft()
        return begun.result()

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Carry out one action."""
        return self._playing.step(action)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions can be carried out, as `SomActions` does."""
        masks: NDArray[np.bool_] = self._playing.get_wrapper_attr("action_masks")()
        return masks

    def render(self) -> Any:
        """Return what the environment that is played shows."""
        return self._playing.render()

    def close(self) -> None:
        """Close all environments, once the resets on their way have ended."""
        self._wait()
        self._threads.shutdown()
        for env in self._envs:
            env.close()

    def _begin(
        self, env: Env, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> None:
        self._begun.append((env, self._threads.submit(env.reset, seed=seed, options=options)))

    def _wait(self) -> None:
        for _, begun in self._begun:
            begun.exception()
