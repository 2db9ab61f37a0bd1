"""Result of a check: a score and its reason."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import ParamSpec, TypeVar

from pptarena.errors import PPTArenaError

__all__ = [
    "CheckResult",
    "NotThereError",
    "best_of",
    "counted",
    "listed",
    "mean_of",
    "needed",
    "noted",
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
