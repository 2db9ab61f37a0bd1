"""Reasons of parent nodes written by a model."""

import json
from typing import Any

import pytest

from pptarena.errors import JudgeError
from pptarena.rewards.judges import explain
from pptarena.rewards.scored_tree import ScoredNode

TREE = ScoredNode(
    "deck prepared",
    True,
    0.35,
    "1 of 2 parts are fulfilled",
    (
        ScoredNode("title is bold", True, 1.0, "all letters are bold", check="run_format"),
        ScoredNode(
            "the rest",
            False,
            None,
            "none could be judged",
            (ScoredNode("looks fine", False, None, "not judged", check="visual_judge"),),
        ),
    ),
)
LOCATIONS = ("root", "root/children/1")


def _answer(*locations: str) -> str:
    return json.dumps({"reasons": [{"place": p, "reason": f"words for {p}"} for p in locations]})


def test_only_reasons_of_parents_are_rewritten(server: Any, make_client: Any) -> None:
    server.script = [_answer(*LOCATIONS)]
    explained = explain(make_client(), "Make the title bold", TREE)
    assert [node.reason for _, node in explained.walk()] == [
        "words for root",
        "all letters are bold",
        "words for root/children/1",
        "not judged",
    ]
    assert [node.score for _, node in explained.walk()] == [node.score for _, node in TREE.walk()]
    prompt = str(server.requests[0]["messages"])
    assert "Make the title bold" in prompt
    assert "all letters are bold" in prompt


@pytest.mark.slow
@pytest.mark.parametrize("locations", [("root",), (*LOCATIONS, "root"), ("root", "elsewhere")])
def test_answer_for_other_nodes_is_sent_back_and_never_used_in_part(
    server: Any, make_client: Any, locations: tuple[str, ...]
) -> None:
    server.script = [_answer(*locations), _answer(*LOCATIONS)]
    assert explain(make_client(), "Do it", TREE).reason == "words for root"
    server.default = _answer(*locations)
    with pytest.raises(JudgeError, match="no valid answer"):
        explain(make_client(cache=False), "Do it", TREE)


def test_single_leaf_needs_no_model(server: Any, make_client: Any) -> None:
    leaf = TREE.children[0]
    assert explain(make_client(), "Do it", leaf) is leaf
    assert server.requests == []
