"""The wire protocol between host and guest, shared by both; standard library only.

A frame is ``b"PPTA"``, the length of a JSON header (uint32, big endian), the header, then the
blobs, whose lengths the header lists in ``"blobs"``. The host sends requests ``{"id", "method",
"params"}``; the guest answers each with one reply, ``{"id", "result"}`` or ``{"id", "error":
{"type", "message"}}``. Nothing else is sent, so a request is one round trip.

The methods:

- ``hello``: Start the desktop with the host's settings.
- ``load``: Open a deck. Blob 0 is the deck; the others are its attachments, named in ``files``.
- ``perform``: Act, wait until idle, observe.
- ``look``: Observe immediately.
- ``save``: Reply blob 0 is the deck as .pptx.
- ``kept``: Like ``save``, but returns the file on the machine's disk, without the application.
- ``collect``: Reply blobs are the files of ``names`` in Documents that exist, listed in ``found``.
- ``run_on``: Let the desktop's time follow wall-clock time between requests.

Replies to ``load``, ``perform`` and ``look`` contain an observation; blob 0 is the screenshot as
RGB bytes, row by row.
"""

import json
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

__all__ = [
    "ERROR_TYPES",
    "MAX_BLOB_BYTES",
    "MAX_COLLECTED_BYTES",
    "MAX_DECK_BYTES",
    "MAX_STRING_CHARS",
    "OPS",
    "POINTER_OPS",
    "PROTOCOL_VERSION",
    "Command",
    "DocumentState",
    "Frame",
    "ProtocolError",
    "encode_frame",
    "frame_head",
    "read_frame",
]

PROTOCOL_VERSION = 3  # 2: attachments; 3: files are collected
MAX_HEADER_BYTES = 8 * 2**20
MAX_BLOB_BYTES = 512 * 2**20
MAX_DECK_BYTES = 256 * 2**20  # of a deck that a guest sends
MAX_COLLECTED_BYTES = 64 * 2**20  # of all files together that a guest sends
MAX_BLOBS = 17  # a deck and 16 attachments
MAX_STRING_CHARS = 4096  # of each text in an observation
MAX_MARKS = 500_000  # brackets and commas in a header; 10,000 nodes with all texts have 480,000
_MAGIC = b"PPTA"
_PREFIX = struct.Struct(">4sI")

POINTER_OPS = (
    "move",
    "click",
    "double_click",
    "triple_click",
    "right_click",
    "middle_click",
    "mouse_down",
    "mouse_up",
    "drag",
    "scroll",
)
OPS = (
    "observe",
    *POINTER_OPS,
    "key",
    "type",
    "copy_text",
    "copy_image",
    "paste",
    "open_program",
    "switch_window",
    "wait",
)

ERROR_TYPES = (
    "action",  # the command is invalid; nothing was done
    "deck",  # the application cannot open the deck
    "application_lost",  # the office application died
    "desktop_lost",  # the desktop of a remote guest ended with its guest program
    "timeout",  # a deadline inside the guest passed
    "overload",  # the user's action exceeded the machine's limits, such as a deck that is too large
    "internal",  # a bug of the guest program
)


class ProtocolError(Exception):
    """The peer sent something other than a frame of this protocol."""


@dataclass(frozen=True, slots=True)
class Command:
    """One action for the guest, in screen pixels.

    Attributes:
        op: One of `OPS`; ``"observe"`` only waits until idle and observes.
        x, y: Pointer target in pixels from the top left corner.
        end_x, end_y: End of a drag, in pixels.
        box: Left, top, width, height in pixels of the region that ``copy_image`` copies.
        keys: X keysym names. For ``key`` the combination, pressed in order and released in reverse;
            for pointer operations the modifiers to hold.
        text: Text for ``type`` and ``copy_text``; name of a program or window.
        amount: ``scroll``: wheel clicks, positive is down; ``key``: repeats (0 counts as 1);
            ``wait``: seconds by the machine's clock, which may run faster than real time.
    """

    op: str
    x: int = 0
    y: int = 0
    end_x: int = 0
    end_y: int = 0
    box: tuple[int, int, int, int] = (0, 0, 0, 0)
    keys: tuple[str, ...] = ()
    text: str = ""
    amount: int = 0

    def __post_init__(self) -> None:
        """Reject an unknown operation."""
        if self.op not in OPS:
            raise ValueError(f"expected op to be one of {', '.join(OPS)}, got {self.op!r}")

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object to send."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Command":
        """Parse a JSON object.

        Raises:
            ProtocolError: If a field is unknown or the operation does not exist.
        """
        names = {field.name for field in fields(cls)}
        if unknown := set(value) - names:
            raise ProtocolError(f"unknown command fields: {', '.join(sorted(unknown))}")
        data = dict(value)
        data["keys"] = tuple(data.get("keys", ()))
        data["box"] = tuple(data.get("box", (0, 0, 0, 0)))
        try:
            return cls(**data)
        except (TypeError, ValueError) as error:
            raise ProtocolError(str(error)) from error


