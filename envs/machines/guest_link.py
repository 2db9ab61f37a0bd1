"""The host's end of the connection to a guest program."""

import contextlib
import itertools
import time
from collections.abc import Mapping
from typing import Any, Protocol

from pptarena.envs.machines.base import Files, MachineObservation
from pptarena.envs.machines.config import MAX_HEIGHT_PX, MAX_WIDTH_PX, MachineConfig
from pptarena.envs.machines.guest_reply import NodeCache, parse_observation, replace_surrogates
from pptarena.errors import (
    ActionError,
    DeckError,
    MachineError,
    MachineLostError,
    MachineOverloadedError,
    MachineTimeoutError,
)
from pptarena.vm_images.guest.protocol import (
    MAX_COLLECTED_BYTES,
    MAX_DECK_BYTES,
    Frame,
    ProtocolError,
    encode_frame,
    read_frame,
)

__all__ = ["Connection", "GuestLink"]

_FAILURES: dict[str, type[Exception]] = {
    "application_lost": MachineLostError,
    "desktop_lost": MachineLostError,
    "timeout": MachineTimeoutError,
    "internal": MachineError,
}
# While the agent acts, a crashed or unresponsive application is attributed to the agent.
_FAILURES_BY_AGENT: dict[str, type[Exception]] = {
    "application_lost": MachineOverloadedError,
    "timeout": MachineOverloadedError,
    "overload": MachineOverloadedError,
    "desktop_lost": MachineLostError,
    "internal": MachineError,
}
# Errors that a guest may report for each request; any other reply is invalid.
_ERRORS: dict[str, dict[str, type[Exception]]] = {
    "load": {**_FAILURES, "deck": DeckError},
    "perform": {**_FAILURES_BY_AGENT, "action": ActionError},
    "save": {**_FAILURES_BY_AGENT, "action": ActionError},
    "kept": _FAILURES_BY_AGENT,
    "collect": _FAILURES_BY_AGENT,
}
_SCREEN_BYTES = MAX_WIDTH_PX * MAX_HEIGHT_PX * 3
_BLOB_BYTES = {
    **dict.fromkeys(("load", "perform", "look"), _SCREEN_BYTES),
    **dict.fromkeys(("save", "kept"), MAX_DECK_BYTES),
    "collect": MAX_COLLECTED_BYTES,
}
_RECV_BYTES = 1 << 20
_INITIAL_BYTES = 1 << 23  # preallocated; grows as data arrives
_MESSAGE_CHARS = 1000


class Connection(Protocol):
    """A connected stream; the part of `socket.socket` that a link needs."""

    def settimeout(self, value: float | None, /) -> None:
        """Set the seconds after which a call raises `TimeoutError`."""

    def sendall(self, data: bytes, /) -> None:
        """Send everything."""

    def recv_into(self, buffer: memoryview, count: int, /) -> int:
        """Receive at most `count` bytes; return their number, 0 at the end."""

    def close(self) -> None:
        """Close the connection."""


