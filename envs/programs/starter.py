"""Start sandboxes from a thread that lives as long as this process."""

import os
import subprocess
from concurrent.futures import Future, ThreadPoolExecutor

__all__ = ["start"]

_THREADS: dict[int, ThreadPoolExecutor] = {}  # by process id: a forked child gets its own


def start(command: list[str]) -> "subprocess.Popen[bytes]":
    """Start a program with pipes to it, in its own session and with an empty environment.

    Programs that ask the kernel to kill them with their parent (``bwrap --die-with-parent``) die
    with the thread that started them, so one thread starts them all.

    Raises:
        OSError: If the program cannot be started.
    """
    thread = _THREADS.get(os.getpid())
    if thread is None:
        thread = _THREADS.setdefault(os.getpid(), ThreadPoolExecutor(1, "pptarena-leaves"))
    job = thread.submit(_start, command)
    try:
        return job.result()
    except BaseException:  # after an interrupt, nothing else would stop the program
        if not job.cancel():
            job.add_done_callback(_discard)
        raise


def _start(command: list[str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        env={},
        start_new_session=True,
    )


def _discard(job: "Future[subprocess.Popen[bytes]]") -> None:
    if job.exception() is None:
        process = job.result()
        process.kill()
        process.wait()
