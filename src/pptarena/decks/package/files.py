"""Read the bytes of a deck."""

import hashlib
import os
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Self, TypeAlias

from pptarena.decks.package.archive import MAX_ENTRIES, MAX_TOTAL_BYTES, Entry
from pptarena.errors import ConfigError, DeckError
from pptarena.files import read_file

__all__ = [
    "MAX_FILE_BYTES",
    "DeckFile",
    "DeckPath",
    "Part",
    "Parts",
    "file_bytes",
    "prefix_errors",
    "read_bytes",
]

_LOCAL = struct.Struct("<4s5H3L2H")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_VERSION, _UTF8, _DATE = 20, 0x800, 33  # fixed date: January 1, 1980


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A part with its zip record, uncompressed.

    Attributes:
        entry: Entry of the zip directory.
        data: Content.
        token: Token of the part, as returned by `Archive.token`.
        header: Local file header.
    """

    entry: Entry
    data: bytes
    token: bytes
    header: bytes

    @classmethod
    def of(cls, name: str, data: bytes) -> Self:
        """Return a part from its name, without a leading slash, and its content."""
        crc, size, raw_name = zlib.crc32(data), len(data), name.encode()
        token = hashlib.sha256(f"0 {crc} {size} ".encode())
        token.update(data)
        fields = _VERSION, _UTF8, 0, 0, _DATE, crc, size, size, len(raw_name), 0
        header = _LOCAL.pack(b"PK\x03\x04", *fields) + raw_name
        return cls(Entry(name, raw_name, 0, crc, size, size, 0, 0), data, token.digest(), header)


class Parts:
    """The parts of a deck by name, with the interface of an `Archive`.

    Raises:
        DeckError: If their number or total size exceeds the limits of a file.
    """

    def __init__(self, parts: Iterable[Part]) -> None:
        self._parts = {part.entry.name: part for part in parts}
        self.entries: Mapping[str, Entry] = MappingProxyType(
            {name: part.entry for name, part in self._parts.items()}
        )
        total = sum(entry.size for entry in self.entries.values())
        if len(self._parts) > MAX_ENTRIES or total > MAX_TOTAL_BYTES:
            raise DeckError(
                f"expected at most {MAX_ENTRIES} parts and {MAX_TOTAL_BYTES} bytes, "
                f"found {len(self._parts)} and {total}"
            )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Parts):
            return NotImplemented
        return self._tokens() == other._tokens()

    __hash__ = None  # type: ignore[assignment]

    def token(self, entry: Entry) -> bytes:
        """Return a token that is equal only for parts of equal content; see `Archive.token`."""
        return self._parts[entry.name].token

    def chunks(self, entry: Entry) -> Iterator[bytes]:
        """Yield the content of a part, in one piece."""
        yield self._parts[entry.name].data

    def read(self, entry: Entry) -> bytes:
        """Return the content of a part."""
        return self._parts[entry.name].data

    def reader(self, entry: Entry) -> Callable[[], bytes]:
        """Return a function that returns the content of a part."""
        return partial(bytes, self._parts[entry.name].data)

    def to_bytes(self) -> bytes:
        """Return the parts as a .pptx file."""
        pieces: list[bytes] = []
        table: list[bytes] = []
        offset = 0
        for part in self._parts.values():
            entry, name = part.entry, part.entry.raw_name
            sizes = entry.crc, entry.size, entry.size, len(name), 0, 0, 0, 0, 0, offset
            fields = _VERSION, _VERSION, _UTF8, 0, 0, _DATE
            table.append(_CENTRAL.pack(b"PK\x01\x02", *fields, *sizes) + name)
            pieces += part.header, part.data
            offset += len(part.header) + len(part.data)
        size, count = sum(map(len, table)), len(table)
        end = _END.pack(b"PK\x05\x06", 0, 0, count, count, size, offset, 0)
        return b"".join((*pieces, *table, end))

    def _tokens(self) -> list[tuple[str, bytes]]:
        return [(name, part.token) for name, part in self._parts.items()]


DeckFile = bytes | Parts
"""A .pptx file, or its parts."""


def file_bytes(deck: DeckFile) -> bytes:
    """Return a deck as the bytes of a file."""
    return deck.to_bytes() if isinstance(deck, Parts) else deck


MAX_FILE_BYTES = 256 * 2**20

DeckPath: TypeAlias = str | os.PathLike[str]
"""Path of a .pptx file."""


def read_bytes(source: bytes | DeckPath) -> bytes:
    """Return a deck's bytes, from memory or from a file.

    Raises:
        DeckError: If it is not a regular file, cannot be read, or is larger than `MAX_FILE_BYTES`.
        ConfigError: If it is neither a path nor bytes.
    """
    if not isinstance(source, str | os.PathLike | bytes | bytearray | memoryview):
        raise ConfigError(
            f"expected the path or the bytes of a .pptx file, got {type(source).__name__}"
        )
    if not isinstance(source, str | os.PathLike):
        if len(source) > MAX_FILE_BYTES:
            raise DeckError(f"the file is larger than {MAX_FILE_BYTES} bytes")
        return source if isinstance(source, bytes) else bytes(source)
    try:
        return read_file(Path(source), MAX_FILE_BYTES)
    except OSError as error:
        raise DeckError(f"{source} cannot be read: {error.strerror or error}") from error


@contextmanager
def prefix_errors(source: object) -> Iterator[None]:
    """Prefix the message of each `DeckError` with the deck's path."""
    try:
        yield
    except DeckError as error:
        message = str(error)
        if not isinstance(source, str | os.PathLike) or message.startswith(str(source)):
            raise
        verb = " is" if message.startswith("not a ") else ":"
        raise DeckError(f"{source}{verb} {message}") from error
