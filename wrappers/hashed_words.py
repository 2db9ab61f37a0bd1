"""Encode texts as vectors of a fixed length, without a vocabulary."""

import re
import zlib
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

__all__ = ["hashed_words"]

_WORD = re.compile(r"\w+")
_PUNCTUATION = re.compile(r"[^\w\s]")


def hashed_words(text: str, size: int) -> NDArray[np.float32]:
    """Return a text as a new vector.

    Every word adds 1 or -1 at an index given by its CRC-32 ("the hashing trick", Weinberger et al.
    2009). Case is ignored, and punctuation counts only in a text without words. The vector has
    length 1; it is all 0 for a text without words and punctuation.

    Args:
        text: Any text.
        size: Length of the vector.

    Returns:
        float32 (size,) with values in [-1, 1].
    """
    return _hash_words(text, size).copy()


@lru_cache(maxsize=4096)
def _hash_words(text: str, size: int) -> NDArray[np.float32]:
    vector = np.zeros(size, np.float32)
    for word in _WORD.findall(text.casefold()) or _PUNCTUATION.findall(text):
        code = zlib.crc32(word.encode("utf-8", "replace"))
        # The lowest bit chooses the sign, so that colliding words do not always add up.
        vector[(code >> 1) % size] += 1.0 if code & 1 else -1.0
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector
