"""The check `python`; its runner is tested in ``tests/envs/programs``."""

from typing import Any

import pytest

from pptarena.envs.programs import PythonLeaf, Verdict
from pptarena.errors import LeafError, RubricError
from pptarena.rewards import load_rubric, score
from pptarena.rewards.scoring import ScoredNode


class StubRunner:
    """A runner that returns the same verdict for every leaf."""

    def __init__(self, verdict: Verdict | Exception) -> None:
        self.verdict = verdict
        self.leaves: list[PythonLeaf] = []

    def run_leaf(self, leaf: PythonLeaf) -> Verdict:
        self.leaves.append(leaf)
        if isinstance(self.verdict, Exception):
            raise self.verdict
        return self.verdict


def _score(lab: Any, runner: StubRunner | None, **args: Any) -> ScoredNode:
    leaf = {"name": "leaf", "check": "python", "args": {"code": "x = 1", **args}}
    return score(
        load_rubric({"version": 1, "root": leaf}), lab.original, lab.original, leaves=runner
    )


@pytest.mark.parametrize("value", [0.0, 0.25, 1.0])
def test_score_is_the_verdict_of_the_program(lab: Any, value: float) -> None:
    # An imported leaf is not measured as progress from the original.
    runner = StubRunner(Verdict(value, "because"))
    node = _score(lab, runner, pictures=True)
    assert (node.score, node.reason) == (value, "because")
    assert runner.leaves == [PythonLeaf("x = 1", pictures=True)]


def test_missing_runner_is_unscored(lab: Any) -> None:
    node = _score(lab, None)
    assert node.score is None
    assert "pass leaves=PythonLeaves(...) to score" in node.reason


@pytest.mark.parametrize(
    ("verdict", "reason"),
    [
        (Verdict(1.5, "x"), "the leaf gave 1.5"),
        (Verdict(-0.1, "x"), "the leaf gave -0.1"),
        (Verdict(float("nan"), "x"), "the leaf gave nan"),
        (LeafError("it failed"), "it failed"),
    ],
)
def test_invalid_verdicts_are_unscored(lab: Any, verdict: Any, reason: str) -> None:
    node = _score(lab, StubRunner(verdict))
    assert node.score is None
    assert reason in node.reason


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({"code": " "}, "root/args/code: expected non-empty code"),
        ({"code": 1}, "root/args/code: expected str"),
        ({"pictures": 1}, "root/args/pictures: expected bool"),
    ],
)
def test_arguments_are_checked(lab: Any, args: dict[str, Any], message: str) -> None:
    with pytest.raises(RubricError, match=message):
        _score(lab, None, **args)
