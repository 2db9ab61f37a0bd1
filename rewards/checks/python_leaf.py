"""The check that runs a Python leaf of an imported rubric."""

from pptarena.errors import UnscoredError
from pptarena.rewards.checking.arguments import Code
from pptarena.rewards.checking.registry import deck_check
from pptarena.rewards.checking.result import CheckResult
from pptarena.rewards.checking.view import View
from pptarena.rewards.judges.protocol import PythonLeaf


# No goal check: imported leaves score as published, on the deck as it is now.
@deck_check(is_goal=False)
def python(view: View, code: Code, pictures: bool = False) -> CheckResult:
    """Measure with a program of the rubric, which returns the score.

    The code defines `compute_score()`, which returns a reason and a score from 0 to 1. It may
    import modules and define other functions first.

    Args:
        pictures: Whether the program receives pictures of the slides.
    """
    if view.leaves is None:
        raise UnscoredError(
            "Python leaves are run only on request: give score(..., leaves=PythonLeaves(...))"
        )
    verdict = view.leaves.run_leaf(PythonLeaf(code, pictures))
    if not 0.0 <= verdict.score <= 1.0:
        raise UnscoredError(f"the leaf gave {verdict.score}, expected a score from 0 to 1")
    return CheckResult(float(verdict.score), verdict.reason)
