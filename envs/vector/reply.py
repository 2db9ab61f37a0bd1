"""What a sub_env of a vector environment waits for, and what it replies."""

import enum
from dataclasses import dataclass
from typing import Any

from pptarena.envs.vector.worker import Begun

__all__ = ["Reply", "State"]


class State(enum.Enum):
    """What comes next in a sub_env."""

    UNKNOWN = "a reset by the user"
    RUNNING = "a step"
    OVER = "a reset, after an episode's end"
    DOWN = "a reset, after the machine failed"


@dataclass(slots=True)
class Reply:
    """What a sub_env contributes to the reply of a step or a reset."""

    observation: Any
    info: dict[str, Any]
    reward: float = 0.0
    terminated: bool = False
    truncated: bool = False
    final: Begun | None = None
