"""Unrequested changes count by their number, relative to the size of the work."""

from collections.abc import Callable
from typing import Any

import pytest

from pptarena.decks.match.decks import match_decks
from pptarena.rewards import Deck
from pptarena.rewards.scope.out_of_scope import out_of_scope_changes
from pptarena.rewards.scope.prices import share_of_work
from pptarena.rewards.scope.scope import load_scope

Edit = Callable[[Any], None]


def share_of_edits(lab: Any, *edits: Edit, target: Edit | None = None) -> float:
    def all_edits(deck: Any) -> None:
        for edit in edits:
            edit(deck)

    match = match_decks(lab.original, lab.edited(all_edits))
    goal: tuple[Deck, ...] = () if target is None else (lab.edited(target),)
    return share_of_work(match, out_of_scope_changes(match, load_scope({})), goal)


def retitle(number: int) -> Edit:
    def edit(deck: Any) -> None:
        deck.slides[number - 1].shapes.title.text = f"Another title {number}"

    return edit


def hide(*numbers: int) -> Edit:
    def edit(deck: Any) -> None:
        for number in numbers:
            deck.slides[number - 1]._element.set("show", "0")

    return edit


@pytest.mark.slow
def test_each_further_change_costs_more(lab: Any) -> None:
    target = retitle(2)
    shares = [
        share_of_edits(lab, *map(retitle, range(3, end)), target=target) for end in (3, 4, 5, 6)
    ]
    assert shares[0] == 1
    assert shares[1] == pytest.approx(2 / (2 + 0.45))
    assert shares[2] == pytest.approx(2 / (2 + 1.5**1.5))
    assert shares[3] < 0.4


def test_repeated_edit_costs_less_than_different_edits(lab: Any) -> None:
    same = share_of_edits(lab, hide(3, 4, 5), target=retitle(2))
    different = share_of_edits(lab, retitle(3), retitle(4), retitle(5), target=retitle(2))
    assert different < same < share_of_edits(lab, hide(3), target=retitle(2))


def test_larger_tasks_tolerate_more_changes(lab: Any) -> None:
    def two_titles(deck: Any) -> None:
        retitle(1)(deck)
        retitle(2)(deck)

    extra = (retitle(3), retitle(4))
    assert share_of_edits(lab, *extra, target=two_titles) > share_of_edits(
        lab, *extra, target=retitle(2)
    )


def test_unnoticeable_changes_are_free(lab: Any) -> None:
    def rename(deck: Any) -> None:
        for number, slide in enumerate(deck.slides):
            for shape in slide.shapes:
                shape.name = f"Shape {number}"

    assert share_of_edits(lab, rename, target=retitle(2)) == 1


def test_changes_are_free_without_a_target(lab: Any) -> None:
    assert share_of_edits(lab, retitle(2), retitle(3), retitle(4)) == 1
