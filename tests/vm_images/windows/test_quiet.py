"""Rest by pixels and CPU time, with a clock that only sleeping moves."""

from collections.abc import Callable

import pytest

from pptarena.vm_images.windows.quiet import PixelRest


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


def rest(clock: Clock, pixels: Callable[[], bytes], busy: Callable[[], float]) -> PixelRest:
    return PixelRest(pixels, busy, clock.read, clock.sleep)


def test_a_still_screen_is_at_rest_after_the_pause(clock: Clock) -> None:
    assert rest(clock, lambda: b"same", lambda: 0.0).wait(0.1, 2.0)
    assert clock.now == pytest.approx(0.1)


def test_drawing_puts_rest_off(clock: Clock) -> None:
    drawn = rest(clock, lambda: b"a" if clock.now < 0.5 else b"b", lambda: 0.0)
    assert drawn.wait(0.6, 5.0)
    assert 1.1 <= clock.now < 1.2


def test_computing_puts_rest_off_though_nothing_is_drawn(clock: Clock) -> None:
    assert rest(clock, lambda: b"same", lambda: min(clock.now, 0.7)).wait(0.1, 5.0)
    assert 0.8 <= clock.now < 0.9


def test_a_little_work_is_idle_turning(clock: Clock) -> None:
    assert rest(clock, lambda: b"same", lambda: 0.1 * clock.now).wait(0.1, 5.0)
    assert clock.now == pytest.approx(0.1)


def test_a_screen_that_never_rests_meets_the_deadline(clock: Clock) -> None:
    def film() -> bytes:
        return str(clock.now).encode()

    assert not rest(clock, film, lambda: 0.0).wait(0.1, 1.0)
    assert 1.0 <= clock.now < 1.05
