"""Start several resources concurrently, all or none."""

import os
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Protocol, TypeVar

__all__ = ["start_all"]

THREADS_MAX = 8
"""Most concurrent starts, limited by the number of CPUs so that starts do not slow each other."""


class _Closable(Protocol):
    def close(self) -> None: ...


Resource = TypeVar("Resource", bound=_Closable)


def start_all(start: Callable[[], Resource], count: int) -> list[Resource]:
    """Call `start` `count` times in threads and return the results.

    If one call fails, pending calls are canceled, the results of the others are closed, and then
    the error is raised.
    """
    futures: list[Future[Resource]] = []
    threads = min(count, THREADS_MAX, os.cpu_count() or 1)
    pool = ThreadPoolExecutor(threads, thread_name_prefix="pptarena-fork")
    try:
        futures += [pool.submit(start) for _ in range(count)]
        done, _ = wait(futures, return_when=FIRST_EXCEPTION)
        for future in done:
            future.result()  # raises without waiting for the others
        return [future.result() for future in futures]
    except BaseException:
        pool.shutdown(wait=True, cancel_futures=True)
        _close_started(futures)
        raise
    finally:
        pool.shutdown(wait=True)


def _close_started(futures: "list[Future[Resource]]") -> None:
    for future in futures:
        if future.done() and not future.cancelled() and future.exception() is None:
            with suppress(Exception):  # the first error is the one to report
                future.result().close()
