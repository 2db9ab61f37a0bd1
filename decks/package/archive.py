"""Reading a zip file strictly: bounded time and memory, and no two ways to understand it.

The format is that of PKWARE's APPNOTE, as far as Open Packaging Conventions (ECMA-376 part 2)
allow it: entries that are stored or deflated, neither encrypted nor split, no two of one name.
"""

import hashlib
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

from pptarena.errors import DeckError

__all__ = ["MAX_ENTRIES", "MAX_TOTAL_BYTES", "Archive", "Entry"]

MAX_ENTRIES = 10_000
MAX_TOTAL_BYTES = 512 * 2**20

_STORED, _DEFLATED = 0, 8
_ENCRYPTED = 0x2041
_UTF8 = 0x800
_END = struct.Struct("<4s4H2LH")
_END_64 = struct.Struct("<4sQ2H2L4Q")
_LOCATOR_64 = struct.Struct("<4sLQL")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_MAX_COMMENT = 0xFFFF
_SEE_64 = 0xFFFFFFFF
_CHUNK = 2**18


@dataclass(frozen=True, slots=True)
class Entry:
    """What the table of contents says about an entry.

    Attributes:
        name: Without a leading slash.
        written_name: As it stands in the file.
        method: 0 stored, 8 deflated.
        crc: CRC-32 of the content.
        packed: Size in the file, in bytes.
        size: Size of the content, in bytes.
        start: Where its own header begins.
        end: Where the next entry, or the table of contents, begins.
    """

    name: str
    written_name: bytes
    method: int
    crc: int
    packed: int
    size: int
    start: int
    end: int


class Archive:
    """The entries of a zip file.

    Args:
        data: The file.

    Raises:
        DeckError: If it is no zip file that Open Packaging Conventions allow, or is too large.
    """

    def __init__(self, data: bytes) -> None:
        self._data = memoryview(data)
        try:
            self.entries: Mapping[str, Entry] = MappingProxyType(_read_entries(data))
        except (struct.error, ValueError, OverflowError) as error:
            raise DeckError(f"not a valid .pptx: {error}") from error

    def packed(self, entry: Entry) -> memoryview:
        """Return an entry's bytes as they stand in the file.

        Raises:
            DeckError: If its own header is missing, or contradicts the table of contents.
        """
        fields = self._data[entry.start : entry.start + _LOCAL.size]
        if len(fields) < _LOCAL.size or bytes(fields[:4]) != b"PK\x03\x04":
            raise DeckError(f"the part {entry.name!r} is broken: it has no header")
        *_, name_size, extra_size = _LOCAL.unpack(fields)
        name_end = entry.start + _LOCAL.size + name_size
        if self._data[name_end - name_size : name_end] != entry.written_name:
            raise DeckError(f"the part {entry.name!r} is broken: its header has another name")
        start = name_end + extra_size
        if start + entry.packed > entry.end:
            raise DeckError(f"the part {entry.name!r} is broken: it overlaps what follows")
        return self._data[start : start + entry.packed]

    def token(self, entry: Entry) -> bytes:
        """Return what is equal for two entries only if they hold the same, or are both broken."""
        found = hashlib.sha256(f"{entry.method} {entry.crc} {entry.size} ".encode())
        try:
            found.update(self.packed(entry))
        except DeckError as error:
            found.update(str(error).encode())
        return found.digest()

    def chunks(self, entry: Entry) -> Iterator[bytes | memoryview]:
        """Yield the content of an entry in pieces; never more than it is said to be.

        Raises:
            DeckError: If it is broken, or is not what the table of contents says.
        """
        packed = self.packed(entry)
        pieces = _inflated(packed, entry.size) if entry.method == _DEFLATED else iter((packed,))
        size = crc = 0
        try:
            for piece in pieces:
                size += len(piece)
                crc = zlib.crc32(piece, crc)
                yield piece
        except zlib.error as error:
            raise DeckError(f"the part {entry.name!r} is broken: {error}") from error
        if size != entry.size:
            raise DeckError(f"the part {entry.name!r} is broken: expected {entry.size} bytes")
        if crc != entry.crc:
            raise DeckError(f"the part {entry.name!r} is broken: its checksum is wrong")

    def read(self, entry: Entry) -> bytes:
        """Return the content of an entry.

        Raises:
            DeckError: As `chunks`.
        """
        return b"".join(self.chunks(entry))

    def later(self, entry: Entry) -> Callable[[], bytes]:
        """Return what returns the content of an entry; it keeps no more than that of the file.

        Raises:
            DeckError: As `packed`; the function as `read`.
        """
        return partial(_unpacked, bytes(self.packed(entry)), entry)


def _unpacked(packed: bytes, entry: Entry) -> bytes:
    if entry.method != _DEFLATED:
        return packed
    try:
        return b"".join(_inflated(memoryview(packed), entry.size))
    except zlib.error as error:
        raise DeckError(f"the part {entry.name!r} is broken: {error}") from error


