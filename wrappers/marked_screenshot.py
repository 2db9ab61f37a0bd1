"""Draw Set-of-Marks numbers on the screenshot."""

from typing import Any

import gymnasium as gym
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

from pptarena.wrappers.marks import draw_marks
from pptarena.wrappers.requirements import dict_space, require_at_least

__all__ = ["MarkedScreenshot"]


class MarkedScreenshot(gym.ObservationWrapper[Any, Any, Any], RecordConstructorArgs):
    """Draws the elements of the observation, and their numbers, on ``screenshot``.

    Number i marks the target of the action ``element=i``: both come from the same table.

    Args:
        env: An environment whose observation has ``screenshot``, ``elements`` and
            ``element_count``. The screenshots should have full size, or the numbers are not
            legible.
        font_px: Height of the numbers.

    Raises:
        ConfigError: If the observation lacks one of these, or `font_px` is below 1.
    """

    def __init__(self, env: gym.Env[Any, Any], font_px: int = 11) -> None:
        RecordConstructorArgs.__init__(self, font_px=font_px)
        gym.ObservationWrapper.__init__(self, env)
        for name in ("screenshot", "elements"):
            dict_space(env, name, spaces.Box)
        dict_space(env, "element_count", spaces.Discrete)
        require_at_least("font_px", font_px, 1)
        self._font_px = font_px

    def observation(self, observation: dict[str, Any]) -> dict[str, Any]:
        """Return a new observation with marks on the screenshot."""
        rows = observation["elements"][: int(observation["element_count"])]
        marked = draw_marks(observation["screenshot"], rows[:, :4], self._font_px)
        return {**observation, "screenshot": marked}
