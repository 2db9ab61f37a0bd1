"""Verdicts of turns and sessions."""

from collections.abc import Callable

import pytest

from pptarena.benchmarks.pptc.pptx_match import (
    MatchResult,
    PositionRelation,
    accuracy,
    match_session,
    match_turn,
)
from pptarena.decks import Deck

MakeDeck = Callable[[str], Deck]

LEFT = PositionRelation(0, "star", "slide", "left")
RIGHT = PositionRelation(0, "star", "slide", "right")
TOP = PositionRelation(0, "cloud", "slide", "top")


def test_content_and_relations_must_match(make_deck: MakeDeck) -> None:
    label = make_deck("insert_star();align_slide_left()")
    assert match_turn(label, label, [LEFT]).verdict == "match"
    moved = match_turn(make_deck("insert_star();align_slide_right()"), label, [LEFT])
    assert (moved.verdict, moved.mode) == ("mismatch", "turn")
    assert moved.reasons == ("the star is not at the left of slide 0",)
    other = match_turn(
        make_deck("insert_star();align_slide_left();rotate_element(9)"), label, [LEFT]
    )
    assert other.reasons == ("slide 0, Star 0: rotation: expected '0', found '9'",)


def test_other_position_with_same_relation_matches(make_deck: MakeDeck) -> None:
    label = make_deck("insert_star();align_slide_left()")
    other = make_deck("insert_star();align_top_left_corner()")
    assert match_turn(other, label, [LEFT]).matched
    assert not match_turn(other, label, [LEFT], strict=True).matched


@pytest.mark.parametrize("calls", ["align_slide_left()", "align_slide_right()"])
def test_relation_that_label_violates_is_unjudged(make_deck: MakeDeck, calls: str) -> None:
    label = make_deck("insert_star();align_slide_right()")
    result = match_turn(make_deck(f"insert_star();{calls}"), label, [LEFT])
    assert (result.verdict, result.matched) == ("unjudged", False)
    assert result.reasons == ("the label violates it too: the star is not at the left of slide 0",)
    with_quirks = match_turn(make_deck(f"insert_star();{calls}"), label, [LEFT], quirks=True)
    assert with_quirks.matched == (calls == "align_slide_left()")


def test_mismatch_outweighs_unjudged_relation(make_deck: MakeDeck) -> None:
    label = make_deck("insert_star();align_slide_right()")
    assert match_turn(make_deck(""), label, [LEFT]).verdict == "mismatch"


def test_later_turn_overrides_position_in_session(make_deck: MakeDeck) -> None:
    calls = "insert_cloud();align_slide_top();insert_star();align_slide_right()"
    label = make_deck(calls)
    turns = [[TOP], [LEFT], [], [RIGHT]]
    result = match_session(label, label, turns)
    assert (result.verdict, result.mode) == ("match", "session")
    assert [outcome.relation for outcome in result.relations] == [TOP, RIGHT]
    assert not match_session(label, label, turns, quirks=True).matched
    other = make_deck(calls + ";align_slide_left()")
    assert match_session(other, label, turns).verdict == "mismatch"
    assert not match_session(make_deck(calls + ";insert_star()"), label, turns).matched


def test_relations_of_one_turn_are_all_checked(make_deck: MakeDeck) -> None:
    label = make_deck("insert_star();align_top_left_corner()")
    both = [[LEFT, PositionRelation(0, "star", "slide", "top")]]
    assert len(match_session(label, label, both).relations) == 2


def test_accuracy_excludes_unjudged_results(make_deck: MakeDeck) -> None:
    star, empty = make_deck("insert_star();align_slide_right()"), make_deck("")
    results = [
        match_turn(star, star),
        match_turn(empty, star),
        match_turn(star, star, [LEFT]),
    ]
    assert accuracy(results) == 0.5
    assert accuracy(results[2:]) is None
    assert accuracy([]) is None


def test_result_without_mismatches_is_a_match() -> None:
    assert MatchResult("turn", (), ()).matched