def _inflated(packed: memoryview, size: int) -> Iterator[bytes]:
    """Yield what deflated bytes hold, one byte more than `size` at most."""
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    left = size + 1
    for start in range(0, len(packed), _CHUNK):
        waiting: bytes | memoryview = packed[start : start + _CHUNK]
        while len(waiting) and left and not unpacker.eof:
            piece = unpacker.decompress(waiting, min(left, 8 * _CHUNK))
            waiting = unpacker.unconsumed_tail
            left -= len(piece)
            yield piece
    if left and not unpacker.eof:
        piece = unpacker.decompress(b"", left)
        left -= len(piece)
        yield piece
    if left and not unpacker.eof:
        raise zlib.error("the compressed data does not end")


def _read_entries(data: bytes) -> dict[str, Entry]:
    count, size, offset, end = _find_table(data)
    if count > MAX_ENTRIES:
        raise DeckError(f"expected at most {MAX_ENTRIES} parts, found {count}")
    # What stands before the first entry, such as a program that unpacks the rest, is passed over.
    shift = end - size - offset
    if shift < 0 or size > end:
        raise ValueError("the table of contents lies outside of the file")
    found = list(_table(data, end - size, end, shift))
    if len(found) != count:
        raise ValueError(f"expected {count} entries, found {len(found)}")
    total = sum(entry.size for entry in found)
    if total > MAX_TOTAL_BYTES:
        raise DeckError(f"expected at most {MAX_TOTAL_BYTES} bytes unpacked, found {total}")
    return _bounded(found, end - size)


def _find_table(data: bytes) -> tuple[int, int, int, int]:
    """Return count of entries, and size, offset and end of the table of contents."""
    at = data.rfind(b"PK\x05\x06", max(0, len(data) - _END.size - _MAX_COMMENT))
    if at < 0:
        is_zip = data.startswith(b"PK\x03\x04")
        raise ValueError("the file is truncated" if is_zip else "the file is not a zip file")
    _, disk, first_disk, here, count, size, offset, _ = _END.unpack_from(data, at)
    locator = at - _LOCATOR_64.size
    if locator >= 0 and data[locator : locator + 4] == b"PK\x06\x07":
        _, _, place, _ = _LOCATOR_64.unpack_from(data, locator)
        mark, _, _, _, disk, first_disk, here, count, size, offset = _END_64.unpack_from(
            data, place
        )
        if mark != b"PK\x06\x06":
            raise ValueError("its table of contents (zip64) is missing")
        at = place
    if disk or first_disk or here != count:
        raise ValueError("it is one part of several")
    return count, size, offset, at


def _table(data: bytes, at: int, end: int, shift: int) -> Iterator[Entry]:
    """Yield the entries of the table of contents; their ends are not known yet."""
    while at < end:
        fields = _CENTRAL.unpack_from(data, at)
        mark, _, _, flags, method, _, _, crc, packed, size, name_size, extra_size, note_size = (
            fields[:13]
        )
        if mark != b"PK\x01\x02":
            raise ValueError("its table of contents is broken")
        name_at = at + _CENTRAL.size
        name = data[name_at : name_at + name_size]
        extra = data[name_at + name_size : name_at + name_size + extra_size]
        at = name_at + name_size + extra_size + note_size
        if at > end:
            raise ValueError("its table of contents is cut off")
        size, packed, start = _wide_sizes(extra, size, packed, fields[-1])
        shown = name.decode("utf-8" if flags & _UTF8 else "cp437", "replace").lstrip("/")
        if flags & _ENCRYPTED:
            raise DeckError(f"the part {shown!r} is encrypted")
        if method not in (_STORED, _DEFLATED):
            raise DeckError(f"the part {shown!r} is compressed by method {method}; expected 0 or 8")
        yield Entry(shown, name, method, crc, packed, size, start + shift, 0)


def _wide_sizes(extra: bytes, size: int, packed: int, start: int) -> tuple[int, int, int]:
    """Return size, packed size and start with those taken from the zip64 field that are there."""
    values = [size, packed, start]
    if _SEE_64 not in values:
        return size, packed, start
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        if kind == 1:
            wide = iter(struct.unpack_from(f"<{length // 8}Q", extra, at + 4))
            values = [next(wide, value) if value == _SEE_64 else value for value in values]
            break
        at += 4 + length
    return values[0], values[1], values[2]


def _bounded(found: list[Entry], end: int) -> dict[str, Entry]:
    """Return the entries by name, each with its end."""
    if not found:
        raise DeckError("not a valid .pptx: the zip file is empty")
    starts = sorted({entry.start for entry in found})
    if len(starts) != len(found):
        raise DeckError("two parts lie in the same place of the file")
    following = dict(zip(starts, [*starts[1:], end], strict=True))
    entries: dict[str, Entry] = {}
    for entry in found:
        if entry.name in entries:
            raise DeckError(f"two parts have the name {entry.name!r}")
        entries[entry.name] = replace(entry, end=following[entry.start])
    return entries
