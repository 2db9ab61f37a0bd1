"""The check that runs a Python leaf of an imported rubric."""

from dataclasses import dataclass

from pptarena.errors import UnscoredError
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult
from pptarena.rewards.checks.view import View
from pptarena.rewards.leaf_protocol import PythonLeaf


@dataclass(frozen=True, kw_only=True)
class PythonArgs:
    """A program that scores.

    Attributes:
        code: Python source that defines ``compute_score() -> (reason, score)``.
        pictures: Whether it is given pictures of the slides.
    """

    code: str
    pictures: bool = False

    def __post_init__(self) -> None:
        if not self.code.strip():
            raise ValueError("expected code that is not empty")


# No goal check: imported leaves score as published, on the deck as it is now.
@check("python", is_goal=False)
def python(view: View, args: PythonArgs) -> CheckResult:
    """Measure by a program of the rubric; the score is what it says."""
    if view.leaves is None:
        raise UnscoredError(
            "Python leaves are run only on request: give score(..., leaves=PythonLeaves(...))"
        )
    verdict = view.leaves.run_leaf(PythonLeaf(args.code, args.pictures))
    if not 0.0 <= verdict.score <= 1.0:
        raise UnscoredError(f"the leaf gave {verdict.score}, expected a score from 0 to 1")
    return CheckResult(float(verdict.score), verdict.reason)
