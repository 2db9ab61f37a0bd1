"""A model's words for the reasons of parents."""

import json
from typing import Any

import pytest

from pptarena.errors import JudgeError
from pptarena.rewards.judges import explain
from pptarena.rewards.scored import ScoredNode

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
PLACES = ("root", "root/children/1")


def _answer(*places: str) -> str:
    return json.dumps({"reasons": [{"place": p, "reason": f"words for {p}"} for p in places]})


def test_parents_get_the_models_words_and_nothing_else_changes(
    server: Any, make_client: Any
) -> None:
    server.script = [_answer(*PLACES)]
    told = explain(make_client(), "Make the title bold", TREE)
    assert [node.reason for _, node in told.walk()] == [
        "words for root",
        "all letters are bold",
        "words for root/children/1",
        "not judged",
    ]
    assert [node.score for _, node in told.walk()] == [node.score for _, node in TREE.walk()]
    asked = str(server.requests[0]["messages"])
    assert "Make the title bold" in asked
    assert "all letters are bold" in asked


@pytest.mark.slow
@pytest.mark.parametrize("places", [("root",), (*PLACES, "root"), ("root", "elsewhere")])
def test_an_answer_for_other_places_goes_back_and_is_never_half_used(
    server: Any, make_client: Any, places: tuple[str, ...]
) -> None:
    server.script = [_answer(*places), _answer(*PLACES)]
    assert explain(make_client(), "Do it", TREE).reason == "words for root"
    server.default = _answer(*places)
    with pytest.raises(JudgeError, match="no valid answer"):
        explain(make_client(cache=False), "Do it", TREE)


def test_a_single_leaf_needs_no_model(server: Any, make_client: Any) -> None:
    leaf = TREE.children[0]
    assert explain(make_client(), "Do it", leaf) is leaf
    assert server.requests == []
