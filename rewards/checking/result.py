"""Results of checks, and comparisons of actual with expected values."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from itertools import combinations
from typing import ParamSpec, TypeVar, overload

from pptarena.decks.diff.text import clip
from pptarena.decks.match.sequences import longest_increasing
from pptarena.decks.text_match import folded
from pptarena.errors import PPTArenaError

__all__ = [
    "CheckResult",
    "NotThereError",
    "best_of",
    "counted",
    "in_order",
    "lacks",
    "listed",
    "mean_of",
    "near",
    "nearness",
    "needed",
    "none_left",
    "noted",
    "off_by",
    "same",
    "same_sequence",
    "share",
    "verdict",
    "zero_if_missing",
]


T = TypeVar("T")
P = ParamSpec("P")


class NotThereError(PPTArenaError):
    """The subject of a check is missing: the check scores 0, with the message as its reason."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of a check.

    Attributes:
        score: In [0, 1].
        reason: Explanation in one sentence, without a final period.
    """

    score: float
    reason: str


def zero_if_missing(measure: Callable[P, CheckResult]) -> Callable[P, CheckResult]:
    """Decorate a scoring function to return score 0 if it raises NotThereError."""

    @wraps(measure)
    def measure_or_zero(*args: P.args, **kwargs: P.kwargs) -> CheckResult:
        try:
            return measure(*args, **kwargs)
        except NotThereError as missing:
            return CheckResult(0.0, str(missing))

    return measure_or_zero


def needed(value: T | None, missing: str) -> T:
    """Return a value that must exist.

    Raises:
        NotThereError: If it is None or empty, with `missing` as the message.
    """
    if not value:
        raise NotThereError(missing)
    return value


def verdict(passed: bool, yes: str, no: str) -> CheckResult:
    """Return score 1 with the reason `yes`, or score 0 with the reason `no`."""
    return CheckResult(1.0, yes) if passed else CheckResult(0.0, no)


def noted(result: CheckResult, why: str) -> CheckResult:
    """Append a reason to a result below 1; an empty reason is ignored."""
    if result.score >= 1.0 or not why:
        return result
    return CheckResult(result.score, f"{result.reason}; {why}")


def best_of(results: Iterable[CheckResult]) -> CheckResult:
    """Return the first result with the highest score."""
    return max(results, key=lambda result: result.score)


def mean_of(several: Iterable[CheckResult | None], what: str) -> CheckResult:
    """Return the mean of results, with a reason that names those below 1.

    Args:
        several: The results. Without any the score is 0. None stands for a condition that is not
            requested.
        what: Plural noun for the scored items.
    """
    results = [result for result in several if result is not None]
    if not results:
        return CheckResult(0.0, f"there are no {what}")
    if len(results) == 1:
        return results[0]
    short = [result for result in results if result.score < 1.0]
    score = sum(result.score for result in results) / len(results)
    if not short:
        return CheckResult(score, f"all {len(results)} {what} are right")
    right, named = len(results) - len(short), listed([result.reason for result in short])
    return CheckResult(score, f"{right} of {len(results)} {what} are right; {named}")


def counted(number: float, noun: str) -> str:
    """Return a number with its noun: ``1 slide``, ``2 slides``, ``no slides``.

    Args:
        number: The number, at least 0.
        noun: The noun in the singular, with a regular plural.
    """
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def listed(texts: Sequence[str], most: int = 3) -> str:
    """Join up to `most` texts with semicolons, followed by the number of the others."""
    more = [f"and {len(texts) - most} more"] if len(texts) > most else []
    return "; ".join([*texts[:most], *more])


_INCH = 914_400
_CM = 360_000
_NOT_ALL_IN_ORDER = 0.9


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


def off_by(what: str, away_emu: float, tolerance_emu: float) -> CheckResult:
    """Score how close a distance is to zero."""
    score = nearness(away_emu, tolerance_emu, _INCH)
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
