"""Worker processes that generate tasks."""

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from threading import Thread

__all__ = ["worker_pool"]


def worker_pool(processes: int) -> ProcessPoolExecutor:
    """Return a process pool whose workers exit with this process, even if it is killed."""
    return ProcessPoolExecutor(processes, get_context("spawn"), _end_with_parent)


def _end_with_parent() -> None:
    """Exit this worker, and with it its application, when the parent process exits."""
    parent = parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, name="pptarena-grow-parent", daemon=True).start()
