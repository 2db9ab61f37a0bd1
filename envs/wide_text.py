"""`WideText`: a text space with a very large character set, supported in shared memory."""

import ctypes
import multiprocessing
import operator
import re
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import accumulate
from typing import Any, SupportsIndex, overload

import numpy as np
from gymnasium.spaces import Text
from gymnasium.vector.utils import shared_memory
from numpy.typing import NDArray

from pptarena.errors import TextShapeError

__all__ = ["CharacterRanges", "WideText"]

_ENCODING = f"utf-32-{'le' if sys.byteorder == 'little' else 'be'}"


class CharacterRanges(Set[str]):
    """An ordered set of characters, stored as ranges of code points.

    Memory use is independent of the number of characters, so a set may hold all of Unicode.

    Args:
        ranges: First and last code point of each range, ascending and without overlaps.
    """

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        self._ranges = tuple(ranges)
        self._starts = [low for low, _ in self._ranges]
        sizes = [high - low + 1 for low, high in self._ranges]
        self._offsets = [0, *accumulate(sizes)]
        names = "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in self._ranges)
        self._excluded = re.compile(f"[^{names}]")

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> Any:
        return frozenset(it)  # the result of unions and differences

    def __contains__(self, character: object) -> bool:
        if not isinstance(character, str) or len(character) != 1:
            return False
        range_index = bisect_right(self._starts, ord(character)) - 1
        return range_index >= 0 and ord(character) <= self._ranges[range_index][1]

    def __len__(self) -> int:
        return self._offsets[-1]

    def __iter__(self) -> Iterator[str]:
        return (chr(code) for low, high in self._ranges for code in range(low, high + 1))

    def __getitem__(self, index: SupportsIndex) -> str:
        number = operator.index(index)
        number += len(self) if number < 0 else 0
        if not 0 <= number < len(self):
            raise IndexError(f"index {index} is out of range: there are {len(self)} characters")
        range_index = bisect_right(self._offsets, number) - 1
        return chr(self._starts[range_index] + number - self._offsets[range_index])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, CharacterRanges):
            return self._ranges == other._ranges
        return super().__eq__(other)

    def __hash__(self) -> int:
        return hash(self._ranges)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[np.str_]:
        """Return the characters as an array, for ``Generator.choice``."""
        codes = [np.arange(low, high + 1, dtype=np.uint32) for low, high in self._ranges]
        return np.concatenate(codes).view("U1").astype(dtype or "U1")

    def index(self, character: str) -> int:
        """Return the position of a character.

        Raises:
            KeyError: If the set does not contain it.
        """
        if character not in self:
            raise KeyError(character)
        range_index = bisect_right(self._starts, ord(character)) - 1
        return self._offsets[range_index] + ord(character) - self._starts[range_index]

    def find_excluded(self, text: str) -> re.Match[str] | None:
        """Return the first character of a text that is not in the set; None if all are."""
        return self._excluded.search(text)

    def replace_excluded(self, text: str, replacement: str) -> str:
        """Return a text with every character that the set does not contain replaced."""
        return self._excluded.sub(replacement, text)

    @property
    def text(self) -> str:
        """All characters, joined."""
        return self.__array__().tobytes().decode(_ENCODING)


class WideText(Text):
    """A text space with a very large character set.

    Samples use a subset of the characters, so that they resemble text; `contains`, masks and
    flattening use all of them.

    In shared memory, a text is stored as its length and its code points. Gymnasium reads its own
    `Text` spaces there only once, before the first reset.

    Args:
        max_length: Most characters of a text.
        characters: The characters of the space.
        drawn: The characters of samples, a subset.
        seed: Seed of the samples.
    """

    def __init__(
        self,
        max_length: int,
        characters: CharacterRanges,
        sample_characters: str,
        seed: int | np.random.Generator | None = None,
    ) -> None:
        super().__init__(max_length, min_length=0, charset=sample_characters[:1], seed=seed)
        self._characters = characters
        self._sample_characters = sample_characters

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Return a random text; see `gymnasium.spaces.Text.sample` for the arguments."""
        if mask is not None or probability is not None:
            return super().sample(mask, probability)
        length = self.np_random.integers(self.min_length, self.max_length + 1)
        indices = self.np_random.integers(len(self._sample_characters), size=length)
        return "".join(self._sample_characters[index] for index in indices)

    def contains(self, x: Any) -> bool:
        """Return whether a value is a text of the right length and characters."""
        fits = isinstance(x, str) and self.min_length <= len(x) <= self.max_length
        return fits and self._characters.find_excluded(x) is None

    @property
    def character_set(self) -> Any:
        """All characters of the space."""
        return self._characters

    @property
    def character_list(self) -> Any:
        """All characters of the space, in the order of `character_index`."""
        return self._characters

    @property
    def characters(self) -> str:
        """All characters of the space as one text (4 MB for all of Unicode)."""
        return self._characters.text

    def character_index(self, char: str) -> np.int32:
        """Return the position of a character in `character_list`."""
        return np.int32(self._characters.index(char))

    @property
    def shape(self) -> None:
        """Raise, so that stable-baselines3 does not stack texts into an array.

        Raises:
            TextShapeError: Always; `hasattr` and `getattr` treat it as a missing attribute.
        """
        raise TextShapeError(
            "this part of the space is text, which has no shape, so it cannot be stacked into an "
            "array: stable-baselines3 needs numbers only. Make the environment with "
            "pptarena.make_sb3(...), which turns texts into vectors and actions into one number "
            "(docs/guides/train_sb3.md). PPTArenaDoc-v0 is for language models and has no such form"
        )

    def __repr__(self) -> str:
        summary = f"<{len(self.character_set):,} characters>"
        return f"Text({self.min_length}, {self.max_length}, charset={summary})"


class _SharedTexts(Sequence[str]):
    """A live view of texts in shared memory; a deep copy is a snapshot."""

    def __init__(self, rows: Any) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        if isinstance(index, slice):
            return tuple(self)[index]
        row = self._rows[index]
        return str(row[1 : 1 + int(row[0])].tobytes(), _ENCODING)

    def __deepcopy__(self, memo: dict[int, Any]) -> tuple[str, ...]:
        return tuple(self)


def _create(space: WideText, n: int = 1, ctx: Any = multiprocessing) -> Any:
    return ctx.Array(ctypes.c_uint32, n * (space.max_length + 1))


def _read(space: WideText, memory: Any, n: int = 1) -> Any:
    return _SharedTexts(_rows(space, memory))


def _write(space: WideText, index: int, value: str, memory: Any) -> None:
    code_points = np.frombuffer(value.encode(_ENCODING), np.uint32)
    row = _rows(space, memory)[index]
    row[0] = len(code_points)
    row[1 : 1 + len(code_points)] = code_points


def _rows(space: WideText, memory: Any) -> Any:
    return np.frombuffer(memory.get_obj(), np.uint32).reshape(-1, space.max_length + 1)


shared_memory.create_shared_memory.register(WideText, _create)
shared_memory.read_from_shared_memory.register(WideText, _read)
shared_memory.write_to_shared_memory.register(WideText, _write)
