"""Start programs that the kernel kills when this process exits for any reason."""

import os
import queue
import shutil
import subprocess
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from pptarena.errors import HostError

__all__ = ["parent_death_prefix", "spawn", "start_child", "stderr_tail"]

_PIPE_BYTES = 64 * 1024  # capacity of a pipe, pipe(7)
# Without this check, a program whose parent dies between the fork and the request to the kernel
# would never be killed.
_CHECK_PARENT = '[ "$PPID" = "$0" ] && exec "$@"'


def start_child(command: list[str], **options: Any) -> "subprocess.Popen[bytes]":
    """Start a program that asks the kernel to kill it with its parent.

    The parent-death signal is tied to the thread that forks: a program started from a short-lived
    thread would be killed when that thread exits. All programs are therefore started by one thread
    that never exits.

    Args:
        command: The program and its arguments; it must request the signal itself (``bwrap
            --die-with-parent``, `parent_death_prefix`).
        options: Options of `subprocess.Popen`.

    Raises:
        OSError: If the program cannot be started.
    """
    return _spawner().run(lambda: subprocess.Popen(command, **options))


def spawn(command: list[str], *descriptors: int) -> "subprocess.Popen[bytes]":
    """Start a program with `start_child`, detached and with its errors in a pipe.

    Args:
        command: The program and its arguments.
        descriptors: Open file descriptors that it inherits.

    Returns:
        The process, in its own session. Its standard output is discarded and its standard error is
        a non-blocking pipe, which `stderr_tail` reads; when the pipe is full, further output is
        lost.
    """
    read, write = os.pipe()
    stderr = open(read, "rb", buffering=0)  # noqa: SIM115 - the caller closes it
    try:
        os.set_blocking(read, False)
        os.set_blocking(write, False)
        process = start_child(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=write,
            pass_fds=descriptors,
            start_new_session=True,
        )
    except BaseException:
        stderr.close()
        raise
    finally:
        os.close(write)
    process.stderr = stderr
    return process


def stderr_tail(process: "subprocess.Popen[bytes]") -> str:
    """Return the end of the standard error of a program that `spawn` started."""
    if process.stderr is None or process.stderr.closed:
        return ""
    try:
        output = os.read(process.stderr.fileno(), _PIPE_BYTES)
    except BlockingIOError:  # empty, and another process still holds the write end
        return ""
    return output.decode("utf-8", "replace").strip()[-2000:]


def parent_death_prefix() -> list[str]:
    """Return the command prefix that makes the kernel kill a program with its parent.

    Raises:
        HostError: If this host lacks the program that requests it.
    """
    program = shutil.which("setpriv")
    if program is None:
        raise HostError("setpriv is missing; install it with: sudo apt-get install util-linux")
    request = [program, "--pdeathsig", "KILL", "--no-new-privs", "--"]
    return [*request, "/bin/sh", "-c", _CHECK_PARENT, str(os.getpid())]


class _Spawner:
    """The thread that starts programs; it lives as long as the process."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = queue.SimpleQueue()

    def start(self) -> None:
        threading.Thread(target=self._work, name="pptarena-spawner", daemon=True).start()

    def run(self, job: Callable[[], "subprocess.Popen[bytes]"]) -> "subprocess.Popen[bytes]":
        future: Future[subprocess.Popen[bytes]] = Future()
        self._jobs.put((job, future))
        try:
            return future.result()
        except BaseException:  # after an interrupt, no caller can stop the started program
            if not future.cancel() and future.exception() is None:
                _discard(future.result())
            raise

    def _work(self) -> None:
        while True:
            job, future = self._jobs.get()
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(job())
                except BaseException as error:  # noqa: BLE001 - handed to the caller
                    future.set_exception(error)
            del job, future  # release them before the next job


def _discard(process: "subprocess.Popen[bytes]") -> None:
    with process:  # closes its pipes and waits for it
        process.kill()


_SPAWNERS: dict[int, _Spawner] = {}  # by process id: a forked child gets its own


def _spawner() -> _Spawner:
    spawner = _SPAWNERS.get(os.getpid())
    if spawner is None:
        own = _Spawner()
        spawner = _SPAWNERS.setdefault(os.getpid(), own)  # if two threads race, both use the first
        if spawner is own:
            own.start()
    return spawner
