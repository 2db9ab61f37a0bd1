"""Scale screenshots to a size that networks can use."""

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from PIL import Image

from pptarena.wrappers.requirements import dict_space, require_at_least

__all__ = ["SmallScreenshot"]


class SmallScreenshot(gym.ObservationWrapper[Any, Any, Any], RecordConstructorArgs):
    """Scales ``screenshot`` down; each new pixel is the mean of the pixels it replaces.

    Args:
        env: An environment whose observation has the image ``screenshot``.
        width_px: New width.
        height_px: New height.

    Raises:
        ConfigError: If there is no such image, or a size is below 1.
    """

    def __init__(self, env: gym.Env[Any, Any], width_px: int = 160, height_px: int = 90) -> None:
        RecordConstructorArgs.__init__(self, width_px=width_px, height_px=height_px)
        gym.ObservationWrapper.__init__(self, env)
        require_at_least("width_px", width_px, 1)
        require_at_least("height_px", height_px, 1)
        parts = dict_space(env, "screenshot", spaces.Box)
        self._size = width_px, height_px
        box = spaces.Box(0, 255, (height_px, width_px, 3), np.uint8)
        self.observation_space = spaces.Dict({**parts, "screenshot": box})

    def observation(self, observation: dict[str, Any]) -> dict[str, Any]:
        """Return a new observation with a small screenshot."""
        image = Image.fromarray(observation["screenshot"])
        small = image.resize(self._size, Image.Resampling.BOX)
        return {**observation, "screenshot": np.array(small, np.uint8)}
