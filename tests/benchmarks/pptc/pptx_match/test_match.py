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


def test_content_and_relations_must_both_hold(make_deck: MakeDeck) -> None:
    label = make_deck("insert_star();align_slide_left()")
    assert match_turn(label, label, [LEFT]).verdict == "match"
    moved = match_turn(make_deck("insert_star();align_slide_right()"), label, [LEFT])
    assert (moved.verdict, moved.mode) == ("mismatch", "turn")
    assert moved.reasons == ("the star is not at the left of slide 0",)
    other = match_turn(
        make_deck("insert_star();align_slide_left();rotate_element(9)"), label, [LEFT]
    )
    assert other.reasons == ("slide 0, Star 0: rotation: expected '0', found '9'",)


def test_another_place_that_keeps_the_relation_matches(make_deck: MakeDeck) -> None:
    label = make_deck("insert_star();align_slide_left()")
    found = make_deck("insert_star();align_top_left_corner()")
    assert match_turn(found, label, [LEFT]).matched
    assert not match_turn(found, label, [LEFT], strict=True).matched


@pytest.mark.parametrize("calls", ["align_slide_left()", "align_slide_right()"])
def test_a_relation_that_the_label_breaks_is_unjudged(make_deck: MakeDeck, calls: str) -> None:
    label = make_deck("insert_star();align_slide_right()")
    result = match_turn(make_deck(f"insert_star();{calls}"), label, [LEFT])
    assert (result.verdict, result.matched) == ("unjudged", False)
    assert result.reasons == ("so it is in the label: the star is not at the left of slide 0",)
    quirky = match_turn(make_deck(f"insert_star();{calls}"), label, [LEFT], quirks=True)
    assert quirky.matched == (calls == "align_slide_left()")


def test_a_mismatch_outweighs_what_is_unjudged(make_deck: MakeDeck) -> None:
    label = make_deck("insert_star();align_slide_right()")
    assert match_turn(make_deck(""), label, [LEFT]).verdict == "mismatch"


def test_in_a_session_a_later_place_takes_over(make_deck: MakeDeck) -> None:
    calls = "insert_cloud();align_slide_top();insert_star();align_slide_right()"
    label = make_deck(calls)
    turns = [[TOP], [LEFT], [], [RIGHT]]
    result = match_session(label, label, turns)
    assert (result.verdict, result.mode) == ("match", "session")
    assert [outcome.relation for outcome in result.relations] == [TOP, RIGHT]
    assert not match_session(label, label, turns, quirks=True).matched
    found = make_deck(calls + ";align_slide_left()")
    assert match_session(found, label, turns).verdict == "mismatch"
    assert not match_session(make_deck(calls + ";insert_star()"), label, turns).matched


def test_relations_of_one_turn_hold_together(make_deck: MakeDeck) -> None:
    label = make_deck("insert_star();align_top_left_corner()")
    both = [[LEFT, PositionRelation(0, "star", "slide", "top")]]
    assert len(match_session(label, label, both).relations) == 2


def test_accuracy_leaves_out_what_is_unjudged(make_deck: MakeDeck) -> None:
    star, none = make_deck("insert_star();align_slide_right()"), make_deck("")
    results = [
        match_turn(star, star),
        match_turn(none, star),
        match_turn(star, star, [LEFT]),
    ]
    assert accuracy(results) == 0.5
    assert accuracy(results[2:]) is None
    assert accuracy([]) is None


def test_nothing_wrong_is_a_match() -> None:
    assert MatchResult("turn", (), ()).matched
