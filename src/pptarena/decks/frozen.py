"""Immutable JSON dicts and lists, safe to share between several owners."""

from copy import deepcopy
from typing import Any, NoReturn

__all__ = ["FrozenDict", "FrozenList", "freeze"]


def _refuse(self: object, *args: object, **kwargs: object) -> NoReturn:
    raise TypeError(
        "these facts are shared between steps and cannot be changed; "
        "change a copy made with copy.deepcopy"
    )


class FrozenDict(dict[str, Any]):
    """An immutable dict; deep copies and unpickled copies are plain dicts."""

    __slots__ = ()
    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, Any]:
        return {key: deepcopy(value, memo) for key, value in self.items()}

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


class FrozenList(list[Any]):
    """An immutable list; deep copies and unpickled copies are plain lists."""

    __slots__ = ()
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse

    def __deepcopy__(self, memo: dict[int, Any]) -> list[Any]:
        return [deepcopy(value, memo) for value in self]

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)


def freeze(value: Any) -> Any:
    """Return a JSON value with all dicts and lists frozen; tuples become lists."""
    if isinstance(value, dict):
        return FrozenDict((key, freeze(each)) for key, each in value.items())
    return FrozenList(map(freeze, value)) if isinstance(value, list | tuple) else value
