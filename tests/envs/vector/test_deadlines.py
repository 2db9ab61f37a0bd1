import dataclasses
import time

import pytest
from gymnasium.error import ClosedEnvironmentError

from pptarena.envs.config import EnvConfig
from pptarena.envs.vector.deadlines import Deadlines
from pptarena.envs.vector.wake_event import WakeEvent
from pptarena.errors import ConfigError
from pptarena.rewards.judges import JudgeConfig


def test_deadlines_fit_the_machine_and_the_judge() -> None:
    config = EnvConfig()
    assert Deadlines.fitting(config) == Deadlines()
    assert Deadlines.fitting(config, 4.0).step_deadline_sec == 120
    judged = dataclasses.replace(config, judge=JudgeConfig(model="m", timeout_sec=20))
    assert Deadlines.fitting(judged).step_deadline_sec == 130
    asked = Deadlines.fitting(judged, 4.0, step_deadline_sec=7, reset_wait_sec=0)
    assert (asked.step_deadline_sec, asked.reset_wait_sec) == (7, 0)
    assert asked.reset_deadline_sec == 4 * 3 * 120


@pytest.mark.parametrize("name", ["step_deadline_sec", "reset_wait_sec", "restarts"])
@pytest.mark.parametrize("value", [-1, float("nan"), "5", True])
def test_other_values_are_refused(name: str, value: object) -> None:
    with pytest.raises(ConfigError, match=name):
        Deadlines(**{name: value})  # type: ignore[arg-type]


def test_a_bell_that_rang_before_does_not_end_the_wait() -> None:
    wake_event, looks = WakeEvent(), []
    for _ in range(5):
        wake_event.ring()
    limit = time.monotonic() + 0.05

    def until() -> float | None:
        looks.append(1)
        return limit if time.monotonic() < limit else None

    wake_event.wait(until)
    assert len(looks) <= 3
    wake_event.close()
    with pytest.raises(ClosedEnvironmentError):
        wake_event.wait(lambda: time.monotonic() + 60)
    wake_event.wait(lambda: None)  # what is there already is still told
