"""Bounded, thread-safe caches that outlive a single file."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

__all__ = ["IdentityCache", "LruCache"]

_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")


class LruCache(Generic[_K, _V]):
    """A least-recently-used cache with weighted values.

    Args:
        limit: Maximum total weight.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._weight = 0
        self._entries: OrderedDict[_K, tuple[_V, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: _K) -> _V | None:
        """Return the value of a key; None if it is not cached."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            return entry[0]

    def put(self, key: _K, value: _V, weight: int = 1) -> None:
        """Store a value, unless it weighs more than a quarter of the limit."""
        if 4 * weight > self._limit:
            return
        with self._lock:
            if key in self._entries:
                self._weight -= self._entries.pop(key)[1]
            self._entries[key] = value, weight
            self._weight += weight
            while self._weight > self._limit:
                self._weight -= self._entries.popitem(last=False)[1][1]

    def clear(self) -> None:
        """Remove all values."""
        with self._lock:
            self._entries.clear()
            self._weight = 0


class IdentityCache(Generic[_V]):
    """A cache keyed by the identity of objects.

    Unchanged facts are the same objects in the next deck; comparing or processing them again would
    dominate the run time.

    Args:
        limit: Maximum number of values.
    """

    def __init__(self, limit: int) -> None:
        # Storing the objects with the value keeps their ids from being reused.
        self._entries: LruCache[tuple[int, ...], tuple[tuple[object, ...], _V]] = LruCache(limit)

    def get(self, objects: tuple[object, ...], make: Callable[[], _V]) -> _V:
        """Return the cached result of `make` for these objects; callers must not modify it."""
        key = tuple(map(id, objects))
        cached = self._entries.get(key)
        if cached is None:
            cached = objects, make()
            self._entries.put(key, cached)
        return cached[1]
