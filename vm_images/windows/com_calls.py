"""Calls into PowerPoint with deadlines: rejected calls are retried, hanging calls aborted."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from pptarena.vm_images.guest.errors import OfficeLostError, OfficeTimeoutError

__all__ = ["ComCalls", "is_disconnected", "is_rejected"]

_Result = TypeVar("_Result")
_PAUSE_SEC = 0.05
# HRESULTs of winerror.h, as the negative numbers in Python's COM errors.
_REJECTED = frozenset((-2147418111, -2147417846))  # CALL_REJECTED, SERVERCALL_RETRYLATER
_DISCONNECTED = frozenset(
    (
        -2147023174,  # RPC_S_SERVER_UNAVAILABLE
        -2147023170,  # RPC_S_CALL_FAILED
        -2147417848,  # RPC_E_DISCONNECTED
        -2147417851,  # RPC_E_SERVERFAULT
        -2147220995,  # CO_E_OBJNOTCONNECTED
    )
)


def _code(error: Exception) -> int | None:
    code = getattr(error, "hresult", None)
    return code if isinstance(code, int) else None


def is_rejected(error: Exception) -> bool:
    """Return whether the application was too busy for a call, such as while a dialog is open."""
    return _code(error) in _REJECTED


def is_disconnected(error: Exception) -> bool:
    """Return whether the application of a call has exited."""
    return _code(error) in _DISCONNECTED


class ComCalls:
    """Runs COM calls with deadlines.

    A call that the application rejects returns immediately and can be retried. A call that it
    accepts and never answers blocks its thread until the application ends.

    Args:
        kill: Ends the application.
        hang_sec: How long a call may block before the application is ended.
    """

    def __init__(self, kill: Callable[[], None], hang_sec: float) -> None:
        self._kill = kill
        self._hang_sec = hang_sec

    def run(self, call: Callable[[], _Result], timeout_sec: float) -> _Result:
        """Make a call; retry it for `timeout_sec` while it is rejected.

        Raises:
            OfficeTimeoutError: If all retries are rejected, or the call hangs.
            OfficeLostError: If the application has exited.
        """
        deadline = time.monotonic() + timeout_sec
        while True:
            hung = threading.Event()
            timer = threading.Timer(max(self._hang_sec, timeout_sec), self._abort, (hung,))
            timer.daemon = True
            timer.start()
            try:
                return call()
            except Exception as error:
                if hung.is_set():
                    raise OfficeTimeoutError("the application hung and was ended") from error
                if is_disconnected(error):
                    raise OfficeLostError("the application closed its connection") from error
                if not is_rejected(error):
                    raise
                if time.monotonic() >= deadline:
                    raise OfficeTimeoutError(
                        f"the application accepted no call within {timeout_sec:g} s"
                    ) from error
            finally:
                timer.cancel()
            time.sleep(_PAUSE_SEC)

    def _abort(self, hung: threading.Event) -> None:
        hung.set()
        self._kill()
