"""How long a vector environment waits for its machines."""

import math
from dataclasses import dataclass

from pptarena.envs.config import EnvConfig
from pptarena.envs.machines.config import check_fields, within

__all__ = ["Deadlines"]

_STEP_DEADLINE_SEC = 30.0
# The last step of an episode may ask a model several times.
_JUDGE_REQUESTS = 5


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Deadlines of a vector environment, and how often it tries again.

    Attributes:
        step_deadline_sec: Longest time for the step of one sub-environment, scoring included.
        reset_wait_sec: How long a step waits for a sub-environment that is being reset, counted
            from the reset's begin.
        reset_deadline_sec: Longest time for one reset, all attempts included.
        restarts: How often in a row a machine is tried again that does not come up.
    """

    step_deadline_sec: float = within(_STEP_DEADLINE_SEC, 0.0, math.inf)
    reset_wait_sec: float = within(10.0, 0.0, math.inf)
    reset_deadline_sec: float = within(360.0, 0.0, math.inf)
    restarts: int = within(5, 0, math.inf)

    def __post_init__(self) -> None:
        """Refuse negative times and counts."""
        check_fields(self)

    @classmethod
    def fitting(
        cls,
        config: EnvConfig,
        slow_factor: float = 1.0,
        step_deadline_sec: float | None = None,
        reset_wait_sec: float = 10.0,
    ) -> "Deadlines":
        """Return the deadlines that fit the settings of the sub-environments.

        Args:
            config: These settings.
            slow_factor: How many times longer than others their machines may take.
            step_deadline_sec: As given by the user; None takes 30 s, for virtual machines 120 s,
                and with a judge the time of five requests more.
            reset_wait_sec: As given by the user.
        """
        if step_deadline_sec is None:
            step_deadline_sec = _STEP_DEADLINE_SEC * slow_factor
            if config.judge is not None:
                step_deadline_sec += _JUDGE_REQUESTS * config.judge.timeout_sec
        reset_deadline_sec = config.machine.start_timeout_sec * config.start_attempts * slow_factor
        return cls(step_deadline_sec, reset_wait_sec, reset_deadline_sec)
