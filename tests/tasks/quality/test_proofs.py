"""Proofs find leaves that cannot be earned and leaves that an unchanged deck earns."""

from dataclasses import replace
from typing import Any

import pytest
from tests.slide_edits import slide_at

from pptarena.rewards import load_rubric, load_scope, read_deck
from pptarena.tasks import get_task, list_tasks
from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.goals import goal_deck
from pptarena.tasks.goals.editing import edit_deck
from pptarena.tasks.quality.proofs import LeafProof, judge_leaves, prove_leaves


def retitled(deck: Any) -> None:
    slide_at(deck, 7).shapes.title.text = "Tents are now our largest line"


def proofs(*leaves: dict[str, Any]) -> tuple[LeafProof, ...]:
    """Return proofs of the leaves, with a target that changes the title of slide 7."""
    rubric = load_rubric({"version": 1, "root": {"name": "all", "children": list(leaves)}})
    file = read_deck_file("meridian")
    scope = load_scope({"slides": [7], "aspects": ["text"], "shapes": ["@title"]})
    return judge_leaves(rubric, scope, read_deck(file), read_deck(edit_deck(file, retitled)))


def leaf(name: str, check: str, *, critical: bool = True, **args: Any) -> dict[str, Any]:
    return {"name": name, "critical": critical, "check": check, "args": args}


CORRECT = leaf("right", "title_is", slide=7, text="Tents are now our largest line")


@pytest.mark.slow
def test_leaf_earned_only_by_the_goal_is_ok() -> None:
    results = proofs(CORRECT, leaf("kept", "nothing_else_changed", critical=False))
    assert [result.verdict for result in results] == ["ok", "ok"]
    assert [(result.on_original, result.on_goal) for result in results] == [(0, 1), (1, 1)]
    assert [result.place for result in results] == ["root/children/0", "root/children/1"]


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
def test_leaf_not_earned_by_the_goal_is_dead(dead: dict[str, Any]) -> None:
    correct, result = proofs(CORRECT, dead)
    assert correct.verdict == "ok"
    assert (result.verdict, result.ok) == ("dead", False)
    assert result.reason


def test_critical_leaf_fulfilled_by_the_original_is_idle() -> None:
    results = proofs(CORRECT, leaf("there already", "shapes_inside_slide", slide=7))
    assert [(result.verdict, result.critical) for result in results] == [
        ("ok", True),
        ("idle", True),
    ]


def test_leaf_of_a_noncritical_parent_is_not_idle() -> None:
    inner = {"name": "in", "critical": False,
             "children": [leaf("there already", "shapes_inside_slide", slide=7)]}  # fmt: skip
    result = proofs(CORRECT, inner)[1]
    assert (result.verdict, result.critical) == ("ok", False)


def test_leaf_for_a_judge_is_open() -> None:
    result = proofs(CORRECT, leaf("asked", "judge", slide=7, question="Is it so?"))[1]
    assert (result.verdict, result.ok, result.on_goal) == ("open", True, None)


@pytest.mark.slow
def test_leaves_of_every_turn_are_proven() -> None:
    results = prove_leaves(get_task("ledger-corrections"))
    assert results is not None
    assert {proof.place.partition("root")[0] for proof in results} == {"", "turn 2/", "turn 3/"}
    assert [proof for proof in results if not proof.ok] == []


def test_task_without_a_goal_has_no_proof() -> None:
    assert prove_leaves(replace(list_tasks("all#first-steps")[0], id="mine", solution=())) is None


def test_gold_deck_takes_precedence_over_the_solution() -> None:
    task = get_task("meridian-hide-backup")
    own, unchanged = (replace(task, gold=gold) for gold in (goal_deck(task), "meridian"))
    assert [each.verdict for each in prove_leaves(own) or ()] == ["ok", "ok"]
    assert [each.verdict for each in prove_leaves(unchanged) or ()] == ["dead", "ok"]


def test_leaf_lost_by_saving_is_unsaved() -> None:
    task = get_task("meridian-hide-backup")
    results = prove_leaves(task, lambda decks: [decks[0]] * len(decks)) or ()
    assert [result.verdict for result in results] == ["unsaved", "ok"]
    assert "once the application has saved it" in results[0].reason
