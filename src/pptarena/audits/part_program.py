"""A program for the sandbox that turns one deck into another by writing the parts that differ."""

import base64
import io
import posixpath
import zipfile
import zlib
from collections.abc import Iterable, Mapping

import numpy as np

from pptarena.decks.presentation import open_presentation, save_presentation

__all__ = ["part_program"]

_LEAST_ALIKE = 64  # bytes shared at both ends before one part is encoded relative to another
_PROGRAM = """\
import base64, io, zipfile, zlib
from pptx import Presentation

GONE = {gone!r}
# Of each part: whose beginning and end it shares, how much of them, and what stands between.
CHANGED = {changed!r}
before, after = io.BytesIO(), io.BytesIO()
presentation.save(before)
with zipfile.ZipFile(before) as file:
    old = {{name: file.read(name) for name in file.namelist()}}
new = {{name: data for name, data in old.items() if name not in GONE}}
for name, (like, check, head, tail, middle) in CHANGED.items():
    source = old.get(like, b"")
    if zlib.crc32(source) != check:
        raise ValueError(f"{{like}} is not the part that this was written for")
    between = zlib.decompress(base64.b85decode(middle))
    new[name] = source[:head] + between + source[len(source) - tail :]
with zipfile.ZipFile(after, "w") as file:
    for name, data in new.items():
        file.writestr(name, data)
presentation._part = Presentation(after).part  # what is saved is the package of this part
"""


def part_program(before: bytes, after: bytes) -> str:
    """Return a program that edits ``presentation``, opened from one deck, into another.

    The program writes the parts that differ after python-pptx has saved both decks, and keeps the
    rest. It needs only python-pptx, so it runs where this package is not installed.

    Args:
        before: The .pptx file that the program starts from.
        after: The .pptx file that the program must produce.

    Raises:
        DeckError: If either file is not a deck.
    """
    old, new = _parts(before), _parts(after)
    changed = {
        name: _written(data, name, old) for name, data in new.items() if old.get(name) != data
    }
    return _PROGRAM.format(gone=[name for name in old if name not in new], changed=changed)


def _parts(file: bytes) -> dict[str, bytes]:
    presentation = open_presentation(file)
    # Accessing the slides renames their parts by number; the program's deck was accessed too.
    assert presentation.slides is not None
    with zipfile.ZipFile(io.BytesIO(save_presentation(presentation))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _written(data: bytes, name: str, old: Mapping[str, bytes]) -> tuple[str, int, int, int, str]:
    """Return the most similar old part, its checksum and the differences from it.

    Returns:
        Name and CRC-32 of the old part, length in bytes of the shared head and tail, and the part's
        middle, compressed and base85-encoded.
    """
    folder = posixpath.dirname(name)
    known = [name] if name in old else [each for each in old if posixpath.dirname(each) == folder]
    like, head, tail = _nearest(data, known, old)
    middle = zlib.compress(data[head : len(data) - tail], 9)
    check = zlib.crc32(old.get(like, b""))
    return like, check, head, tail, base64.b85encode(middle).decode()


def _nearest(data: bytes, names: Iterable[str], old: Mapping[str, bytes]) -> tuple[str, int, int]:
    """Return the part with the longest common head and tail, and their lengths in bytes."""
    best = "", 0, 0
    for name in names:
        other = old[name]
        head = _alike(data, other)
        tail = _alike(data[head:][::-1], other[head:][::-1])
        if head + tail > max(_LEAST_ALIKE, best[1] + best[2]):
            best = name, head, tail
    return best


def _alike(one: bytes, two: bytes) -> int:
    """Return the length in bytes of the common prefix."""
    most = min(len(one), len(two))
    first, second = (np.frombuffer(each, np.uint8, most) for each in (one, two))
    differ = np.flatnonzero(first != second)
    return int(differ[0]) if differ.size else most
