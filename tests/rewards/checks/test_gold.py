"""The check `gold_match`."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from tests.base_edits import move_box, retitle
from tests.each_case import each_case

from pptarena.errors import RubricError
from pptarena.rewards import ScoredNode, load_rubric, score

Edit = Callable[[Any, Any], None]


def move_halfway(lab: Any, deck: Any) -> None:
    lab.shape_named(deck, 5, "A").left = lab.inches(2.5)


def hide(lab: Any, deck: Any) -> None:
    deck.slides[5]._element.set("show", "0")


def damage(lab: Any, deck: Any) -> None:
    lab.shape_named(deck, 5, "B").left = lab.inches(8)


GOLD = (retitle, move_box)

# The check, its arguments, the edits, and the lowest and highest score.
CASES: list[tuple[str, dict[str, Any], tuple[Edit, ...], float, float]] = [
    ("gold_match", {}, (), 0, 0),
    ("gold_match", {}, (retitle, move_box), 1, 1),
    ("gold_match", {}, (retitle,), 0.5, 0.5),
    ("gold_match", {}, (move_halfway,), 0.24, 0.26),
    ("gold_match", {}, (retitle, move_halfway), 0.74, 0.76),
    ("gold_match", {}, (damage,), 0, 0),
    ("gold_match", {}, (retitle, move_box, damage), 0.9, 0.95),
    ("gold_match", {}, (retitle, move_box, hide, damage), 0.84, 0.86),
    ("gold_match", {"slide": 2}, (retitle,), 1, 1),
    ("gold_match", {"slide": 2}, (move_box,), 0, 0),
    ("gold_match", {"slide": 2}, (retitle, damage), 1, 1),
    ("gold_match", {"slides": [2, 5]}, (retitle,), 0.5, 0.5),
    ("gold_match", {"slide": 5, "shape": "A"}, (move_box,), 1, 1),
    ("gold_match", {"aspects": ["geometry"]}, (move_box,), 1, 1),
    ("gold_match", {"aspects": ["text"]}, (move_box,), 0, 0),
]


def scored(lab: Any, args: dict[str, Any], gold: Any, edits: tuple[Edit, ...]) -> ScoredNode:
    leaf = {"name": "leaf", "check": "gold_match", "args": args}
    rubric = load_rubric({"version": 1, "root": {"name": "root", "children": [leaf]}})
    current = edited(lab, edits) if edits else lab.original
    return score(rubric, lab.original, current, gold=gold).children[0]


def edited(lab: Any, edits: tuple[Edit, ...]) -> Any:
    def edit(deck: Any) -> None:
        for each in edits:
            each(lab, deck)

    return lab.edited(edit)


@pytest.fixture(scope="module")
def gold(lab: Any) -> Any:
    return edited(lab, GOLD)


@pytest.mark.slow
@each_case("case", CASES)
def test_score_is_the_share_of_the_gold_changes(lab: Any, gold: Any, case: Any) -> None:
    _, args, edits, low, high = case
    node = scored(lab, args, gold, edits)
    assert node.score is not None, node.reason
    assert low <= node.score <= high, f"{node.score}: {node.reason}"
    assert "\n" not in node.reason


def test_missing_gold_deck_is_unscored_and_explained(lab: Any) -> None:
    node = scored(lab, {}, None, (retitle,))
    assert node.score is None
    assert "there is no gold deck: pass gold to score" in node.reason


def test_slide_without_gold_changes_is_unscored(lab: Any, gold: Any) -> None:
    node = scored(lab, {"slide": 3}, gold, (retitle,))
    assert (node.score, node.reason) == (
        None, "unscored: the gold deck has no such changes"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({"slide": 1, "slides": [2]}, "at most one of slide, slides, slide_new"),
        ({"slide": 0}, "slide positions start at 1"),
        ({"slides": []}, "slide positions start at 1, and a list of slides must not be empty"),
        ({"shape": "A"}, "expected shape with slide or slides"),
        ({"slide": 1, "shape": "@nothing"}, "expected a name"),
        ({"aspects": ["colour"]}, "expected one of|colour"),
        ({"aspects": []}, "expected at least 1 items"),
    ],
)
def test_invalid_arguments_are_rejected(args: dict[str, Any], message: str) -> None:
    root = {"name": "root", "check": "gold_match", "args": args}
    with pytest.raises(RubricError, match=message):
        load_rubric({"version": 1, "root": root})


def test_reason_names_missing_changes(lab: Any, gold: Any) -> None:
    reason = scored(lab, {}, gold, (retitle,)).reason
    assert reason.startswith("1 of 2 changes of the gold deck are made; missing: slide 5: geometry")


def test_grouping_and_ungrouping_are_scored(rich: Any) -> None:
    def ungroup(deck: Any) -> None:
        group = rich.shape_named(deck, 1, "Pair")._element
        for member in list(group.iterchildren("{*}sp")):
            group.addprevious(deepcopy(member))
        group.getparent().remove(group)

    ungrouped = rich.edited(ungroup)
    root = {"name": "as the gold", "check": "gold_match"}
    rubric = load_rubric({"version": 1, "root": root})
    for original, goal in ((ungrouped, rich.original), (rich.original, ungrouped)):
        assert score(rubric, original, original, gold=goal).score == 0
        assert score(rubric, original, goal, gold=goal).score == 1
