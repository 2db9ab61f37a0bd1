"""Comparisons of actual with expected values; each reason names both."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TypeVar, overload

from pptarena.decks.diff.text import clip
from pptarena.decks.match.assignment import longest_increasing
from pptarena.decks.text_match import folded
from pptarena.rewards.checking.result import CheckResult, counted, verdict

__all__ = [
    "in_order",
    "lacks",
    "length",
    "near",
    "nearness",
    "none_left",
    "off_by",
    "same",
    "same_sequence",
    "share",
]

_INCH = 914_400
_CM = 360_000
_NOT_ALL_IN_ORDER = 0.9

T = TypeVar("T")


@overload
def same(what: str, value: object, wanted: None) -> None: ...
@overload
def same(what: str, value: object, wanted: str | float) -> CheckResult: ...
def same(what: str, value: object, wanted: str | float | None) -> CheckResult | None:
    """Score whether a value equals the expected one, ignoring case and whitespace in text.

    Args:
        what: Subject of the reason, such as "the layout of slide 2".
        value: The current value.
        wanted: The expected value; None to skip the comparison and return None.
    """
    if wanted is None:
        return None
    right = value == wanted
    if isinstance(value, str) and isinstance(wanted, str):
        right = folded(value) == folded(wanted)
    return _stated(what, value, wanted, float(right))


@overload
def near(
    what: str, value: float | None, wanted: None, tolerance: float, scale: float = 0
) -> None: ...
@overload
def near(
    what: str, value: float | None, wanted: float, tolerance: float, scale: float = 0
) -> CheckResult: ...
def near(
    what: str, value: float | None, wanted: float | None, tolerance: float, scale: float = 0
) -> CheckResult | None:
    """Score how close a number is to the expected one, as `nearness` does; None scores 0."""
    if wanted is None:
        return None
    score = 0.0 if value is None else nearness(value - wanted, tolerance, scale)
    return _stated(what, value, wanted, score)


def nearness(distance: float, tolerance: float, scale: float) -> float:
    """Return 1 within the tolerance, then decay hyperbolically: 0.5 at `scale` beyond it."""
    excess = abs(distance) - tolerance
    return 1.0 if excess <= 0 else scale / (scale + excess)


def off_by(
    what: str, away_emu: float, tolerance_emu: float, scale_emu: float = _INCH
) -> CheckResult:
    """Score how close a distance is to zero."""
    score = nearness(away_emu, tolerance_emu, scale_emu)
    away = "within the tolerance" if score == 1.0 else f"off by {length(away_emu)}"
    return CheckResult(score, f"{what}: {away}")


def length(emu: float) -> str:
    """Return a length in the two units of task instructions: ``1.27 cm (0.50 in)``."""
    return f"{emu / _CM:.2f} cm ({emu / _INCH:.2f} in)"


def share(right: float, total: float, what: str) -> CheckResult:
    """Score a fraction; the reason reads "2 of 3" followed by `what`."""
    return CheckResult(right / total, f"{right:g} of {total:g} {what}")


def none_left(left: int, before: int, noun: str, where: str) -> CheckResult:
    """Score the fraction of items removed, of the items that should all be removed.

    Args:
        left: Number of items in the current deck.
        before: Number of items in the original.
        noun: The item in the singular, with a regular plural.
        where: Label of the slide, shape or deck that contains the items.
    """
    score = max(0.0, 1 - left / max(before, left)) if left else 1.0
    verb = "is" if left == 1 else "are"
    return CheckResult(score, f"{counted(left, noun)} of {where} {verb} left")


def in_order(places: Sequence[int | None], what: str) -> CheckResult:
    """Score the fraction of ordered pairs; a None place is ordered with no other."""
    pairs = list(combinations(places, 2))
    right = sum(a is not None and b is not None and a < b for a, b in pairs)
    return share(right, len(pairs), f"pairs of {what} are in order")


def same_sequence(present: Sequence[T], wanted: Sequence[T], what: str) -> CheckResult:
    """Score the fraction of a sequence that is present in order; extra members lower the score."""
    if list(present) == list(wanted):
        return CheckResult(1.0, f"all {len(wanted)} {what} are in order")
    places = [list(present).index(each) for each in dict.fromkeys(wanted) if each in present]
    right, total = len(longest_increasing(places)), max(len(wanted), len(present), 1)
    reason = f"{right} of {len(wanted)} {what} are in order, {len(present)} in all"
    return CheckResult(min(_NOT_ALL_IN_ORDER, right / total), reason)


def lacks(where: str, kind: str, name: str, names: Iterable[str]) -> CheckResult:
    """Score whether no item has a name, ignoring case."""
    return verdict(
        folded(name) not in map(folded, names),
        f"{where} has no {kind} {clip(name)}",
        f"{where} still has the {kind} {clip(name)}",
    )


def _stated(what: str, value: object, wanted: object, score: float) -> CheckResult:
    instead = "" if score == 1.0 else f" instead of {_shown(wanted)}"
    return CheckResult(score, f"{what} is {_shown(value)}{instead}")


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, int):
        return str(value)
    return clip(str(value)) if value else "none"
