"""Leaves that cannot be earned, and leaves that an unchanged deck earns, are found."""

from dataclasses import replace
from typing import Any

import pytest
from tests.slide_edits import slide_at

from pptarena.rewards import load_rubric, load_scope, read_deck
from pptarena.tasks import get_task, list_tasks
from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.goals import goal_deck
from pptarena.tasks.goals.editing import edited
from pptarena.tasks.quality.proofs import LeafProof, judge_leaves, prove_leaves


def retitled(deck: Any) -> None:
    slide_at(deck, 7).shapes.title.text = "Tents are now our largest line"


def proofs(*leaves: dict[str, Any]) -> tuple[LeafProof, ...]:
    """Return the proofs of leaves on a deck whose slide 7 gets another title."""
    rubric = load_rubric({"version": 1, "root": {"name": "all", "children": list(leaves)}})
    file = read_deck_file("meridian")
    scope = load_scope({"slides": [7], "aspects": ["text"], "shapes": ["@title"]})
    return judge_leaves(rubric, scope, read_deck(file), read_deck(edited(file, retitled)))


def leaf(name: str, check: str, *, critical: bool = True, **args: Any) -> dict[str, Any]:
    return {"name": name, "critical": critical, "check": check, "args": args}


RIGHT = leaf("right", "title_is", slide=7, text="Tents are now our largest line")


@pytest.mark.slow
def test_a_leaf_that_is_earned_by_the_goal_alone_is_right() -> None:
    found = proofs(RIGHT, leaf("kept", "nothing_else_changed", critical=False))
    assert [each.verdict for each in found] == ["ok", "ok"]
    assert [(each.on_original, each.on_goal) for each in found] == [(0, 1), (1, 1)]
    assert [each.place for each in found] == ["root/children/0", "root/children/1"]


@pytest.mark.parametrize(
    "dead",
    [
        leaf("wrong words", "title_is", slide=7, text="Tents are our largest line"),
        leaf("no such shape", "shape_text_is", slide=7, shape="Nobody", text="x"),
        leaf("no such slide", "title_is", slide=99, text="x"),
        leaf("no gold", "gold_match"),
        leaf("not critical", "shape_deleted", slide=7, shape="@title", critical=False),
    ],
    ids=lambda each: str(each["name"]),
)
def test_a_leaf_that_falls_short_on_the_goal_is_dead(dead: dict[str, Any]) -> None:
    right, found = proofs(RIGHT, dead)
    assert right.verdict == "ok"
    assert (found.verdict, found.ok) == ("dead", False)
    assert found.reason


def test_a_critical_leaf_that_the_original_has_is_idle() -> None:
    found = proofs(RIGHT, leaf("there already", "shapes_inside_slide", slide=7))
    assert [(each.verdict, each.critical) for each in found] == [("ok", True), ("idle", True)]


def test_a_leaf_below_a_parent_that_is_not_critical_is_not_idle() -> None:
    inner = {"name": "in", "critical": False,
             "children": [leaf("there already", "shapes_inside_slide", slide=7)]}  # fmt: skip
    found = proofs(RIGHT, inner)[1]
    assert (found.verdict, found.critical) == ("ok", False)


def test_a_leaf_for_a_model_is_open() -> None:
    found = proofs(RIGHT, leaf("asked", "judge", slide=7, question="Is it so?"))[1]
    assert (found.verdict, found.ok, found.on_goal) == ("open", True, None)


@pytest.mark.slow
def test_the_leaves_of_every_turn_are_looked_at() -> None:
    proofs = prove_leaves(get_task("ledger-corrections"))
    assert proofs is not None
    assert {proof.place.partition("root")[0] for proof in proofs} == {"", "turn 2/", "turn 3/"}
    assert [proof for proof in proofs if not proof.ok] == []


def test_a_task_without_a_known_goal_has_no_proof() -> None:
    assert prove_leaves(replace(list_tasks("all#first-steps")[0], id="mine", solution=())) is None


def test_a_tasks_own_gold_comes_before_a_registered_goal() -> None:
    task = get_task("meridian-hide-backup")
    own, other = (replace(task, gold=gold) for gold in (goal_deck(task), "meridian"))
    assert [each.verdict for each in prove_leaves(own) or ()] == ["ok", "ok"]
    assert [each.verdict for each in prove_leaves(other) or ()] == ["dead", "ok"]


def test_a_leaf_that_saving_loses_is_unsaved() -> None:
    task = get_task("meridian-hide-backup")
    found = prove_leaves(task, lambda decks: [decks[0]] * len(decks)) or ()
    assert [each.verdict for each in found] == ["unsaved", "ok"]
    assert "once the application has saved it" in found[0].reason
