"""What a check finds."""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["CheckResult", "mean_of", "verdict"]

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


def mean_of(results: Sequence[CheckResult], what: str) -> CheckResult:
    """Return the mean of several results and a reason that names what falls short.

    Args:
        results: At least one.
        what: What there are several of, in the plural.
    """
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
