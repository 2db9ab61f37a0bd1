"""Bounded, thread-safe caches that outlive a single file."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

__all__ = ["Recent", "SameObjects"]

_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")


class Recent(Generic[_K, _V]):
    """A least-recently-used cache with weighted values.

    Args:
        limit: Maximum total weight.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._weight = 0
        self._kept: OrderedDict[_K, tuple[_V, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: _K) -> _V | None:
        """Return the value of a key; None if it is not cached."""
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                return None
            self._kept.move_to_end(key)
            return found[0]

    def put(self, key: _K, value: _V, weight: int = 1) -> None:
        """Store a value, unless it weighs more than a quarter of the limit."""
        if 4 * weight > self._limit:
            return
        with self._lock:
            if key in self._kept:
                self._weight -= self._kept.pop(key)[1]
            self._kept[key] = value, weight
            self._weight += weight
            while self._weight > self._limit:
                self._weight -= self._kept.popitem(last=False)[1][1]

    def clear(self) -> None:
        """Remove all values."""
        with self._lock:
            self._kept.clear()
            self._weight = 0


class SameObjects(Generic[_V]):
    """A cache keyed by the identity of objects.

    Unchanged facts are the same objects in the next deck; comparing or processing them again would
    dominate the run time.

    Args:
        limit: Maximum number of values.
    """

    def __init__(self, limit: int) -> None:
        # The objects are kept with the value, so that their ids are not reused.
        self._kept: Recent[tuple[int, ...], tuple[tuple[object, ...], _V]] = Recent(limit)

    def get(self, objects: tuple[object, ...], make: Callable[[], _V]) -> _V:
        """Return the cached result of `make` for these objects; callers must not modify it."""
        key = tuple(map(id, objects))
        known = self._kept.get(key)
        if known is None:
            known = objects, make()
            self._kept.put(key, known)
        return known[1]
