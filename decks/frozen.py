"""Dicts and lists as JSON has them that many may hold, because nobody can change them."""

from copy import deepcopy
from typing import Any, NoReturn

__all__ = ["FrozenDict", "FrozenList", "frozen"]


def _refuse(self: object, *args: object, **named: object) -> NoReturn:
    raise TypeError(
        "these facts are shared with other steps and cannot be changed; "
        "change what copy.deepcopy returns of them"
    )


class FrozenDict(dict[str, Any]):
    """A dict that cannot be changed; a deep copy or an unpickled one is a plain dict."""

    __slots__ = ()
    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, Any]:
        return {key: deepcopy(value, memo) for key, value in self.items()}

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


class FrozenList(list[Any]):
    """A list that cannot be changed; a deep copy or an unpickled one is a plain list."""

    __slots__ = ()
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse

    def __deepcopy__(self, memo: dict[int, Any]) -> list[Any]:
        return [deepcopy(value, memo) for value in self]

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)


def frozen(value: Any) -> Any:
    """Return a value that JSON can hold with its dicts and lists frozen, tuples as lists."""
    if isinstance(value, dict):
        return FrozenDict((key, frozen(each)) for key, each in value.items())
    return FrozenList(map(frozen, value)) if isinstance(value, list | tuple) else value
