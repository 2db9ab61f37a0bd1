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

_TEXT_ASPECTS = frozenset(("text", "notes", "tables"))


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
    remaining, total = _total(now), _total(start)
    if remaining.unit != total.unit:
        return 0.0
    return max(0.0, 1.0 - remaining.amount / total.amount)


def _change_distance(change: Change) -> _Distance:
    """Return the distance between the two values of a change."""
    old, new = change.value_before, change.value_after
    if change.aspect in _TEXT_ASPECTS and isinstance(old, str) and isinstance(new, str):
        return _Distance("lines", _line_distance(old, new))
    if change.aspect == "formatting" and _is_text_formatting(old) and _is_text_formatting(new):
        return _formatting_distance(old, new)  # type: ignore[arg-type]
    if change.what == "rotation" and _is_number(old) and _is_number(new):
        turn = abs(float(old) - float(new)) % 360  # type: ignore[arg-type]
        return _Distance("degrees", max(min(turn, 360 - turn), 1e-9))
    return _value_distance(old, new, euclidean=change.aspect == "geometry")


def _total(changes: Iterable[Change]) -> _Distance:
    distances = [_change_distance(change) for change in changes]
    units = {each.unit for each in distances}
    if len(units) > 1:
        return _Distance("changes", float(len(distances)))
    return _Distance(units.pop(), sum(each.amount for each in distances))


def _value_distance(old: object, new: object, *, euclidean: bool) -> _Distance:
    if _is_number(old) and _is_number(new):
        return _Distance("number", max(abs(float(old) - float(new)), 1e-9))  # type: ignore[arg-type]
    if isinstance(old, tuple) and isinstance(new, tuple) and len(old) == len(new):
        pairs = list(zip(old, new, strict=True))
        if euclidean and all(_is_number(a) and _is_number(b) for a, b in pairs):
            return _Distance("length", max(math.hypot(*(a - b for a, b in pairs)), 1e-9))
        return _Distance("values", float(max(1, sum(a != b for a, b in pairs))))
    return _Distance("changes", 1.0)


def _line_distance(old: str, new: str) -> float:
    """Return the number of lines to write, delete or change."""
    first, second = ([line.rstrip() for line in text.split("\n")] for text in (old, new))
    edits = [each for each in opcodes(first, second) if each[0] != "equal"]
    return float(max(1, sum(max(i2 - i1, j2 - j1) for _, i1, i2, j1, j2 in edits)))


def _is_text_formatting(value: object) -> bool:
    return isinstance(value, tuple) and all(
        isinstance(each, tuple) and len(each) == 2 and isinstance(each[0], str) for each in value
    )


def _formatting_distance(
    old: tuple[tuple[str, object], ...], new: tuple[tuple[str, object], ...]
) -> _Distance:
    """Return the number of characters with wrong formatting; numbers are weighted by distance."""
    numbers = all(_is_number(value) for _, value in (*old, *new))
    amount = 0.0
    for (text, before), (_, after) in zip(old, new, strict=False):
        size = max(1, sum(not char.isspace() for char in text))
        distance = abs(float(before) - float(after)) if numbers else 1.0  # type: ignore[arg-type]
        amount += size * distance
    return _Distance("sizes" if numbers else "characters", max(amount, 1e-9))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
