"""How much longer work takes when there is more of it: a bound that a busy computer does not break.

Processor times of one process are compared, never a time with a number of seconds: load makes
both sizes slower.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["TIMES", "check_growth", "check_work", "processor_sec"]

TIMES = 4  # how many times larger the large input is
# Linear work takes 4 times as long for 4 times the input, quadratic work 16 times.
_MOST = 8.0
# What takes less, for the large input too, is not compared: it holds nothing up.
_FLOOR_SEC = 0.3
_ATTEMPTS = 3

Seconds = Mapping[str, float]


def check_growth(measure: Callable[[], tuple[Seconds, Seconds]]) -> None:
    """Fail if work grows clearly faster than its input.

    Work that seems to grow too fast is measured again, up to three times: interruptions
    only ever add time.

    Args:
        measure: Returns processor times by step, of the small input and of one that is
            `TIMES` times larger. Steps may be missing on either side.
    """
    seen = []
    for _ in range(_ATTEMPTS):
        small, large = measure()
        seen.append((dict(small), dict(large)))
        if all(
            sec < _FLOOR_SEC or step not in small or sec <= _MOST * small[step]
            for step, sec in large.items()
        ):
            return
    raise AssertionError(f"{TIMES} times the input takes more than {_MOST:g} times as long: {seen}")


def check_work(work: Callable[[int], Any], size: int) -> None:
    """Fail if a call grows clearly faster than its input.

    Args:
        work: Returns a call without arguments that does the work for an input of a size;
            making the input is not measured.
        size: The large size; attempts after the first take a little less.
    """
    # Every attempt has another size, which no cache has seen.
    sizes = iter(size - 2 * TIMES * attempt for attempt in range(_ATTEMPTS))

    def measure() -> tuple[Seconds, Seconds]:
        most = next(sizes)
        small, large = work(most // TIMES), work(most)
        return {"": processor_sec(small)}, {"": processor_sec(large)}

    check_growth(measure)


def processor_sec(work: Callable[[], object]) -> float:
    """Return the CPU time of a call."""
    start = time.process_time()
    work()
    return time.process_time() - start
