"""Start programs that die with this process, however it ends."""

import os
import queue
import shutil
import subprocess
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from pptarena.errors import HostError

__all__ = ["spawn", "stderr_tail", "with_parent_death_signal"]

_PIPE_BYTES = 64 * 1024  # what a pipe holds, pipe(7)
# Between the fork and the request to the kernel its parent may have died: then nobody would end it.
_CHECK_PARENT = '[ "$PPID" = "$0" ] && exec "$@"'


def spawn(command: list[str], *descriptors: int) -> "subprocess.Popen[bytes]":
    """Start a program that asks the kernel to end it with its parent.

    The kernel's promise is tied to the thread that forks, not to its process: a program started
    from a thread that ends would be killed with it. So one thread that never ends starts them all.

    Args:
        command: The program and its arguments; it must make the request to the kernel itself
            (``bwrap --die-with-parent``, `with_parent_death_signal`).
        descriptors: Open file descriptors that it inherits.

    Returns:
        The process, in a session of its own; its standard error is a pipe, its output is dropped.
        Nobody need read that pipe (`stderr_tail` does): when it is full, what is written is lost.
    """

    def start() -> "subprocess.Popen[bytes]":
        read, write = os.pipe()
        ours = open(read, "rb", buffering=0)  # noqa: SIM115 - the caller closes it
        try:
            os.set_blocking(read, False)
            os.set_blocking(write, False)
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=write,
                pass_fds=descriptors,
                start_new_session=True,
            )
        except BaseException:
            ours.close()
            raise
        finally:
            os.close(write)
        process.stderr = ours
        return process

    return _spawner().run(start)


def stderr_tail(process: "subprocess.Popen[bytes]") -> str:
    """Return what a program that `spawn` started wrote on standard error, the end of it."""
    if process.stderr is None or process.stderr.closed:
        return ""
    try:
        said = os.read(process.stderr.fileno(), _PIPE_BYTES)
    except BlockingIOError:  # nothing yet, and somebody else still holds the other end
        return ""
    return said.decode("utf-8", "replace").strip()[-2000:]


def with_parent_death_signal() -> list[str]:
    """Return what to put before a command so that the kernel ends it with its parent.

    Raises:
        HostError: If this host lacks the program that asks the kernel.
    """
    program = shutil.which("setpriv")
    if program is None:
        raise HostError("setpriv is missing; install it with: sudo apt-get install util-linux")
    request = [program, "--pdeathsig", "KILL", "--no-new-privs", "--"]
    return [*request, "/bin/sh", "-c", _CHECK_PARENT, str(os.getpid())]


class _Spawner:
    """The thread that lives as long as the process."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = queue.SimpleQueue()

    def start(self) -> None:
        threading.Thread(target=self._work, name="pptarena-spawner", daemon=True).start()

    def run(self, job: Callable[[], "subprocess.Popen[bytes]"]) -> "subprocess.Popen[bytes]":
        future: Future[subprocess.Popen[bytes]] = Future()
        self._jobs.put((job, future))
        try:
            return future.result()
        except BaseException:  # interrupted, perhaps: nobody else would end what was started
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
            del job, future  # or they would stay until the next one


def _discard(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()
    if process.stderr is not None:
        process.stderr.close()


_SPAWNERS: dict[int, _Spawner] = {}  # by process id: a forked child gets one of its own


def _spawner() -> _Spawner:
    spawner = _SPAWNERS.get(os.getpid())
    if spawner is None:
        mine = _Spawner()
        spawner = _SPAWNERS.setdefault(os.getpid(), mine)  # of two threads here, one is first
        if spawner is mine:
            mine.start()
    return spawner