class GuestLink:
    """Sends requests to one guest program and waits for the replies, with a deadline each.

    Args:
        connection: Connected stream; the link takes ownership.
    """

    def __init__(self, connection: Connection) -> None:
        self._socket = connection
        self._ids = itertools.count(1)
        self._problem = ""
        self._node_cache = NodeCache()

    def request(
        self, method: str, params: Mapping[str, Any], timeout_sec: float, *blobs: bytes
    ) -> Frame:
        """Send one request and return the reply's result as the header of a frame.

        Raises:
            ActionError: If the guest refuses the command as invalid.
            DeckError: If the application cannot open the deck.
            MachineOverloadedError: If the command broke the application.
            MachineLostError: If the guest exited or sent an invalid reply; the link is unusable
                afterwards.
            MachineTimeoutError: If the reply does not arrive in time; the link is unusable
                afterwards.
        """
        if self._problem:
            raise MachineLostError(f"the link to the machine is broken: {self._problem}")
        identifier = next(self._ids)
        header = {"id": identifier, "method": method, "params": dict(params)}
        deadline = time.monotonic() + timeout_sec
        try:
            self._send(encode_frame(header, blobs), deadline)
            frame = read_frame(
                lambda count: self._receive(count, deadline), _BLOB_BYTES.get(method, 0)
            )
        except TimeoutError as error:
            self._problem = f"no reply to {method} within {timeout_sec:g} s"
            raise MachineTimeoutError(self._problem) from error
        except (OSError, ProtocolError) as error:
            self._problem = str(error)
            raise MachineLostError(f"the machine was lost during {method}: {error}") from error
        return self._result(frame, identifier, method)

    def observe(
        self,
        method: str,
        params: Mapping[str, Any],
        timeout_sec: float,
        config: MachineConfig,
        *blobs: bytes,
    ) -> MachineObservation:
        """Send a request and return the observation of its reply; raises like `request`."""
        return self.parse_observation(self.request(method, params, timeout_sec, *blobs), config)

    def load(
        self, deck: bytes, name: str, files: Files, timeout_sec: float, config: MachineConfig
    ) -> MachineObservation:
        """Open a deck with files next to it; raises like `request`."""
        params = {"name": name, "files": list(files)}
        return self.observe("load", params, timeout_sec, config, deck, *files.values())

    def parse_observation(self, frame: Frame, config: MachineConfig) -> MachineObservation:
        """Return the observation of a reply; after an invalid one the link is unusable.

        Raises:
            MachineLostError: If the reply is invalid.
        """
        try:
            return parse_observation(frame, config, self._node_cache)
        except MachineLostError as error:
            self._problem = str(error)
            raise

    def _result(self, frame: Frame, identifier: int, method: str) -> Frame:
        reply_id, error = frame.header.get("id"), frame.header.get("error")
        if type(reply_id) is not int or reply_id != identifier:
            raise self._invalid_reply(f"a reply that does not belong to request {identifier}")
        if isinstance(error, dict):
            kind, message = error.get("type"), error.get("message")
            error_types = _ERRORS.get(method, _FAILURES)
            if type(kind) is not str or kind not in error_types:
                raise self._invalid_reply(f"an error that {method} cannot report")
            reason = (
                replace_surrogates(message[:_MESSAGE_CHARS])
                if type(message) is str
                else "no reason was given"
            )
            raise error_types[kind](reason)
        result = frame.header.get("result")
        if not isinstance(result, dict):
            raise self._invalid_reply("a reply that is neither a result nor an error")
        return Frame(result, frame.blobs)

    def _invalid_reply(self, description: str) -> MachineLostError:
        self._problem = description
        return MachineLostError(f"the guest sent {description}")

    def close(self) -> None:
        """Close the connection; the guest then exits."""
        self._problem = self._problem or "closed"
        with contextlib.suppress(OSError):
            self._socket.close()

    def _send(self, data: bytes, deadline: float) -> None:
        self._socket.settimeout(_remaining_sec(deadline))
        self._socket.sendall(data)

    def _receive(self, count: int, deadline: float) -> bytearray:
        """Return the next bytes in a new array."""
        data, filled = bytearray(min(count, _INITIAL_BYTES)), 0
        while filled < count:
            if filled == len(data):  # memory grows with received data, not with the announced size
                data.extend(bytes(min(len(data), count - filled)))
            self._socket.settimeout(_remaining_sec(deadline))
            with memoryview(data) as view:
                received = self._socket.recv_into(
                    view[filled:], min(len(data) - filled, _RECV_BYTES)
                )
            if received == 0:
                raise ConnectionError("the guest closed the connection")
            filled += received
        return data


def _remaining_sec(deadline: float) -> float:
    remaining_sec = deadline - time.monotonic()
    if remaining_sec <= 0:
        raise TimeoutError
    return remaining_sec
