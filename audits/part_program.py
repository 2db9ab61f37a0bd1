"""A program for the jail that makes one deck of another by writing the parts that differ."""

import base64
import io
import posixpath
import zipfile
import zlib
from collections.abc import Iterable, Mapping

import numpy as np

from pptarena.tasks.grow.edits import opened, saved

__all__ = ["part_program"]

_LEAST_ALIKE = 64  # bytes at both ends of two parts, for one to be written by the other
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

    It writes the parts of the file that differ once python-pptx has saved both, and takes from the
    deck what stayed as it was. It needs python-pptx only, so that it runs where this package is
    not.

    Args:
        before: The .pptx file that the program will find.
        after: The .pptx file that it is to leave.

    Raises:
        DeckError: If one of them is no deck.
    """
    old, new = _parts(before), _parts(after)
    changed = {
        name: _written(data, name, old) for name, data in new.items() if old.get(name) != data
    }
    return _PROGRAM.format(gone=[name for name in old if name not in new], changed=changed)


def _parts(file: bytes) -> dict[str, bytes]:
    presentation = opened(file)
    # Who looks at the slides names their parts by their numbers, as whoever runs the program did.
    assert presentation.slides is not None
    with zipfile.ZipFile(io.BytesIO(saved(presentation))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _written(data: bytes, name: str, old: Mapping[str, bytes]) -> tuple[str, int, int, int, str]:
    """Return name and checksum of the part that a new one is most like, and how they differ."""
    folder = posixpath.dirname(name)
    known = [name] if name in old else [each for each in old if posixpath.dirname(each) == folder]
    like, head, tail = _nearest(data, known, old)
    middle = zlib.compress(data[head : len(data) - tail], 9)
    check = zlib.crc32(old.get(like, b""))
    return like, check, head, tail, base64.b85encode(middle).decode()


def _nearest(data: bytes, names: Iterable[str], old: Mapping[str, bytes]) -> tuple[str, int, int]:
    """Return which part begins and ends most like this one, and how many bytes of both do."""
    best = "", 0, 0
    for name in names:
        other = old[name]
        head = _alike(data, other)
        tail = _alike(data[head:][::-1], other[head:][::-1])
        if head + tail > max(_LEAST_ALIKE, best[1] + best[2]):
            best = name, head, tail
    return best


def _alike(one: bytes, two: bytes) -> int:
    """Return how many bytes at the beginning are equal."""
    most = min(len(one), len(two))
    first, second = (np.frombuffer(each, np.uint8, most) for each in (one, two))
    differ = np.flatnonzero(first != second)
    return int(differ[0]) if differ.size else most
