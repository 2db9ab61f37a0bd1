"""Starting several things at once, all of them or none."""

import os
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Protocol, TypeVar

__all__ = ["start_all"]

THREADS_MAX = 8
"""Most starts at once; fewer where there are fewer processors, or each would wait for all."""


class _Closable(Protocol):
    def close(self) -> None: ...


Thing = TypeVar("Thing", bound=_Closable)


def start_all(start: Callable[[], Thing], count: int) -> list[Thing]:
    """Call `start` several times, in threads, and return what it returned.

    When one call fails, those not yet begun are dropped, what the others return is closed, and
    the error is raised once nothing is left.
    """
    futures: list[Future[Thing]] = []
    threads = min(count, THREADS_MAX, os.cpu_count() or 1)
    pool = ThreadPoolExecutor(threads, thread_name_prefix="pptarena-fork")
    try:
        futures += [pool.submit(start) for _ in range(count)]
        done, _ = wait(futures, return_when=FIRST_EXCEPTION)
        for future in done:
            future.result()  # raises before the rest is waited for
        return [future.result() for future in futures]
    except BaseException:
        pool.shutdown(wait=True, cancel_futures=True)
        _close(futures)
        raise
    finally:
        pool.shutdown(wait=True)


def _close(futures: "list[Future[Thing]]") -> None:
    for future in futures:
        if future.done() and not future.cancelled() and future.exception() is None:
            with suppress(Exception):  # the error that brought us here is the one to tell
                future.result().close()
