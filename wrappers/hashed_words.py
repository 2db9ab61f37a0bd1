"""Texts as vectors of a fixed length, without a vocabulary."""

import re
import zlib
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

__all__ = ["hashed_words"]

_WORD = re.compile(r"\w+")
_SIGN = re.compile(r"[^\w\s]")


def hashed_words(text: str, size: int) -> NDArray[np.float32]:
    """Return a text as a vector, in memory of its own.

    Every word adds 1 or -1 at a place that its CRC-32 gives ("the hashing trick", Weinberger et
    al. 2009); letter case does not count, and signs count only where there is no word. The vector
    has length 1, that of a text without words and signs 0.

    Args:
        text: Any text.
        size: Length of the vector.

    Returns:
        float32 (size,) with values in [-1, 1].
    """
    return _hashed(text, size).copy()


@lru_cache(maxsize=4096)
def _hashed(text: str, size: int) -> NDArray[np.float32]:
    found = np.zeros(size, np.float32)
    for word in _WORD.findall(text.casefold()) or _SIGN.findall(text):
        code = zlib.crc32(word.encode("utf-8", "replace"))
        # The lowest bit chooses the sign, so that words that fall together do not always add up.
        found[(code >> 1) % size] += 1.0 if code & 1 else -1.0
    length = float(np.linalg.norm(found))
    return found / length if length else found
