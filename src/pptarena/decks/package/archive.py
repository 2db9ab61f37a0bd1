"""Read zip files strictly: in bounded time and memory, and without ambiguity.

The format is that of PKWARE's APPNOTE, restricted by Open Packaging Conventions (ECMA-376 part 2):
entries are stored or deflated, neither encrypted nor split, and have unique names.
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
_IN_ZIP64 = 0xFFFFFFFF
_CHUNK = 2**18


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the central directory.

    Attributes:
        name: Name without a leading slash.
        raw_name: Name as stored in the file.
        method: 0 for stored, 8 for deflated.
        crc: CRC-32 of the content.
        compressed_size: Compressed size in bytes.
        size: Uncompressed size in bytes.
        start: Offset of the local header.
        end: Offset of the next entry or of the central directory.
    """

    name: str
    raw_name: bytes
    method: int
    crc: int
    compressed_size: int
    size: int
    start: int
    end: int


class Archive:
    """The entries of a zip file.

    Raises:
        DeckError: If the file is not a zip file allowed by Open Packaging Conventions, or is too
            large.
    """

    def __init__(self, data: bytes) -> None:
        self._data = memoryview(data)
        try:
            self.entries: Mapping[str, Entry] = MappingProxyType(_read_entries(data))
        except (struct.error, ValueError, OverflowError) as error:
            raise DeckError(f"not a valid .pptx: {error}") from error

    def compressed(self, entry: Entry) -> memoryview:
        """Return the compressed bytes of an entry.

        Raises:
            DeckError: If the local header is missing or contradicts the central directory.
        """
        fields = self._data[entry.start : entry.start + _LOCAL.size]
        if len(fields) < _LOCAL.size or bytes(fields[:4]) != b"PK\x03\x04":
            raise DeckError(f"the part {entry.name!r} is broken: it has no header")
        *_, name_size, extra_size = _LOCAL.unpack(fields)
        name_end = entry.start + _LOCAL.size + name_size
        if self._data[name_end - name_size : name_end] != entry.raw_name:
            raise DeckError(f"the part {entry.name!r} is broken: its header has another name")
        start = name_end + extra_size
        if start + entry.compressed_size > entry.end:
            raise DeckError(f"the part {entry.name!r} is broken: it overlaps the next part")
        return self._data[start : start + entry.compressed_size]

    def token(self, entry: Entry) -> bytes:
        """Return a token that is equal only for entries of equal content or equal defects."""
        digest = hashlib.sha256(f"{entry.method} {entry.crc} {entry.size} ".encode())
        try:
            digest.update(self.compressed(entry))
        except DeckError as error:
            digest.update(str(error).encode())
        return digest.digest()

    def chunks(self, entry: Entry) -> Iterator[bytes | memoryview]:
        """Yield the content of an entry in pieces, up to its declared size.

        Raises:
            DeckError: If the entry is broken or contradicts the central directory.
        """
        packed = self.compressed(entry)
        pieces = _inflate(packed, entry.size) if entry.method == _DEFLATED else iter((packed,))
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
        """Return the content of an entry; errors are those of `chunks`."""
        return b"".join(self.chunks(entry))

    def reader(self, entry: Entry) -> Callable[[], bytes]:
        """Return a function that returns the content of an entry without keeping the archive."""
        return partial(_unpack, bytes(self.compressed(entry)), entry)


def _unpack(packed: bytes, entry: Entry) -> bytes:
    if entry.method != _DEFLATED:
        return packed
    try:
        return b"".join(_inflate(memoryview(packed), entry.size))
    except zlib.error as error:
        raise DeckError(f"the part {entry.name!r} is broken: {error}") from error


def _inflate(packed: memoryview, size: int) -> Iterator[bytes]:
    """Yield the decompressed data, at most one byte more than `size`."""
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    remaining = size + 1
    for start in range(0, len(packed), _CHUNK):
        pending: bytes | memoryview = packed[start : start + _CHUNK]
        while len(pending) and remaining and not unpacker.eof:
            piece = unpacker.decompress(pending, min(remaining, 8 * _CHUNK))
            pending = unpacker.unconsumed_tail
            remaining -= len(piece)
            yield piece
    if remaining and not unpacker.eof:
        piece = unpacker.decompress(b"", remaining)
        remaining -= len(piece)
        yield piece
    if remaining and not unpacker.eof:
        raise zlib.error("the compressed data does not end")


