"""Ways to compare what is there with what is asked for, each with a reason that says both."""

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
    """Measure whether a value is the wanted one; in text, letter case and spacing do not count.

    Args:
        what: What has the value, for the reason, such as "the layout of slide 2".
        value: The value now.
        wanted: The value asked for; None if none is, and then there is no result.
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
    """Measure how near a number is to the wanted one, as `nearness` does; no number is far off."""
    if wanted is None:
        return None
    score = 0.0 if value is None else nearness(value - wanted, tolerance, scale)
    return _stated(what, value, wanted, score)


def nearness(distance: float, tolerance: float, scale: float) -> float:
    """Return 1 within the tolerance, then less and less: one half at `scale` beyond it."""
    excess = abs(distance) - tolerance
    return 1.0 if excess <= 0 else scale / (scale + excess)


def off_by(
    what: str, away_emu: float, tolerance_emu: float, scale_emu: float = _INCH
) -> CheckResult:
    """Measure how small a distance is that should be none."""
    score = nearness(away_emu, tolerance_emu, scale_emu)
    away = "within the tolerance" if score == 1.0 else f"off by {length(away_emu)}"
    return CheckResult(score, f"{what}: {away}")


def length(emu: float) -> str:
    """Return a length as text, in both units that task instructions use: ``1.27 cm (0.50 in)``."""
    return f"{emu / _CM:.2f} cm ({emu / _INCH:.2f} in)"


def share(right: float, total: float, what: str) -> CheckResult:
    """Measure a share; the reason goes on with `what` after "2 of 3"."""
    return CheckResult(right / total, f"{right:g} of {total:g} {what}")


def none_left(left: int, before: int, noun: str, where: str) -> CheckResult:
    """Measure the share of things that were removed, of those that should all be removed.

    Args:
        left: Their number now.
        before: Their number in the original.
        noun: The thing in the singular, with a regular plural.
        where: The label of the slide, shape or deck that has them.
    """
    score = max(0.0, 1 - left / max(before, left)) if left else 1.0
    verb = "is" if left == 1 else "are"
    return CheckResult(score, f"{counted(left, noun)} of {where} {verb} left")


def in_order(places: Sequence[int | None], what: str) -> CheckResult:
    """Measure the share of pairs that are in order; a place of None is in order with no other."""
    pairs = list(combinations(places, 2))
    right = sum(a is not None and b is not None and a < b for a, b in pairs)
    return share(right, len(pairs), f"pairs of {what} are in order")


def same_sequence(present: Sequence[T], wanted: Sequence[T], what: str) -> CheckResult:
    """Measure the share of a sequence that is there in order; extra members cost."""
    if list(present) == list(wanted):
        return CheckResult(1.0, f"all {len(wanted)} {what} are in order")
    places = [list(present).index(each) for each in dict.fromkeys(wanted) if each in present]
    right, total = len(longest_increasing(places)), max(len(wanted), len(present), 1)
    reason = f"{right} of {len(wanted)} {what} are in order, {len(present)} in all"
    return CheckResult(min(_NOT_ALL_IN_ORDER, right / total), reason)


def lacks(where: str, kind: str, name: str, names: Iterable[str]) -> CheckResult:
    """Measure whether something of a name is not among others; letter case does not count."""
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
