"""`WideText`: a space of texts of very many characters, which vectors share between processes."""

import ctypes
import multiprocessing
import sys
from collections.abc import Sequence
from typing import Any, overload

import numpy as np
from gymnasium.spaces import Text
from gymnasium.vector.utils import shared_memory

from pptarena.errors import TextShapeError

__all__ = ["WideText"]

_ENCODING = f"utf-32-{'le' if sys.byteorder == 'little' else 'be'}"


class WideText(Text):
    """A space of texts that names its many characters by their number when it is printed.

    In memory that processes share, its texts stand as code points after their length. Those of
    gymnasium's own space are read there once, before the first reset, and never again.
    """

    @property
    def shape(self) -> None:
        """Refuse to be stacked into an array, as stable-baselines3 tries; texts have no shape.

        Raises:
            TextShapeError: Always; for `hasattr` and `getattr` it is a missing attribute.
        """
        raise TextShapeError(
            "this part of the space is text, which has no shape, so it cannot be stacked into an "
            "array: stable-baselines3 needs numbers only. Make the environment with "
            "pptarena.make_sb3(...), which turns texts into vectors and actions into one number "
            "(docs/training.md). PPTArenaDoc-v0 is for language models and has no such form"
        )

    def __repr__(self) -> str:
        many = f"<{len(self.character_set):,} characters>"
        return f"Text({self.min_length}, {self.max_length}, charset={many})"


class _SharedTexts(Sequence[str]):
    """Texts in memory that processes share, as they are when looked at; a deep copy stays."""

    def __init__(self, places: Any) -> None:
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        if isinstance(index, slice):
            return tuple(self)[index]
        place = self._places[index]
        return str(place[1 : 1 + int(place[0])].tobytes(), _ENCODING)

    def __deepcopy__(self, memo: dict[int, Any]) -> tuple[str, ...]:
        return tuple(self)


def _create(space: WideText, n: int = 1, ctx: Any = multiprocessing) -> Any:
    return ctx.Array(ctypes.c_uint32, n * (space.max_length + 1))


def _read(space: WideText, memory: Any, n: int = 1) -> Any:
    return _SharedTexts(_places(space, memory))


def _write(space: WideText, index: int, value: str, memory: Any) -> None:
    points = np.frombuffer(value.encode(_ENCODING), np.uint32)
    place = _places(space, memory)[index]
    place[0] = len(points)
    place[1 : 1 + len(points)] = points


def _places(space: WideText, memory: Any) -> Any:
    return np.frombuffer(memory.get_obj(), np.uint32).reshape(-1, space.max_length + 1)


shared_memory.create_shared_memory.register(WideText, _create)
shared_memory.read_from_shared_memory.register(WideText, _read)
shared_memory.write_to_shared_memory.register(WideText, _write)
