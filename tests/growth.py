"""Check that the cost of work grows at most linearly with its input, even on a busy computer.

The CPU times of two sizes are compared with each other instead of with a number of seconds, because
load slows down both.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["SIZE_RATIO", "check_growth", "check_work", "processor_sec"]

SIZE_RATIO = 4  # of the large input to the small one
# Linear work takes 4 times as long for 4 times the input, quadratic work 16 times.
_MAX_TIME_RATIO = 8.0
# Shorter times of the large input are not compared.
_NOISE_SEC = 0.3
_ATTEMPTS = 3

Seconds = Mapping[str, float]


def check_growth(measure: Callable[[], tuple[Seconds, Seconds]]) -> None:
    """Fail if work grows clearly faster than its input.

    If work seems to grow too fast, it is measured again, up to three times: interruptions only
    ever add time.

    Args:
        measure: Returns processor times by step, of the small input and of one that is
            `SIZE_RATIO` times larger. Steps may be missing on either side.
    """
    measurements = []
    for _ in range(_ATTEMPTS):
        small, large = measure()
        measurements.append((dict(small), dict(large)))
        if all(
            sec < _NOISE_SEC or step not in small or sec <= _MAX_TIME_RATIO * small[step]
            for step, sec in large.items()
        ):
            return
    raise AssertionError(
        f"{SIZE_RATIO} times the input takes over {_MAX_TIME_RATIO:g} times as long: {measurements}"
    )


def check_work(work: Callable[[int], Any], size: int) -> None:
    """Fail if a call grows clearly faster than its input.

    Args:
        work: Returns a call without arguments that does the work for an input of a size;
            building the input is not measured.
        size: The large size; later attempts use slightly smaller ones.
    """
    # Each attempt uses another size, so that no cache helps.
    sizes = iter(size - 2 * SIZE_RATIO * attempt for attempt in range(_ATTEMPTS))

    def measure() -> tuple[Seconds, Seconds]:
        large_size = next(sizes)
        small, large = work(large_size // SIZE_RATIO), work(large_size)
        return {"": processor_sec(small)}, {"": processor_sec(large)}

    check_growth(measure)


def processor_sec(work: Callable[[], object]) -> float:
    """Return the CPU time of a call."""
    start = time.process_time()
    work()
    return time.process_time() - start