@dataclass(frozen=True, slots=True)
class DocumentState:
    """State of the document under edit.

    Attributes:
        open: Whether the task's document is open in the application.
        revision: Grows with every change; equal revisions mean equal documents.
        editing: Whether a text edit is open, so that a saved file would contain half-typed text.
        slide: 1-based number of the slide shown, 0 if none.
        slide_count: Number of slides.
    """

    open: bool = False
    revision: int = 0
    editing: bool = False
    slide: int = 0
    slide_count: int = 0


@dataclass(frozen=True, slots=True)
class Frame:
    """One message: a JSON header and its binary blobs."""

    header: dict[str, Any]
    blobs: tuple[bytes | bytearray, ...] = ()


def encode_frame(
    header: Mapping[str, Any], blobs: Sequence[bytes | bytearray | memoryview] = ()
) -> bytes:
    """Return the bytes of one frame."""
    return b"".join((frame_head(header, blobs), *blobs))


def frame_head(
    header: Mapping[str, Any], blobs: Sequence[bytes | bytearray | memoryview] = ()
) -> bytes:
    """Return the bytes of one frame before its blobs."""
    head = json.dumps(
        {**header, "blobs": [len(blob) for blob in blobs]}, ensure_ascii=False
    ).encode("utf-8", "surrogatepass")
    return _PREFIX.pack(_MAGIC, len(head)) + head


def read_frame(
    read_exactly: Callable[[int], bytes | bytearray], max_blob_bytes: int = MAX_BLOB_BYTES
) -> Frame:
    """Read one frame.

    Every length is validated before the data is read, so a hostile peer cannot exhaust time or
    memory.

    Args:
        read_exactly: Returns exactly the given number of bytes or raises.
        max_blob_bytes: Maximum size of all blobs together.

    Raises:
        ProtocolError: If the bytes are not a frame or a length exceeds its limit.
    """
    magic, length = _PREFIX.unpack(read_exactly(_PREFIX.size))
    if magic != _MAGIC:
        raise ProtocolError(f"expected a frame to begin with {_MAGIC!r}, got {magic!r}")
    if length > MAX_HEADER_BYTES:
        raise ProtocolError(f"header of {length} bytes exceeds the limit of {MAX_HEADER_BYTES}")
    header = _header(read_exactly(length))
    sizes = header.pop("blobs", None)
    if type(sizes) is not list or len(sizes) > MAX_BLOBS:
        raise ProtocolError(f"expected blobs to be a list of at most {MAX_BLOBS} lengths")
    if any(type(size) is not int or not 0 <= size <= max_blob_bytes for size in sizes):
        raise ProtocolError(f"expected lengths of blobs of at most {max_blob_bytes} bytes")
    if sum(sizes) > max_blob_bytes:
        raise ProtocolError(f"blobs of {sum(sizes)} bytes exceed the limit of {max_blob_bytes}")
    return Frame(header, tuple(read_exactly(size) for size in sizes))


def _header(data: bytes | bytearray) -> dict[str, Any]:
    if sum(map(data.count, (b"[", b"{", b","))) > MAX_MARKS:
        raise ProtocolError(f"frame header has more than {MAX_MARKS} brackets and commas")
    try:
        header = json.loads(data.decode("utf-8", "surrogatepass"), parse_constant=_reject_constant)
    except (ValueError, ArithmeticError, RecursionError) as error:
        raise ProtocolError(f"frame header is not JSON: {str(error)[:200]}") from error
    if type(header) is not dict:
        raise ProtocolError("frame header is not a JSON object")
    return header


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")
