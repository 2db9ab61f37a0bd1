"""What was found lately, kept for the next file: bounded, and safe to use from threads."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

__all__ = ["Recent", "SameObjects"]

_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")


class Recent(Generic[_K, _V]):
    """A mapping that forgets what was not asked for longest when it weighs too much.

    Args:
        limit: What all values together may weigh.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._weight = 0
        self._kept: OrderedDict[_K, tuple[_V, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: _K) -> _V | None:
        """Return the value of a key, None if there is none."""
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                return None
            self._kept.move_to_end(key)
            return found[0]

    def put(self, key: _K, value: _V, weight: int = 1) -> None:
        """Keep a value; one that weighs more than a quarter of the limit is not kept."""
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
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self._weight = 0


class SameObjects(Generic[_V]):
    """What was made of some objects, for as long as the very same ones are asked about.

    Facts that did not change are the same objects in the next deck; to compare them, or to look at
    them again, would take longer than all the rest.

    Args:
        limit: How many values are kept.
    """

    def __init__(self, limit: int) -> None:
        # The objects are kept with the value, so that none of their ids can be another's.
        self._kept: Recent[tuple[int, ...], tuple[tuple[object, ...], _V]] = Recent(limit)

    def get(self, objects: tuple[object, ...], make: Callable[[], _V]) -> _V:
        """Return what `make` returns, or returned for the same objects; never to be changed."""
        key = tuple(map(id, objects))
        known = self._kept.get(key)
        if known is None:
            known = objects, make()
            self._kept.put(key, known)
        return known[1]
