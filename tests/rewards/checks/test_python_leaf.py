"""The check; what runs its programs is tested in ``tests/envs/programs``."""

from typing import Any

import pytest

from pptarena.envs.programs import PythonLeaf, Verdict
from pptarena.errors import LeafError, RubricError
from pptarena.rewards import load_rubric, score
from pptarena.rewards.scoring import ScoredNode


class Recited:
    """A runner that says the same of every leaf."""

    def __init__(self, verdict: Verdict | Exception) -> None:
        self.verdict = verdict
        self.seen: list[PythonLeaf] = []

    def run_leaf(self, leaf: PythonLeaf) -> Verdict:
        self.seen.append(leaf)
        if isinstance(self.verdict, Exception):
            raise self.verdict
        return self.verdict


def _score(lab: Any, runner: Recited | None, **args: Any) -> ScoredNode:
    leaf = {"name": "leaf", "check": "python", "args": {"code": "x = 1", **args}}
    return score(
        load_rubric({"version": 1, "root": leaf}), lab.original, lab.original, leaves=runner
    )


@pytest.mark.parametrize("value", [0.0, 0.25, 1.0])
def test_the_score_is_what_the_program_says(lab: Any, value: float) -> None:
    # Of the original too: an imported leaf is no goal check.
    runner = Recited(Verdict(value, "because"))
    node = _score(lab, runner, pictures=True)
    assert (node.score, node.reason) == (value, "because")
    assert runner.seen == [PythonLeaf("x = 1", pictures=True)]


def test_without_a_runner_it_is_unjudged(lab: Any) -> None:
    node = _score(lab, None)
    assert node.score is None
    assert "score(..., leaves=PythonLeaves(...))" in node.reason


@pytest.mark.parametrize(
    ("verdict", "reason"),
    [
        (Verdict(1.5, "x"), "the leaf gave 1.5"),
        (Verdict(-0.1, "x"), "the leaf gave -0.1"),
        (Verdict(float("nan"), "x"), "the leaf gave nan"),
        (LeafError("it failed"), "it failed"),
    ],
)
def test_anything_else_is_unjudged(lab: Any, verdict: Any, reason: str) -> None:
    node = _score(lab, Recited(verdict))
    assert node.score is None
    assert reason in node.reason


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({"code": " "}, "root/args/code: expected code that is not empty"),
        ({"code": 1}, "root/args/code: expected str"),
        ({"pictures": 1}, "root/args/pictures: expected bool"),
    ],
)
def test_arguments_are_checked(lab: Any, args: dict[str, Any], message: str) -> None:
    with pytest.raises(RubricError, match=message):
        _score(lab, None, **args)
