"""What a check finds."""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["CheckResult", "gone", "mean_of", "noted", "verdict"]

_MAX_NAMED = 3


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check finds.

    Attributes:
        score: In [0, 1].
        reason: Why, in one sentence without a full stop.
    """

    score: float
    reason: str


def verdict(passed: bool, yes: str, no: str) -> CheckResult:
    """Return full score with the reason `yes`, or none with the reason `no`."""
    return CheckResult(1.0, yes) if passed else CheckResult(0.0, no)


def gone(label: str) -> CheckResult:
    """Return the result for a slide or shape that is not there."""
    return CheckResult(0.0, f"{label} is not there")


def noted(found: CheckResult, why: str) -> CheckResult:
    """Return a result that falls short with one more reason, perhaps an empty one."""
    if found.score >= 1.0 or not why:
        return found
    return CheckResult(found.score, f"{found.reason}; {why}")


def mean_of(results: Sequence[CheckResult], what: str) -> CheckResult:
    """Return the mean of several results and a reason that names what falls short.

    Args:
        results: Perhaps none, which scores 0.
        what: What there are several of, in the plural.
    """
    if not results:
        return CheckResult(0.0, f"there are no {what}")
    if len(results) == 1:
        return results[0]
    short = [result for result in results if result.score < 1.0]
    value = sum(result.score for result in results) / len(results)
    if not short:
        return CheckResult(value, f"all {len(results)} {what} are right")
    named = "; ".join(result.reason for result in short[:_MAX_NAMED])
    more = f"; and {len(short) - _MAX_NAMED} more" if len(short) > _MAX_NAMED else ""
    right = len(results) - len(short)
    return CheckResult(value, f"{right} of {len(results)} {what} are right; {named}{more}")
