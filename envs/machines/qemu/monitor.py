"""Synchronous client of QEMU's control channel (QMP)."""

import asyncio
import atexit
import concurrent.futures
import contextlib
import logging
import os
import selectors
import socket
import threading
import weakref
from collections.abc import Coroutine, Mapping
from typing import Any, TypeVar

from pptarena.errors import (
    MachineError,
    MachineLostError,
    MachineTimeoutError,
    missing_package,
)

__all__ = ["Monitor", "require_library"]

_Result = TypeVar("_Result")
_GRACE_SEC = 1.0  # beyond the deadline, for the other thread to report it

# Failures are raised as exceptions; the library's own warnings would only repeat them.
logging.getLogger("qemu.qmp").setLevel(logging.CRITICAL)


def require_library() -> None:
    """Raise `ConfigError` if QEMU's Python library is not installed."""
    try:
        import qemu.qmp  # noqa: F401
    except ModuleNotFoundError as error:
        raise missing_package("machine 'qemu'", "qemu.qmp", "vm") from error


class Monitor:
    """Controls one QEMU process.

    Args:
        connection: Connected socket to the QEMU monitor; this object takes ownership.
        timeout_sec: Deadline of the greeting in seconds.

    Raises:
        MachineLostError: If QEMU exits before the greeting.
        MachineTimeoutError: If the greeting does not arrive in time.
    """

    def __init__(self, connection: socket.socket, timeout_sec: float) -> None:
        from qemu.qmp import QMPClient

        self._pid = os.getpid()
        self._client = QMPClient("pptarena")
        self._client.events.event_filter = lambda _: False  # unread events would accumulate
        try:
            self._run(self._client.connect(connection), "greet", timeout_sec)
        except BaseException:
            self.close()
            connection.close()
            raise
        _OPEN_MONITORS.add(self)

    def execute(
        self, command: str, arguments: Mapping[str, Any] | None = None, timeout_sec: float = 10.0
    ) -> Any:
        """Execute one command and return its result.

        Raises:
            MachineError: If QEMU rejects the command.
            MachineLostError: If QEMU has exited.
            MachineTimeoutError: If the reply does not arrive in time.
        """
        coroutine = self._client.execute(command, dict(arguments) if arguments else None)
        return self._run(coroutine, command, timeout_sec)

    def close(self) -> None:
        """Close the connection."""
        with contextlib.suppress(MachineError):
            self._run(self._client.disconnect(), "hang up", _GRACE_SEC)

    def _run(
        self, coroutine: Coroutine[Any, Any, _Result], action: str, timeout_sec: float
    ) -> _Result:
        from qemu.qmp import ExecuteError, QMPError

        if os.getpid() != self._pid:
            coroutine.close()
            raise MachineLostError("the machine belongs to the parent process")
        future = asyncio.run_coroutine_threadsafe(_with_timeout(coroutine, timeout_sec), _loop())
        try:
            return future.result(timeout_sec + _GRACE_SEC)
        except (TimeoutError, concurrent.futures.TimeoutError) as error:
            future.cancel()
            raise MachineTimeoutError(f"QEMU did not {action} within {timeout_sec:g} s") from error
        except ExecuteError as error:
            raise MachineError(f"QEMU rejected {action}: {error}") from error
        except (QMPError, OSError, EOFError, concurrent.futures.CancelledError) as error:
            reason = str(error) or type(error).__name__
            raise MachineLostError(f"QEMU has exited: {reason}") from error


async def _with_timeout(coroutine: Coroutine[Any, Any, _Result], timeout_sec: float) -> _Result:
    return await asyncio.wait_for(coroutine, timeout_sec)


_OPEN_MONITORS: "weakref.WeakSet[Monitor]" = weakref.WeakSet()


@atexit.register
def _close_open_monitors() -> None:
    """Close remaining connections, since the library would report them on standard error."""
    for monitor in list(_OPEN_MONITORS):
        monitor.close()


_LOOPS_BY_PID: dict[
    int, asyncio.AbstractEventLoop
] = {}  # by process id: a forked child gets its own


def _loop() -> asyncio.AbstractEventLoop:
    """Return the event loop of this process's monitors."""
    loop = _LOOPS_BY_PID.get(os.getpid())
    if loop is None:
        # Not epoll, the default: a forked child would share it, and closing a connection in the
        # child would unregister it here.
        new_loop = asyncio.SelectorEventLoop(selectors.PollSelector())
        loop = _LOOPS_BY_PID.setdefault(
            os.getpid(), new_loop
        )  # if two threads race, both use the first
        if loop is new_loop:
            threading.Thread(target=new_loop.run_forever, name="pptarena-qmp", daemon=True).start()
        else:
            new_loop.close()
    return loop
