"""Calls into PowerPoint that end: turned away ones are tried again, hanging ones broken off."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from pptarena.vm_images.guest.errors import OfficeLostError, OfficeTimeoutError

__all__ = ["ComCalls", "is_gone", "is_turned_away"]

_Result = TypeVar("_Result")
_PAUSE_SEC = 0.05
# HRESULTs of winerror.h, as the negative numbers that Python's COM errors carry.
_TURNED_AWAY = frozenset((-2147418111, -2147417846))  # CALL_REJECTED, SERVERCALL_RETRYLATER
_GONE = frozenset(
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


def is_turned_away(error: Exception) -> bool:
    """Tell whether the application was too busy to take a call, as while a dialog is open."""
    return _code(error) in _TURNED_AWAY


def is_gone(error: Exception) -> bool:
    """Tell whether the application at the other end is gone."""
    return _code(error) in _GONE


class ComCalls:
    """Runs COM calls with deadlines.

    A call that the application turns away returns at once and can be tried again; one that it
    takes and never answers blocks its thread, and only the application's end frees that.

    Args:
        kill: Ends the application.
        hang_sec: How long a call may block before the application is ended.
    """

    def __init__(self, kill: Callable[[], None], hang_sec: float) -> None:
        self._kill = kill
        self._hang_sec = hang_sec

    def run(self, call: Callable[[], _Result], timeout_sec: float) -> _Result:
        """Make a call; again, until `timeout_sec` is over, while it is turned away.

        Raises:
            OfficeTimeoutError: If it is turned away to the end, or hangs.
            OfficeLostError: If the application is gone.
        """
        deadline = time.monotonic() + timeout_sec
        while True:
            hung = threading.Event()
            timer = threading.Timer(max(self._hang_sec, timeout_sec), self._break_off, (hung,))
            timer.daemon = True
            timer.start()
            try:
                return call()
            except Exception as error:
                if hung.is_set():
                    raise OfficeTimeoutError("the application hung and was ended") from error
                if is_gone(error):
                    raise OfficeLostError("the application closed its connection") from error
                if not is_turned_away(error):
                    raise
                if time.monotonic() >= deadline:
                    raise OfficeTimeoutError(
                        f"the application took no call within {timeout_sec:g} s"
                    ) from error
            finally:
                timer.cancel()
            time.sleep(_PAUSE_SEC)

    def _break_off(self, hung: threading.Event) -> None:
        hung.set()
        self._kill()
