"""A running sandbox of Python leaves, as seen by the host."""

import contextlib
import os
import selectors
import subprocess
import time
from pathlib import Path
from typing import Any

from pptarena.envs.programs.inside import channel
from pptarena.envs.programs.limits import LeafLimits
from pptarena.envs.programs.sandbox import sandbox_command
from pptarena.errors import HostError, LeafError
from pptarena.spawner import start_child

__all__ = ["LeafProcess", "ProcessGoneError"]

_HEAD_BYTES = 5
_CHUNK = 2**20


class ProcessGoneError(Exception):
    """The sandbox exited, or did not respond in time."""


class LeafProcess:
    """A sandbox whose worker is ready.

    Args:
        decks: Folder on the host with the two decks.
        setup: Initial message to the worker.
        limits: Limits of each leaf.

    Raises:
        LeafError: If the sandbox does not start; the message gives the reason.
    """

    def __init__(self, decks: Path, setup: dict[str, Any], limits: LeafLimits) -> None:
        try:
            self._process = start_child(
                sandbox_command(decks, limits.file_bytes),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env={},
                start_new_session=True,
            )
        except (HostError, OSError) as error:
            raise LeafError(f"Python leaves cannot be run: {error}") from error
        try:
            self.send(setup)
            self.receive(time.monotonic() + limits.start_sec)
        except ProcessGoneError as error:
            stderr = self._stop_and_read_stderr()
            self.stop()
            hint = "; see what this host lacks with: pptarena doctor" if "bwrap:" in stderr else ""
            raise LeafError(
                f"the sandbox of Python leaves did not start: {stderr or error}{hint}"
            ) from error
        except BaseException:
            self.stop()
            raise

    @property
    def pid(self) -> int:
        """Process id of bubblewrap on the host."""
        return self._process.pid

    def alive(self) -> bool:
        """Whether the sandbox runs."""
        return self._process.poll() is None

    def send(self, data: dict[str, Any]) -> None:
        """Send a message to the worker.

        Raises:
            ProcessGoneError: If the sandbox has exited.
        """
        assert self._process.stdin is not None, "made with a pipe"
        try:
            channel.send(self._process.stdin.fileno(), channel.OTHER, data)
        except (OSError, channel.ChannelError) as error:
            raise ProcessGoneError(str(error)) from error

    def receive(self, deadline: float) -> tuple[bytes, bytes]:
        """Return the kind and the body of the worker's next message.

        Args:
            deadline: Deadline on the clock of `time.monotonic`.

        Raises:
            ProcessGoneError: If no message arrives by then.
        """
        try:
            head = self._read(_HEAD_BYTES, deadline)
            kind, size = head[:1], int.from_bytes(head[1:], "big")
            if size > channel.MAX_BYTES.get(kind, 0):
                raise ProcessGoneError("the worker sent an invalid message")
            return kind, self._read(size, deadline)
        except OSError as error:
            raise ProcessGoneError(str(error)) from error

    def stop(self) -> None:
        """Kill all processes inside and wait until they have exited."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _read(self, size: int, deadline: float) -> bytes:
        assert self._process.stdout is not None, "made with a pipe"
        file = self._process.stdout.fileno()
        data = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(file, selectors.EVENT_READ)
            while len(data) < size:
                remaining_sec = deadline - time.monotonic()
                if remaining_sec <= 0 or not selector.select(remaining_sec):
                    raise TimeoutError("no answer in time")
                chunk = os.read(file, min(_CHUNK, size - len(data)))
                if not chunk:
                    raise ProcessGoneError("the sandbox ended")
                data += chunk
        return bytes(data)

    def _stop_and_read_stderr(self) -> str:
        """Stop the sandbox and return the standard error of bubblewrap and worker."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._process.kill()
        self._process.wait()
        assert self._process.stderr is not None, "made with a pipe"
        return self._process.stderr.read(4000).decode("utf-8", "replace").strip()[-600:]
