"""Results of checks, and comparisons of actual with expected values."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from itertools import combinations
from typing import ParamSpec, TypeVar, overload

from pptarena.decks.diff.text import clip
from pptarena.decks.match.sequences import longest_increasing
from pptarena.decks.text_match import normalize_caseless
from pptarena.errors import PPTArenaError

__all__ = [
    "CheckResult",
    "NotThereError",
    "best_of",
    "join_first",
    "mean_of",
    "nearness",
    "pass_or_fail",
    "pluralize",
    "require",
    "score_absence",
    "score_distance",
    "score_equal",
    "score_near",
    "score_order",
    "score_removal",
    "score_sequence",
    "score_share",
    "with_note",
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


def require(value: T | None, missing: str) -> T:
    """Return a value that must exist.

    Raises:
        NotThereError: If it is None or empty, with `missing` as the message.
    """
    if not value:
        raise NotThereError(missing)
    return value


def pass_or_fail(passed: bool, yes: str, no: str) -> CheckResult:
    """Return score 1 with the reason `yes`, or score 0 with the reason `no`."""
    return CheckResult(1.0, yes) if passed else CheckResult(0.0, no)


def with_note(result: CheckResult, note: str) -> CheckResult:
    """Append a reason to a result below 1; an empty reason is ignored."""
    if result.score >= 1.0 or not note:
        return result
    return CheckResult(result.score, f"{result.reason}; {note}")


def best_of(results: Iterable[CheckResult]) -> CheckResult:
    """Return the first result with the highest score."""
    return max(results, key=lambda result: result.score)


def mean_of(results: Iterable[CheckResult | None], items: str) -> CheckResult:
    """Return the mean of results, with a reason that names those below 1.

    Args:
        results: The results; without any, the score is 0. None stands for a condition that is not
            requested.
        items: Plural noun for the scored items.
    """
    scored = [result for result in results if result is not None]
    if not scored:
        return CheckResult(0.0, f"there are no {items}")
    if len(scored) == 1:
        return scored[0]
    imperfect = [result for result in scored if result.score < 1.0]
    score = sum(result.score for result in scored) / len(scored)
    if not imperfect:
        return CheckResult(score, f"all {len(scored)} {items} are right")
    right, reasons = (
        len(scored) - len(imperfect),
        join_first([result.reason for result in imperfect]),
    )
    return CheckResult(score, f"{right} of {len(scored)} {items} are right; {reasons}")


def pluralize(number: float, noun: str) -> str:
    """Return a number with its noun: ``1 slide``, ``2 slides``, ``no slides``.

    Args:
        number: The number, at least 0.
        noun: The noun in the singular, with a regular plural.
    """
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def join_first(texts: Sequence[str], limit: int = 3) -> str:
    """Join up to `limit` texts with semicolons, followed by the number of the others."""
    rest = [f"and {len(texts) - limit} more"] if len(texts) > limit else []
    return "; ".join([*texts[:limit], *rest])


_INCH = 914_400
_CM = 360_000
_MAX_PARTIAL_ORDER = 0.9


@overload
def score_equal(subject: str, value: object, expected: None) -> None: ...
@overload
def score_equal(subject: str, value: object, expected: str | float) -> CheckResult: ...
def score_equal(subject: str, value: object, expected: str | float | None) -> CheckResult | None:
    """Score whether a value equals the expected one, ignoring case and whitespace in text.

    Args:
        subject: Subject of the reason, such as "the layout of slide 2".
        value: The current value.
        expected: The expected value; None to skip the comparison and return None.
    """
    if expected is None:
        return None
    right = value == expected
    if isinstance(value, str) and isinstance(expected, str):
        right = normalize_caseless(value) == normalize_caseless(expected)
    return _comparison_result(subject, value, expected, float(right))


@overload
def score_near(
    subject: str, value: float | None, expected: None, tolerance: float, scale: float = 0
) -> None: ...
@overload
def score_near(
    subject: str, value: float | None, expected: float, tolerance: float, scale: float = 0
) -> CheckResult: ...
def score_near(
    subject: str, value: float | None, expected: float | None, tolerance: float, scale: float = 0
) -> CheckResult | None:
    """Score how close a number is to the expected one, as `nearness` does; None scores 0."""
    if expected is None:
        return None
    score = 0.0 if value is None else nearness(value - expected, tolerance, scale)
    return _comparison_result(subject, value, expected, score)


def nearness(distance: float, tolerance: float, scale: float) -> float:
    """Return 1 within the tolerance, then decay hyperbolically: 0.5 at `scale` beyond it."""
    excess = abs(distance) - tolerance
    return 1.0 if excess <= 0 else scale / (scale + excess)


def score_distance(subject: str, distance_emu: float, tolerance_emu: float) -> CheckResult:
    """Score how close a distance is to zero."""
    score = nearness(distance_emu, tolerance_emu, _INCH)
    description = (
        "within the tolerance" if score == 1.0 else f"off by {format_length(distance_emu)}"
    )
    return CheckResult(score, f"{subject}: {description}")


def format_length(emu: float) -> str:
    """Return a length in the two units of task instructions: ``1.27 cm (0.50 in)``."""
    return f"{emu / _CM:.2f} cm ({emu / _INCH:.2f} in)"


def score_share(right: float, total: float, description: str) -> CheckResult:
    """Score a fraction; the reason reads "2 of 3" followed by `description`."""
    return CheckResult(right / total, f"{right:g} of {total:g} {description}")


def score_removal(remaining: int, before: int, noun: str, where: str) -> CheckResult:
    """Score the fraction of items removed, of the items that should all be removed.

    Args:
        remaining: Number of items in the current deck.
        before: Number of items in the original.
        noun: The item in the singular, with a regular plural.
        where: Label of the slide, shape or deck that contains the items.
    """
    score = max(0.0, 1 - remaining / max(before, remaining)) if remaining else 1.0
    verb = "is" if remaining == 1 else "are"
    return CheckResult(score, f"{pluralize(remaining, noun)} of {where} {verb} left")


def score_order(positions: Sequence[int | None], items: str) -> CheckResult:
    """Score the fraction of ordered pairs; a None place is ordered with no other."""
    pairs = list(combinations(positions, 2))
    right = sum(a is not None and b is not None and a < b for a, b in pairs)
    return score_share(right, len(pairs), f"pairs of {items} are in order")


def score_sequence(present: Sequence[T], expected: Sequence[T], items: str) -> CheckResult:
    """Score the fraction of a sequence that is present in order; extra members lower the score."""
    if list(present) == list(expected):
        return CheckResult(1.0, f"all {len(expected)} {items} are in order")
    positions = [list(present).index(each) for each in dict.fromkeys(expected) if each in present]
    right, total = len(longest_increasing(positions)), max(len(expected), len(present), 1)
    reason = f"{right} of {len(expected)} {items} are in order, {len(present)} in all"
    return CheckResult(min(_MAX_PARTIAL_ORDER, right / total), reason)


def score_absence(container: str, kind: str, name: str, names: Iterable[str]) -> CheckResult:
    """Score whether no item has a name, ignoring case."""
    return pass_or_fail(
        normalize_caseless(name) not in map(normalize_caseless, names),
        f"{container} has no {kind} {clip(name)}",
        f"{container} still has the {kind} {clip(name)}",
    )


def _comparison_result(subject: str, value: object, expected: object, score: float) -> CheckResult:
    correction = "" if score == 1.0 else f" instead of {_format_value(expected)}"
    return CheckResult(score, f"{subject} is {_format_value(value)}{correction}")


def _format_value(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, int):
        return str(value)
    return clip(str(value)) if value else "none"
