"""The Gymnasium observation space and its observations."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from pptarena.envs.action_space import MAX_ELEMENTS
from pptarena.envs.charset import sanitize, text_space
from pptarena.envs.elements import COLUMNS, ElementTable
from pptarena.envs.roles import ROLES

__all__ = ["INSTRUCTION_MAX", "make_observation", "observation_space"]

INSTRUCTION_MAX = 2048
"""Most characters of an instruction in an observation; ``info["instruction"]`` is complete."""


def observation_space(width_px: int, height_px: int) -> spaces.Dict:
    """Return a new observation space.

    Its entries: ``screenshot`` uint8 (height, width, 3) RGB; ``elements`` float32 (256, 12), one
    row per element, see `pptarena.envs.elements.COLUMNS`; ``element_count`` 0 to 256;
    ``instruction`` text of 0 to 2048 characters.
    """
    high = np.ones((MAX_ELEMENTS, len(COLUMNS)), np.float32)
    high[:, COLUMNS.index("role")] = len(ROLES) - 1
    return spaces.Dict(
        {
            "screenshot": spaces.Box(0, 255, (height_px, width_px, 3), np.uint8),
            "elements": spaces.Box(np.zeros_like(high), high, dtype=np.float32),
            "element_count": spaces.Discrete(MAX_ELEMENTS + 1),
            "instruction": text_space(INSTRUCTION_MAX),
        }
    )


def make_observation(
    screenshot: NDArray[np.uint8], elements: ElementTable, instruction: str
) -> dict[str, Any]:
    """Return an observation in new arrays."""
    return {
        "screenshot": screenshot.copy(),
        "elements": elements.features.copy(),
        "element_count": len(elements),
        "instruction": sanitize(instruction, INSTRUCTION_MAX),
    }
