"""Processes that grow tasks beside this one."""

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from threading import Thread

__all__ = ["worker_pool"]


def worker_pool(processes: int) -> ProcessPoolExecutor:
    """Return so many processes, each of which ends with this one, even if it is killed."""
    return ProcessPoolExecutor(processes, get_context("spawn"), _end_with_parent)


def _end_with_parent() -> None:
    """End this process, and with it its application, when the one that works with it is killed."""
    parent = parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, name="pptarena-grow-parent", daemon=True).start()
