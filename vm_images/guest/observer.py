"""The guest's side of the observer, a module inside the application (``vm_images/native``).

The module answers when the application is next idle, and reads the accessibility tree in-process.
"""

import contextlib
import select
import socket
import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass

from pptarena.vm_images.guest.clock import NATIVE
from pptarena.vm_images.guest.errors import OfficeLostError, OfficeTimeoutError
from pptarena.vm_images.guest.programs import DESCRIPTOR
from pptarena.vm_images.guest.tree_shape import TreeLimits, TreeNode

__all__ = ["NEVER_NS", "IdleReply", "Observer", "parse_nodes"]

NEVER_NS = 2**63 - 1
"""Due time of the next timer of an application without timers."""

_MAGIC, _VERSION = 0x53424F50, 2
_REST, _PEEK, _TREE, _PAINT = 1, 2, 3, 4
_ENDLESS, _NODES, _LEVELS, _TIME, _BYTES = 1, 2, 4, 8, 16
_REQUEST = struct.Struct("=IHH4I")  # struct observer_request of observer.h
_REPLY = struct.Struct("=IHHIIqqQQ")
_NODE = struct.Struct("=iHHQ4i4I")
_MAX_BYTES = 16 * 2**20
_TURNS = 1000  # iterations of the application's loop without a pause that count as endless
_TURNS_AGAIN = 50
_REMAINDER_SEC = 5.0  # for the rest of a partly received answer


@dataclass(frozen=True, slots=True)
class IdleReply:
    """The application's reply when it is idle.

    Attributes:
        next_ns: Due time of its next timer in virtual time; `NEVER_NS` if there is none.
        turns: Number of times it received something since the last reply.
        endless: Whether it never becomes idle, because it always has pending work.
        drawings: Number of drawing requests since the last reply; it draws only when asked.
    """

    next_ns: int
    turns: int
    endless: bool
    drawings: int = 0


