"""Imported rubrics, scored in one call."""

from functools import partial
from typing import Any

import pytest

from pptarena.envs.programs.runner import PythonLeaves
from pptarena.rewards import Rubric, ScoredNode, load_rubric
from pptarena.tasks.scorer import Scorer, Services

pytestmark = pytest.mark.slow

TITLE = """
from pptx import Presentation
title = Presentation(modified_ppt_path).slides[1].shapes.title.text
if title == "Plan":
    return "the second slide is called Plan", 1.0
return f"the second slide is called {title}", 0.0
"""
NO_OTHER_CHANGE = """
others = [now for _, now in ppt_diff.modified_slides if now.slide_number != 2]
if others or ppt_diff.added_slides or ppt_diff.removed_slides:
    return "something else changed", 0.0
return "nothing else changed", 1.0
"""


def _leaf(name: str, body: str, *, critical: bool = True) -> dict[str, Any]:
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    code = f"def compute_score():\n{lines}"
    return {"name": name, "critical": critical, "check": "python", "args": {"code": code}}


def _rubric(*children: dict[str, Any]) -> Any:
    return load_rubric({"version": 1, "root": {"name": "root", "children": list(children)}})


RUBRIC = _rubric(_leaf("title", TITLE), _leaf("rest", NO_OTHER_CHANGE, critical=False))


def _edited(lab: Any, *titles: tuple[int, str]) -> bytes:
    def edit(deck: Any) -> None:
        for number, title in titles:
            deck.slides[number].shapes.title.text = title

    data: bytes = lab.edited_bytes(edit)
    return data


def score_imported(
    rubric: Rubric, original: bytes, current: bytes, *, zero: bool = False, quirks: bool = False
) -> ScoredNode:
    programs = partial(PythonLeaves, quirks=quirks)
    services = Services(programs=programs, zero_on_leaf_error=zero)
    return Scorer(None, services, original=original, rubric=rubric).score(current)


@pytest.mark.parametrize(
    ("titles", "expected"),
    [((), 0.0), (((1, "Plan"),), 1.0), (((1, "Plan"), (2, "Other")), 0.7), (((2, "Other"),), 0.0)],
)
def test_rubric_of_python_leaves(lab: Any, titles: Any, expected: float) -> None:
    tree = score_imported(RUBRIC, lab.base, _edited(lab, *titles))
    assert tree.score == pytest.approx(expected)
    assert all(child.reason for child in tree.children)


@pytest.mark.parametrize("body", ["1 / 0", "return 'x', 2", "import os; os._exit(0)"])
def test_failing_leaf(lab: Any, body: str) -> None:
    rubric = _rubric(_leaf("title", TITLE), _leaf("bad", body, critical=False))
    data = _edited(lab, (1, "Plan"))
    tree = score_imported(rubric, lab.base, data)
    assert (tree.score, tree.children[1].score, tree.judged_share) == (1.0, None, 0.5)
    zero = score_imported(rubric, lab.base, data, zero=True)
    assert (zero.score, zero.children) == (0.0, tree.children)
    assert zero.reason.startswith("verification error: the leaf failed: ")


def test_missing_model_is_unscored_even_with_zero_on_leaf_error(lab: Any) -> None:
    for body in ("return llm_call('?'), 1", "return vlm_call('?', []), 1"):
        rubric = _rubric(_leaf("asks", body))
        tree = score_imported(rubric, lab.base, lab.base, zero=True)
        assert tree.score is None


def test_missing_bubblewrap_is_unscored(
    lab: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for zero in (False, True):
        tree = score_imported(RUBRIC, lab.base, lab.base, zero=zero)
        assert tree.score is None
        assert "bubblewrap is missing" in tree.children[0].reason


def test_quirks_of_the_diff_are_optional(lab: Any) -> None:
    def move(deck: Any) -> None:
        lab.move_slide(deck, 5, 0)

    rubric = _rubric(_leaf("moved", "return 'x', float(len(ppt_diff.modified_slides) == 1)"))
    data = lab.edited_bytes(move)
    assert score_imported(rubric, lab.base, data).score == 1
    assert score_imported(rubric, lab.base, data, quirks=True).score == 0


def test_scores_are_reproducible(lab: Any) -> None:
    data = _edited(lab, (1, "Plan"))
    assert score_imported(RUBRIC, lab.base, data) == score_imported(RUBRIC, lab.base, data)
