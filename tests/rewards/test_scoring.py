import dataclasses
import json
from typing import Any

import pytest

from pptarena.rewards import load_rubric, score
from pptarena.rewards.scoring import ScoredNode


def _leaf(name: str, *, critical: bool = True, ok: bool | None = True) -> dict[str, Any]:
    """Return a leaf that is fulfilled by the original, or is not, or cannot be judged."""
    slide = 99 if ok is None else 1
    text = "Annual report" if ok else "zzz"
    args = {"slide": slide, "text": text}
    return {"name": name, "critical": critical, "check": "title_is", "args": args}


def _scored(lab: Any, *children: dict[str, Any], strategy: str = "weighted") -> ScoredNode:
    root = {"name": "root", "children": list(children)}
    rubric = load_rubric({"version": 1, "strategy": strategy, "root": root})
    return score(rubric, lab.original, lab.original)


def test_unscored_leaves_are_left_out_of_the_mean(lab: Any) -> None:
    node = _scored(lab, _leaf("a"), _leaf("b", ok=None))
    assert node.score == 1
    assert node.reason.startswith("1 of 2 parts were scored")
    assert node.children[1].score is None


def test_parent_of_unscored_leaves_is_unscored(lab: Any) -> None:
    node = _scored(lab, _leaf("a", ok=None), _leaf("b", ok=None, critical=False))
    assert node.score is None
    assert "none of its 2 parts" in node.reason


def test_parent_with_unscored_critical_children_is_unscored(lab: Any) -> None:
    # The others may be "nothing else changed", which an untouched deck fulfills.
    node = _scored(
        lab, _leaf("a", ok=None), _leaf("b", critical=False), _leaf("c", ok=False, critical=False)
    )
    assert node.score is None
    assert node.reason.startswith("unscored: its score depends on 'a'")
    assert node.judged_share == pytest.approx(2 / 3)


def test_strategy_applies_on_every_level(lab: Any) -> None:
    children = _leaf("a"), _leaf("b", ok=False), _leaf("c", critical=False)
    assert _scored(lab, *children).score == 0.5
    assert _scored(lab, *children, strategy="ai_rubric_gate").score == 0
    assert _scored(lab, *children, strategy="mind2web2_gate").score == 0
    inner = {"name": "inner", "children": [_leaf("a"), _leaf("b", ok=False)], "critical": False}
    assert _scored(lab, inner).score == 0.5
    assert _scored(lab, inner, strategy="mind2web2_gate").score == 0


def test_gate_with_unscored_critical_child_is_unscored(lab: Any) -> None:
    children = _leaf("a"), _leaf("b", ok=None), _leaf("c", critical=False)
    for strategy in ("ai_rubric_gate", "mind2web2_gate"):
        node = _scored(lab, *children, strategy=strategy)
        assert node.score is None
        assert "depends on 'b'" in node.reason
        assert _scored(lab, *children, _leaf("d", ok=False), strategy=strategy).score == 0


def test_every_node_has_a_reason_and_parents_name_failing_children(lab: Any) -> None:
    node = _scored(lab, _leaf("good"), _leaf("bad", ok=False))
    assert node.score == 0.5
    assert "1 of 2 parts are fulfilled" in node.reason
    assert "bad (0.00)" in node.reason
    assert all(child.reason for child in node.children)
    data = json.loads(json.dumps(node.to_json()))
    assert set(data) == {"name", "critical", "score", "reason", "children"}
    assert data["children"][0]["check"] == "title_is"
    assert data["score"] == 0.5


def test_scoring_changes_neither_deck_nor_result(lab: Any) -> None:
    current = lab.edited(lambda deck: lab.delete_slide(deck, 2))
    rubric = load_rubric({"version": 1, "root": _leaf("a", ok=False)})
    before = repr(dataclasses.astuple(current.slides[0].transition)), current.slides
    assert score(rubric, lab.original, current) == score(rubric, lab.original, current)
    assert (repr(dataclasses.astuple(current.slides[0].transition)), current.slides) == before


def test_progress_is_measured_from_the_original(lab: Any) -> None:
    def edit(deck: Any) -> None:
        deck.slides[0].shapes.title.text = "Annual plan"

    args = {"slide": 1, "text": "Annual plan of Acme"}
    rubric = load_rubric({"version": 1, "root": {"name": "a", "check": "title_is", "args": args}})
    assert score(rubric, lab.original, lab.original).score == 0
    node = score(rubric, lab.original, lab.edited(edit))
    before, now = 0.9 * 2 / 6, 0.9 * 4 / 6
    assert node.score == pytest.approx((now - before) / (1 - before))
    assert "progress counts" in node.reason