class Observer:
    """Observes one application at a time; each start of it gets a new socket pair."""

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self.reason = ""  # of the last detachment
        self._waiting = False  # a request is pending
        self._last_request = 0
        self._outstanding = 0  # outstanding answers to ignore

    @property
    def attached(self) -> bool:
        """Whether an application is attached."""
        return self._socket is not None

    @contextlib.contextmanager
    def new_connection(self) -> Iterator[tuple[int, dict[str, str]]]:
        """Create a socket pair; yield the application's end and its environment variables."""
        self.detach()
        self.reason = ""
        self._socket, application_socket = socket.socketpair()
        with application_socket:
            variables = {
                "GTK_MODULES": str(NATIVE / "observer.so"),
                "PPTARENA_OBSERVER": DESCRIPTOR,
            }
            yield application_socket.fileno(), variables

    def detach(self, reason: str = "") -> None:
        """Detach the application. A second call does nothing.

        Args:
            reason: Stored as `reason`, unless there is one already.
        """
        self.reason = self.reason or reason
        connection, self._socket = self._socket, None
        self._waiting, self._outstanding = False, 0
        if connection is not None:
            connection.close()

    def request_idle(self, *, again: bool = False) -> None:
        """Request a reply when the application is next idle, after all timers that are due.

        Args:
            again: Whether the last reply was endless; the loop is then cut off sooner.
        """
        # One request is enough: hundreds during a long load would fill the socket.
        if not (self._waiting and self._last_request == _REST):
            self._send(_REST, _TURNS_AGAIN if again else _TURNS)

    def request_peek(self) -> None:
        """Ask whether the application received anything since the last answer."""
        self._send(_PEEK)

    def request_paint(self, *, again: bool = False) -> None:
        """Request to draw changes and to reply when the application is next idle.

        Args:
            again: As in `request_idle`.
        """
        self._send(_PAINT, 1 if again else _TURNS)

    def readable(self, timeout_sec: float) -> bool:
        """Wait for the answer to the last request; return whether it has arrived."""
        if self._socket is None:
            raise OfficeLostError("no application is attached")
        deadline = time.monotonic() + timeout_sec
        while True:
            remaining_sec = max(0.0, deadline - time.monotonic())
            if not select.select([self._socket], [], [], remaining_sec)[0]:
                return False
            if not self._outstanding:
                return True
            self._receive_one(time.monotonic() + _REMAINDER_SEC)
            self._outstanding -= 1

    def wait_for_idle(self, timeout_sec: float) -> IdleReply | None:
        """Return the answer to the last request, None if it does not arrive in time."""
        if not self.readable(timeout_sec):
            return None
        reply, _flags, _data = self._receive(self._last_request, time.monotonic() + _REMAINDER_SEC)
        return reply

    def tree(self, limits: TreeLimits, deadline: float) -> tuple[bytes, str]:
        """Return the visible nodes for `parse_nodes`, and why they were truncated ("" if not)."""
        self._send(_TREE, limits.nodes, limits.depth, int(limits.seconds * 1000))
        _reply, flags, data = self._receive(_TREE, deadline)
        reasons = {
            _NODES: f"more than {limits.nodes} nodes",
            _LEVELS: f"deeper than {limits.depth} levels",
            _TIME: f"longer than {limits.seconds:g} s",
            _BYTES: "more text than fits",
        }
        return data, next((text for bit, text in reasons.items() if flags & bit), "")

    def _send(self, request: int, *limits: int) -> None:
        if self._socket is None:
            raise OfficeLostError("no application is attached")
        a, b, c = (*limits, 0, 0, 0)[:3]
        try:
            self._socket.sendall(_REQUEST.pack(_MAGIC, _VERSION, request, a, b, c, 0))
        except OSError as error:
            raise self._lost() from error
        self._outstanding += self._waiting
        self._waiting, self._last_request = True, request

    def _receive(self, request: int, deadline: float) -> tuple[IdleReply, int, bytes]:
        while self._outstanding:
            self._receive_one(deadline)
            self._outstanding -= 1
        answered, reply, flags, data = self._receive_one(deadline)
        if answered != request:
            raise self._protocol_error(f"an answer to {answered} instead of {request}")
        self._waiting = False
        return reply, flags, data

    def _receive_one(self, deadline: float) -> tuple[int, IdleReply, int, bytes]:
        header = self._receive_exactly(_REPLY.size, deadline)
        magic, version, request, flags, length, _now, next_ns, turns, drawings = _REPLY.unpack(
            header
        )
        if (magic, version) != (_MAGIC, _VERSION) or length > _MAX_BYTES:
            raise self._protocol_error(f"{magic:x}, version {version}, {length} bytes")
        data = self._receive_exactly(length, deadline)
        return request, IdleReply(next_ns, turns, bool(flags & _ENDLESS), drawings), flags, data

    def _protocol_error(self, problem: str) -> OfficeLostError:
        self.detach(f"it sent {problem}")
        return OfficeLostError("the application's observer violated the protocol")

    def _receive_exactly(self, count: int, deadline: float) -> bytes:
        assert self._socket is not None
        data = bytearray()
        while len(data) < count:
            self._socket.settimeout(max(0.001, deadline - time.monotonic()))
            try:
                chunk = self._socket.recv(count - len(data))
            except TimeoutError as error:
                if data or count != _REPLY.size:
                    # Late bytes would be read as the start of another answer.
                    self.detach(f"{len(data)} of {count} bytes arrived in time")
                raise OfficeTimeoutError("the application does not become idle") from error
            except OSError as error:
                raise self._lost() from error
            if not chunk:
                raise self._lost()
            data += chunk
        return bytes(data)

    def _lost(self) -> OfficeLostError:
        self.detach("it disconnected")
        return OfficeLostError("the application's observer disconnected")


def parse_nodes(data: bytes) -> list[TreeNode]:
    """Return the nodes that an observer sent, level by level.

    Raises:
        OfficeLostError: If they are malformed.
    """
    nodes: list[TreeNode] = []
    offset = 0
    try:
        while offset < len(data):
            parent, role, flags, states, left, top, width, height, *lengths = _NODE.unpack_from(
                data, offset
            )
            offset += _NODE.size
            node = TreeNode("", parent, role, states, box=(left, top, width, height))
            node.is_toolkit_widget = bool(flags & 1)
            name, text, description, _ = lengths
            if name:
                node.name = data[offset : offset + name].decode("utf-8", "replace")
                offset += name
            if text:
                node.text = data[offset : offset + text].decode("utf-8", "replace")
                offset += text
            if description:
                node.description = data[offset : offset + description].decode("utf-8", "replace")
                offset += description
            if not -1 <= parent < len(nodes):
                raise OfficeLostError("the application's observer sent an invalid tree")
            nodes.append(node)
    except struct.error as error:
        raise OfficeLostError("the application's observer sent an invalid tree") from error
    return nodes
