"""Set-of-Marks: the number of every element drawn on the screenshot."""

from typing import Any

import gymnasium as gym
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

from pptarena.wrappers.marks import draw_marks
from pptarena.wrappers.require import dict_space

__all__ = ["MarkedScreenshot"]


class MarkedScreenshot(gym.ObservationWrapper[Any, Any, Any], RecordConstructorArgs):
    """Draws the elements of the observation, and their numbers, on ``screenshot``.

    Number i is the element that the action ``element=i`` aims at: both come from the same table.

    Args:
        env: An environment whose observation has ``screenshot``, ``elements`` and
            ``element_count``; screenshots of full size, or the numbers cannot be read.
        font_px: Height of the numbers.

    Raises:
        ConfigError: If the observation lacks one of these.
    """

    def __init__(self, env: gym.Env[Any, Any], font_px: int = 11) -> None:
        RecordConstructorArgs.__init__(self, font_px=font_px)
        gym.ObservationWrapper.__init__(self, env)
        for name, kind in (("screenshot", spaces.Box), ("elements", spaces.Box)):
            dict_space(env, name, kind)
        self._font_px = font_px

    def observation(self, observation: dict[str, Any]) -> dict[str, Any]:
        """Return the observation with marks on the screenshot, in memory of its own."""
        rows = observation["elements"][: int(observation["element_count"])]
        marked = draw_marks(observation["screenshot"], rows[:, :4], self._font_px)
        return {**observation, "screenshot": marked}
