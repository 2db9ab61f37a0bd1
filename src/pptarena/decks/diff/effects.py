"""Compare visual effects of shapes; saving rounds their parameters repeatedly."""

import math
from typing import Final

from pptarena.decks import Effect
from pptarena.decks.match.values import same_color

__all__ = ["same_effects"]

_LENGTHS: Final = frozenset(("blur", "radius"))
_LENGTH_TOLERANCE_PT: Final = 0.4
_PERCENT_TOLERANCE: Final = 1.5
_TURN_TOLERANCE_DEG: Final = 1.0
_SHIFT: Final = ("distance", "direction")


def same_effects(first: tuple[Effect, ...], second: tuple[Effect, ...]) -> bool:
    """Return whether two sequences of effects look the same, in any order."""
    left = list(second)
    for effect in first:
        found = next((other for other in left if _same(effect, other)), None)
        if found is None:
            return False
        left.remove(found)
    return not left


def _same(first: Effect, second: Effect) -> bool:
    if first.kind != second.kind or not same_color(first.color, second.color):
        return False
    if first.detail != second.detail:
        return False
    old, new = dict(first.measures), dict(second.measures)
    # The offset is compared as a vector, so the direction of a short one may differ by degrees.
    if math.dist(_shift(old), _shift(new)) > _LENGTH_TOLERANCE_PT:
        return False
    names = (old.keys() | new.keys()) - set(_SHIFT)
    return all(_near(name, old.get(name), new.get(name)) for name in names)


def _near(name: str, first: float | None, second: float | None) -> bool:
    if first is None or second is None:
        # Zero lengths and angles are omitted.
        return name in _LENGTHS and (first or second or 0.0) <= _LENGTH_TOLERANCE_PT
    if name in _LENGTHS:
        return abs(first - second) <= _LENGTH_TOLERANCE_PT
    turned = "direction" in name or "skew" in name
    return abs(first - second) <= (_TURN_TOLERANCE_DEG if turned else _PERCENT_TOLERANCE)


def _shift(measures: dict[str, float]) -> tuple[float, float]:
    away, angle = measures.get("distance", 0.0), math.radians(measures.get("direction", 0.0))
    return away * math.cos(angle), away * math.sin(angle)
