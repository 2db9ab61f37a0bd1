import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pptarena.rewards import load_rubric, score
from pptarena.rewards.scored import LAMBDA, combine
from pptarena.rewards.scoring import ScoredNode

SCORES = st.lists(st.floats(0, 1), max_size=6)


def _leaf(name: str, *, critical: bool = True, ok: bool | None = True) -> dict[str, Any]:
    """Return a leaf that is fulfilled by the original, or is not, or cannot be judged."""
    slide = 99 if ok is None else 1
    text = "Annual report" if ok else "zzz"
    args = {"slide": slide, "text": text}
    return {"name": name, "critical": critical, "check": "title_is", "args": args}


def weighted(critical: list[float], other: list[float]) -> float:
    found = combine("weighted", [*((True, s) for s in critical), *((False, s) for s in other)])
    assert found is not None
    return found


def _scored(lab: Any, *children: dict[str, Any]) -> ScoredNode:
    rubric = load_rubric({"version": 1, "root": {"name": "root", "children": list(children)}})
    return score(rubric, lab.original, lab.original)


@given(SCORES, SCORES)
def test_a_parents_score_is_bounded(critical: list[float], other: list[float]) -> None:
    if not critical and not other:
        with pytest.raises(ValueError, match="at least one"):
            weighted(critical, other)
        return
    value = weighted(critical, other)
    assert 0 <= value <= 1 + 1e-9
    if critical and other:
        mean = sum(critical) / len(critical)
        assert value <= mean + 1e-9
        assert value >= mean - LAMBDA - 1e-9


@pytest.mark.slow
@given(SCORES.filter(bool), SCORES, st.integers(0, 5), st.floats(0, 1))
def test_a_better_child_is_never_worse(
    critical: list[float], other: list[float], which: int, better: float
) -> None:
    raised = list(critical)
    raised[which % len(raised)] = max(raised[which % len(raised)], better)
    assert weighted(raised, other) >= weighted(critical, other) - 1e-9
    if other:
        finer = list(other)
        finer[which % len(finer)] = max(finer[which % len(finer)], better)
        assert weighted(critical, finer) >= weighted(critical, other) - 1e-9


@pytest.mark.parametrize(
    ("critical", "other", "expected"),
    [
        ([1.0], [1.0], 1.0),
        ([1.0], [0.0], 0.7),
        ([0.0], [1.0], 0.0),
        ([0.2], [0.0], 0.0),
        ([1.0, 0.0], [0.5], 0.35),
        ([1.0, 0.5], [], 0.75),
        ([], [1.0, 0.0], 0.5),
    ],
)
def test_the_formula_of_the_paper(
    critical: list[float], other: list[float], expected: float
) -> None:
    assert weighted(critical, other) == pytest.approx(expected)


def test_what_cannot_be_judged_is_left_out(lab: Any) -> None:
    node = _scored(lab, _leaf("a"), _leaf("b", ok=None))
    assert node.score == 1
    assert node.reason.startswith("1 of 2 parts were judged")
    assert node.children[1].score is None


def test_nothing_judged_is_no_score(lab: Any) -> None:
    node = _scored(lab, _leaf("a", ok=None), _leaf("b", ok=None, critical=False))
    assert node.score is None
    assert "none of its 2 parts" in node.reason


def test_a_parent_whose_critical_children_cannot_be_judged_is_unjudged(lab: Any) -> None:
    # The others may be "nothing else changed": of an untouched deck they would pay in full.
    node = _scored(
        lab, _leaf("a", ok=None), _leaf("b", critical=False), _leaf("c", ok=False, critical=False)
    )
    assert node.score is None
    assert node.reason.startswith("not judged: its score depends on 'a'")
    assert node.judged_share == pytest.approx(2 / 3)


def _gated(lab: Any, strategy: str, *children: dict[str, Any], **more: Any) -> ScoredNode:
    root = {"name": "root", "children": list(children), **more}
    rubric = load_rubric({"version": 1, "strategy": strategy, "root": root})
    return score(rubric, lab.original, lab.original)


def test_the_strategy_of_a_rubric_counts(lab: Any) -> None:
    children = _leaf("a"), _leaf("b", ok=False), _leaf("c", critical=False)
    assert _gated(lab, "weighted", *children).score == 0.5
    assert _gated(lab, "ai_rubric_gate", *children).score == 0
    assert _gated(lab, "mind2web2_gate", *children).score == 0


def test_the_strategy_counts_on_every_level(lab: Any) -> None:
    inner = {"name": "inner", "children": [_leaf("a"), _leaf("b", ok=False)], "critical": False}
    assert _gated(lab, "weighted", inner).score == 0.5
    assert _gated(lab, "mind2web2_gate", inner).score == 0


def test_an_unjudged_critical_child_leaves_a_gate_unjudged(lab: Any) -> None:
    children = _leaf("a"), _leaf("b", ok=None), _leaf("c", critical=False)
    for strategy in ("ai_rubric_gate", "mind2web2_gate"):
        node = _gated(lab, strategy, *children)
        assert node.score is None
        assert "depends on 'b'" in node.reason
        closed = _gated(lab, strategy, *children, _leaf("d", ok=False))
        assert closed.score == 0


def test_every_node_has_a_reason_and_parents_name_what_falls_short(lab: Any) -> None:
    node = _scored(lab, _leaf("good"), _leaf("bad", ok=False))
    assert node.score == 0.5
    assert "1 of 2 parts are fulfilled" in node.reason
    assert "bad (0.00)" in node.reason
    assert all(child.reason for child in node.children)


def test_the_tree_goes_to_json(lab: Any) -> None:
    data = json.loads(json.dumps(_scored(lab, _leaf("a"), _leaf("b", ok=False)).to_json()))
    assert set(data) == {"name", "critical", "score", "reason", "children"}
    assert data["children"][0]["check"] == "title_is"
    assert data["score"] == 0.5


def test_scoring_is_pure(lab: Any) -> None:
    current = lab.edited(lambda deck: lab.delete_slide(deck, 2))
    rubric = load_rubric({"version": 1, "root": _leaf("a", ok=False)})
    before = repr(dataclasses.astuple(current.slides[0].transition)), current.slides
    assert score(rubric, lab.original, current) == score(rubric, lab.original, current)
    assert (repr(dataclasses.astuple(current.slides[0].transition)), current.slides) == before


def test_progress_counts_from_the_original(lab: Any) -> None:
    def edit(deck: Any) -> None:
        deck.slides[0].shapes.title.text = "Annual plan"

    args = {"slide": 1, "text": "Annual plan of Acme"}
    rubric = load_rubric({"version": 1, "root": {"name": "a", "check": "title_is", "args": args}})
    assert score(rubric, lab.original, lab.original).score == 0
    node = score(rubric, lab.original, lab.edited(edit))
    before, now = 0.9 * 2 / 6, 0.9 * 4 / 6
    assert node.score == pytest.approx((now - before) / (1 - before))
    assert "progress counts" in node.reason
