"""Deadlines of a vector environment."""

import math
from dataclasses import dataclass

from pptarena.envs.config import EnvConfig
from pptarena.envs.machines.config import check_fields, within

__all__ = ["Deadlines"]

_STEP_DEADLINE_SEC = 30.0
# The last step of an episode may send several requests to a model.
_JUDGE_REQUESTS = 5


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Deadlines and retries of a vector environment.

    Attributes:
        step_deadline_sec: Most seconds for the step of one sub-environment, scoring included.
        reset_wait_sec: Most seconds that a step waits for a sub-environment that is being reset,
            counted from the start of the reset.
        reset_deadline_sec: Most seconds for one reset, all attempts included.
        restarts: Number of consecutive retries of a machine that does not start.
    """

    step_deadline_sec: float = within(_STEP_DEADLINE_SEC, 0.0, math.inf)
    reset_wait_sec: float = within(10.0, 0.0, math.inf)
    reset_deadline_sec: float = within(360.0, 0.0, math.inf)
    restarts: int = within(5, 0, math.inf)

    def __post_init__(self) -> None:
        """Check that times and counts are not negative."""
        check_fields(self)

    @classmethod
    def fitting(
        cls,
        config: EnvConfig,
        slow_factor: float = 1.0,
        step_deadline_sec: float | None = None,
        reset_wait_sec: float = 10.0,
    ) -> "Deadlines":
        """Return the deadlines for the settings of the sub-environments.

        Args:
            config: The settings.
            slow_factor: How many times longer than others their machines may take.
            step_deadline_sec: The user's value; None for 30 s, for virtual machines 120 s, plus the
                time of five requests if there is a judge.
            reset_wait_sec: The user's value.
        """
        if step_deadline_sec is None:
            step_deadline_sec = _STEP_DEADLINE_SEC * slow_factor
            if config.judge is not None:
                step_deadline_sec += _JUDGE_REQUESTS * config.judge.timeout_sec
        reset_deadline_sec = config.machine.start_timeout_sec * config.start_attempts * slow_factor
        return cls(step_deadline_sec, reset_wait_sec, reset_deadline_sec)
