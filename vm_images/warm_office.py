"""A guest program with an office application that stays open between decks."""

import atexit
import functools
import os
import select
import struct
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import IO

from pptarena.closing import Closing
from pptarena.errors import ConfigError, DeckError, HostError, MachineError, MachineTimeoutError
from pptarena.vm_images.image import require_image
from pptarena.vm_images.office_program import office_command

__all__ = ["WarmOffice"]

_MAX_ANSWER_BYTES = 512 * 2**20
_CHUNK = 2**20


@functools.cache
def _starter(process_id: int) -> ThreadPoolExecutor:
    """Return the thread, one per process, that starts applications and never ends.

    If the kernel ends a program with its parent, the parent is the thread that started it.
    """
    return ThreadPoolExecutor(1, f"pptarena-office-{process_id}")


class WarmOffice(Closing):
    """Sends decks to a program that answers each; the application is started only once.

    It runs without a desktop, without network and without access to files of the host. It starts
    with the first deck. Any failure ends it, so that the next deck starts a fresh one; so do
    `decks_per_start` decks. Nothing is stored on the disk.

    Several threads may use it, one after the other; a forked process starts its own.

    Args:
        program: Name of the module within the guest's package.
        arguments: Arguments of its command line.
        goal: The result as a participle such as ``rendered``, for messages.
        timeout_sec: Timeout for one deck, without the start.
        start_sec: Timeout for the start.
        decks_per_start: Number of decks after which the application is restarted.

    Raises:
        ConfigError: If a number is not positive.
    """

    def __init__(
        self,
        program: str,
        arguments: Sequence[str],
        goal: str,
        *,
        timeout_sec: float,
        start_sec: float,
        decks_per_start: int,
    ) -> None:
        if min(timeout_sec, start_sec, decks_per_start) <= 0:
            raise ConfigError("expected timeout_sec, start_sec, decks_per_start above 0")
        self._program = program
        self._arguments = tuple(arguments)
        self._goal = goal
        self._timeout_sec = timeout_sec
        self._start_sec = start_sec
        self._decks_per_start = decks_per_start
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._owner = 0
        self._decks = 0

    def answer(self, deck: bytes) -> bytes:
        """Return the program's answer to a deck.

        Raises:
            DeckError: If the application refuses the deck.
            HostError: If bubblewrap is missing or not allowed to create namespaces.
            ImageError: If there is no image.
            MachineError: If the application fails or takes too long.
        """
        with self._lock:
            limit_sec = self._timeout_sec
            if not self._runs():
                self._start()
                limit_sec += self._start_sec
            try:
                refused, answer = self._ask(deck, limit_sec)
            except BaseException:
                self._stop()
                raise
            self._decks += 1
            if refused:
                raise DeckError(answer.decode("utf-8", "replace")[:500])
            return answer

    def start(self) -> None:
        """Start the application in the background, so that the next deck need not wait for it.

        Raises:
            HostError: If bubblewrap is missing.
            ImageError: If there is no image.
        """
        if self._lock.acquire(blocking=False):  # a held lock means that it is in use
            try:
                if not self._runs():
                    self._start()
            finally:
                self._lock.release()

    def close(self) -> None:
        """End the application; a second call does nothing, and the next deck starts it again."""
        with self._lock:
            self._stop()

    def _runs(self) -> bool:
        if self._process is None:
            return False
        if self._owner != os.getpid():  # a fork must not write into its parent's pipes
            self._process = self._errors = None
            return False
        if self._process.poll() is not None or self._decks >= self._decks_per_start:
            self._stop()
        return self._process is not None

    def _start(self) -> None:
        command = office_command(require_image(), self._program, self._arguments)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        errors = self._errors

        def run() -> subprocess.Popen[bytes]:
            return subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, bufsize=0
            )

        self._process = _starter(os.getpid()).submit(run).result()
        self._owner, self._decks = os.getpid(), 0
        atexit.register(self.close)

    def _stop(self) -> None:
        process, self._process = self._process, None
        errors, self._errors = self._errors, None
        atexit.unregister(self.close)
        if errors is not None:
            errors.close()
        if process is None or self._owner != os.getpid():
            return
        process.kill()  # ends all processes inside its namespaces
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
        process.wait()

    def _ask(self, deck: bytes, limit_sec: float) -> tuple[bool, bytes]:
        deadline = time.monotonic() + limit_sec
        self._send(struct.pack(">I", len(deck)) + deck, deadline)
        refused, size = struct.unpack(">BI", self._receive(5, deadline))
        if size > _MAX_ANSWER_BYTES:
            raise MachineError(f"the deck could not be {self._goal}: an answer of {size} bytes")
        return bool(refused), self._receive(size, deadline)

    def _send(self, data: bytes, deadline: float) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        pipe, left = self._process.stdin.fileno(), memoryview(data)
        os.set_blocking(pipe, False)
        while left:
            self._wait(pipe, deadline, to_write=True)
            try:
                left = left[os.write(pipe, left[:_CHUNK]) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise self._ended() from None

    def _receive(self, size: int, deadline: float) -> bytes:
        assert self._process is not None
        assert self._process.stdout is not None
        pipe, found = self._process.stdout.fileno(), bytearray()
        while len(found) < size:
            self._wait(pipe, deadline, to_write=False)
            piece = os.read(pipe, min(_CHUNK, size - len(found)))
            if not piece:
                raise self._ended()
            found += piece
        return bytes(found)

    def _wait(self, pipe: int, deadline: float, *, to_write: bool) -> None:
        left_sec = deadline - time.monotonic()
        readers, writers = ([], [pipe]) if to_write else ([pipe], [])
        if left_sec <= 0 or not any(select.select(readers, writers, [], left_sec)):
            raise MachineTimeoutError(
                f"the deck was not {self._goal} within {self._timeout_sec:g} s"
            )

    def _ended(self) -> HostError | MachineError:
        """Return the error for an application that ended by itself."""
        assert self._process is not None
        assert self._errors is not None
        self._process.kill()
        status = self._process.wait()
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").strip()[-500:]
        if said.startswith("bwrap:"):
            return HostError(
                f"bubblewrap failed: {said}; see what this host lacks: pptarena doctor"
            )
        return MachineError(
            f"the deck could not be {self._goal}: {said or f'it ended with {status}'}"
        )