def _read_entries(data: bytes) -> dict[str, Entry]:
    count, size, offset, end = _find_directory(data)
    if count > MAX_ENTRIES:
        raise DeckError(f"expected at most {MAX_ENTRIES} parts, found {count}")
    # Data before the first entry, such as a self-extractor, is ignored.
    shift = end - size - offset
    if shift < 0 or size > end:
        raise ValueError("the table of contents lies outside of the file")
    entries = list(_directory_entries(data, end - size, end, shift))
    if len(entries) != count:
        raise ValueError(f"expected {count} entries, found {len(entries)}")
    total = sum(entry.size for entry in entries)
    if total > MAX_TOTAL_BYTES:
        raise DeckError(f"expected at most {MAX_TOTAL_BYTES} bytes unpacked, found {total}")
    return _by_name(entries, end - size)


def _find_directory(data: bytes) -> tuple[int, int, int, int]:
    """Return number of entries, and size, offset and end of the central directory."""
    position = data.rfind(b"PK\x05\x06", max(0, len(data) - _END.size - _MAX_COMMENT))
    if position < 0:
        is_zip = data.startswith(b"PK\x03\x04")
        raise ValueError("the file is truncated" if is_zip else "the file is not a zip file")
    _, disk, first_disk, disk_count, count, size, offset, _ = _END.unpack_from(data, position)
    locator = position - _LOCATOR_64.size
    if locator >= 0 and data[locator : locator + 4] == b"PK\x06\x07":
        _, _, directory, _ = _LOCATOR_64.unpack_from(data, locator)
        signature, _, _, _, disk, first_disk, disk_count, count, size, offset = _END_64.unpack_from(
            data, directory
        )
        if signature != b"PK\x06\x06":
            raise ValueError("its table of contents (zip64) is missing")
        position = directory
    if disk or first_disk or disk_count != count:
        raise ValueError("it is one volume of a split archive")
    return count, size, offset, position


def _directory_entries(data: bytes, position: int, end: int, shift: int) -> Iterator[Entry]:
    """Yield the entries of the central directory; their `end` is not set yet."""
    while position < end:
        fields = _CENTRAL.unpack_from(data, position)
        (
            signature,
            _,
            _,
            flags,
            method,
            _,
            _,
            crc,
            packed,
            size,
            name_size,
            extra_size,
            comment_size,
        ) = fields[:13]
        if signature != b"PK\x01\x02":
            raise ValueError("its table of contents is broken")
        name_start = position + _CENTRAL.size
        raw_name = data[name_start : name_start + name_size]
        extra = data[name_start + name_size : name_start + name_size + extra_size]
        position = name_start + name_size + extra_size + comment_size
        if position > end:
            raise ValueError("its table of contents is cut off")
        size, packed, start = _zip64_sizes(extra, size, packed, fields[-1])
        name = raw_name.decode("utf-8" if flags & _UTF8 else "cp437", "replace").lstrip("/")
        if flags & _ENCRYPTED:
            raise DeckError(f"the part {name!r} is encrypted")
        if method not in (_STORED, _DEFLATED):
            raise DeckError(f"the part {name!r} is compressed by method {method}; expected 0 or 8")
        yield Entry(name, raw_name, method, crc, packed, size, start + shift, 0)


def _zip64_sizes(extra: bytes, size: int, packed: int, start: int) -> tuple[int, int, int]:
    """Return size, packed size and start, with values from the zip64 field where present."""
    values = [size, packed, start]
    if _IN_ZIP64 not in values:
        return size, packed, start
    position = 0
    while position + 4 <= len(extra):
        field_type, length = struct.unpack_from("<HH", extra, position)
        if field_type == 1:
            zip64_values = iter(struct.unpack_from(f"<{length // 8}Q", extra, position + 4))
            values = [
                next(zip64_values, value) if value == _IN_ZIP64 else value for value in values
            ]
            break
        position += 4 + length
    return values[0], values[1], values[2]


def _by_name(directory: list[Entry], end: int) -> dict[str, Entry]:
    """Return the entries by name, with `end` set."""
    if not directory:
        raise DeckError("not a valid .pptx: the zip file is empty")
    starts = sorted({entry.start for entry in directory})
    if len(starts) != len(directory):
        raise DeckError("two parts start at the same position in the file")
    next_starts = dict(zip(starts, [*starts[1:], end], strict=True))
    entries: dict[str, Entry] = {}
    for entry in directory:
        if entry.name in entries:
            raise DeckError(f"two parts have the name {entry.name!r}")
        entries[entry.name] = replace(entry, end=next_starts[entry.start])
    return entries
