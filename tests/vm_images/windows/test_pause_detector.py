"""Idle detection by pixels and CPU time, with a clock that advances by sleeping."""

from collections.abc import Callable

import pytest

from pptarena.vm_images.windows.pause_detector import ScreenPauseDetector


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def read(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


def detector(
    clock: Clock, pixels: Callable[[], bytes], busy: Callable[[], float]
) -> ScreenPauseDetector:
    return ScreenPauseDetector(pixels, busy, clock.read, clock.sleep)


def test_unchanged_screen_is_idle_after_the_pause(clock: Clock) -> None:
    assert detector(clock, lambda: b"same", lambda: 0.0).wait(0.1, 2.0)
    assert clock.now == pytest.approx(0.1)


def test_drawing_restarts_the_pause(clock: Clock) -> None:
    assert detector(clock, lambda: b"a" if clock.now < 0.5 else b"b", lambda: 0.0).wait(0.6, 5.0)
    assert 1.1 <= clock.now < 1.2


def test_cpu_time_restarts_the_pause(clock: Clock) -> None:
    assert detector(clock, lambda: b"same", lambda: min(clock.now, 0.7)).wait(0.1, 5.0)
    assert 0.8 <= clock.now < 0.9


def test_little_cpu_time_counts_as_idle(clock: Clock) -> None:
    assert detector(clock, lambda: b"same", lambda: 0.1 * clock.now).wait(0.1, 5.0)
    assert clock.now == pytest.approx(0.1)


def test_animation_ends_at_the_deadline(clock: Clock) -> None:
    assert not detector(clock, lambda: str(clock.now).encode(), lambda: 0.0).wait(0.1, 1.0)
    assert 1.0 <= clock.now < 1.05
