"""Distance of a value from that of the target deck.

Lengths, angles, sizes and numbers have a numeric distance. Texts count wrong lines, text formatting
counts wrong characters, and tuples count wrong items. Other values are right or wrong.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pptarena.decks.diff.change import Change
from pptarena.decks.match.sequences import opcodes

__all__ = ["progress"]

_WORDED = frozenset(("text", "notes", "tables"))


class _Distance(NamedTuple):
    """A positive distance, with its unit."""

    unit: str
    amount: float


def progress(now: Sequence[Change], start: Sequence[Change]) -> float:
    """Return the progress from the original to the target, in [0, 1].

    Args:
        now: Differences of one property between the current deck and the target.
        start: Differences between the original and the target; at least one.
    """
    if not now:
        return 1.0
    left, way = _together(now), _together(start)
    if left.unit != way.unit:
        return 0.0
    return max(0.0, 1.0 - left.amount / way.amount)


def _of_change(change: Change) -> _Distance:
    """Return the distance between the two values of a change."""
    old, new = change.value_before, change.value_after
    if change.aspect in _WORDED and isinstance(old, str) and isinstance(new, str):
        return _Distance("lines", _lines(old, new))
    if change.aspect == "formatting" and _is_of_letters(old) and _is_of_letters(new):
        return _of_letters(old, new)  # type: ignore[arg-type]
    if change.what == "rotation" and _is_number(old) and _is_number(new):
        turn = abs(float(old) - float(new)) % 360  # type: ignore[arg-type]
        return _Distance("degrees", max(min(turn, 360 - turn), 1e-9))
    return _of_values(old, new, apart=change.aspect == "geometry")


def _together(changes: Iterable[Change]) -> _Distance:
    found = [_of_change(change) for change in changes]
    units = {each.unit for each in found}
    if len(units) > 1:
        return _Distance("changes", float(len(found)))
    return _Distance(units.pop(), sum(each.amount for each in found))


def _of_values(old: object, new: object, *, apart: bool) -> _Distance:
    if _is_number(old) and _is_number(new):
        return _Distance("number", max(abs(float(old) - float(new)), 1e-9))  # type: ignore[arg-type]
    if isinstance(old, tuple) and isinstance(new, tuple) and len(old) == len(new):
        both = list(zip(old, new, strict=True))
        if apart and all(_is_number(a) and _is_number(b) for a, b in both):
            return _Distance("length", max(math.hypot(*(a - b for a, b in both)), 1e-9))
        return _Distance("values", float(max(1, sum(a != b for a, b in both))))
    return _Distance("changes", 1.0)


def _lines(old: str, new: str) -> float:
    """Return the number of lines to write, delete or change."""
    first, second = ([line.rstrip() for line in text.split("\n")] for text in (old, new))
    found = [each for each in opcodes(first, second) if each[0] != "equal"]
    return float(max(1, sum(max(i2 - i1, j2 - j1) for _, i1, i2, j1, j2 in found)))


def _is_of_letters(value: object) -> bool:
    return isinstance(value, tuple) and all(
        isinstance(each, tuple) and len(each) == 2 and isinstance(each[0], str) for each in value
    )


def _of_letters(
    old: tuple[tuple[str, object], ...], new: tuple[tuple[str, object], ...]
) -> _Distance:
    """Return the number of characters with wrong formatting; numbers are weighted by distance."""
    numbers = all(_is_number(value) for _, value in (*old, *new))
    amount = 0.0
    for (text, before), (_, after) in zip(old, new, strict=False):
        size = max(1, sum(not sign.isspace() for sign in text))
        way = abs(float(before) - float(after)) if numbers else 1.0  # type: ignore[arg-type]
        amount += size * way
    return _Distance("sizes" if numbers else "letters", max(amount, 1e-9))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
