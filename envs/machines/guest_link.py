"""The host's end of the wire to a guest program."""

import contextlib
import itertools
import socket
import time
from collections.abc import Mapping
from typing import Any

from pptarena.errors import (
    ActionError,
    DeckError,
    MachineError,
    MachineLostError,
    MachineTimeoutError,
)
from pptarena.vm_images.guest.protocol import Frame, ProtocolError, encode_frame, read_frame

__all__ = ["GuestLink"]

_ERRORS: dict[str, type[Exception]] = {
    "action": ActionError,
    "deck": DeckError,
    "application_lost": MachineLostError,
    "timeout": MachineTimeoutError,
    "internal": MachineError,
}
_RECV_BYTES = 1 << 20


class GuestLink:
    """Sends requests to one guest program and waits for the replies, with a deadline each.

    Args:
        connection: Connected stream socket; the link owns it from now on.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._ids = itertools.count(1)
        self._broken = ""

    def request(
        self, method: str, params: Mapping[str, Any], timeout_sec: float, *blobs: bytes
    ) -> Frame:
        """Send one request and return the reply's result as the header of a frame.

        Raises:
            ActionError: If the guest refuses the command as given.
            DeckError: If the application cannot open the deck.
            MachineLostError: If the guest or its application is gone.
            MachineTimeoutError: If no reply comes in time; the link is unusable afterwards.
        """
        if self._broken:
            raise MachineLostError(f"the link to the machine is broken: {self._broken}")
        identifier = next(self._ids)
        header = {"id": identifier, "method": method, "params": dict(params)}
        deadline = time.monotonic() + timeout_sec
        try:
            self._send(encode_frame(header, blobs), deadline)
            frame = read_frame(lambda count: self._receive(count, deadline))
        except TimeoutError as error:
            self._broken = f"no reply to {method} within {timeout_sec:g} s"
            raise MachineTimeoutError(self._broken) from error
        except (OSError, ProtocolError) as error:
            self._broken = str(error)
            raise MachineLostError(f"the machine went away during {method}: {error}") from error
        if frame.header.get("id") != identifier:
            self._broken = "a reply to another request"
            raise MachineLostError(f"expected the reply to {identifier}, got {frame.header}")
        problem, result = frame.header.get("error"), frame.header.get("result")
        if isinstance(problem, dict):
            kind = _ERRORS.get(str(problem.get("type")), MachineError)
            raise kind(str(problem.get("message")))
        if not isinstance(result, dict):
            self._broken = "a reply that is neither a result nor an error"
            raise MachineLostError(f"the guest sent {self._broken}")
        return Frame(result, frame.blobs)

    def close(self) -> None:
        """Hang up; the guest ends itself."""
        self._broken = self._broken or "closed"
        with contextlib.suppress(OSError):
            self._socket.close()

    def _send(self, data: bytes, deadline: float) -> None:
        self._socket.settimeout(_left(deadline))
        self._socket.sendall(data)

    def _receive(self, count: int, deadline: float) -> bytes:
        data = bytearray(count)
        view, filled = memoryview(data), 0
        while filled < count:
            self._socket.settimeout(_left(deadline))
            received = self._socket.recv_into(view[filled:], min(count - filled, _RECV_BYTES))
            if received == 0:
                raise ConnectionError("the guest hung up")
            filled += received
        return bytes(data)


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
