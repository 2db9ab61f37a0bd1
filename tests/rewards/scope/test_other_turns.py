"""Work of other turns is not damage, and scopes follow slides and shapes that moved."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from tests.each_case import each_case
from tests.slide_edits import set_notes, set_title, shape_named, slide_at

from pptarena.decks import Deck
from pptarena.decks.match.decks import match_decks
from pptarena.decks.selectors import find_shape
from pptarena.rewards import load_scope, read_deck
from pptarena.rewards.scope.out_of_scope import out_of_scope_changes
from pptarena.rewards.scope.scope import Scope
from pptarena.rewards.scope.turns import carried_over, without_other_turns
from pptarena.tasks import get_task
from pptarena.tasks.goals.editing import delete_slide, edit_deck, move_slide

pytestmark = pytest.mark.slow

Edit = Callable[[Any], None]


def edited(*edits: Edit) -> Deck:
    return read_deck(edit_deck(get_task("ledger-corrections").deck_bytes(), *edits))


@cache
def start() -> Deck:
    return edited()


def remaining_changes(current: Deck, *targets: Deck) -> list[str]:
    match = match_decks(start(), current)
    return [
        f"{change.slide} {change.kind}"
        for change in without_other_turns(out_of_scope_changes(match, Scope()), match, targets)
    ]


def hide(number: int) -> Edit:
    return lambda deck: slide_at(deck, number)._element.set("show", "0")


def title(number: int, text: str) -> Edit:
    return lambda deck: set_title(deck, number, text)


def notes(number: int, text: str) -> Edit:
    return lambda deck: set_notes(deck, number, text)


def delete(number: int) -> Edit:
    return lambda deck: delete_slide(deck, number)


def remove(number: int, name: str) -> Edit:
    def edit(deck: Any) -> None:
        element = shape_named(deck, number, name)._element
        element.getparent().remove(element)

    return edit


def add_box(number: int, text: str) -> Edit:
    def edit(deck: Any) -> None:
        box = slide_at(deck, number).shapes.add_textbox(0, 0, 3_000_000, 600_000)
        box.text_frame.text = text

    return edit


WORK: dict[str, Edit] = {
    "a title": title(6, "Where the money is"),
    "hidden": hide(5),
    "notes": notes(10, "Erlen was corrected."),
    "a slide deleted": delete(7),
    "a slide moved": lambda deck: move_slide(deck, 9, 3),
    "a shape deleted": remove(4, "Tile 3"),
    "a box": add_box(6, "As of October"),
}
DIFFERENT_WORK: dict[str, Edit] = {
    "a title": title(6, "Where the money was"),
    "hidden": hide(6),
    "notes": notes(10, "Nobody was corrected."),
    "a slide deleted": delete(8),
    "a shape deleted": remove(4, "Tile 2"),
    "a box": add_box(6, "Nobody can count this"),
}


@each_case("name", WORK)
def test_work_of_another_turn_is_no_damage(name: str) -> None:
    current = edited(WORK[name])
    assert remaining_changes(current)
    assert remaining_changes(current, edited(hide(3)), edited(WORK[name], notes(2, "More"))) == []


@each_case("name", DIFFERENT_WORK)
def test_work_that_differs_from_another_turn_is_damage(name: str) -> None:
    assert remaining_changes(edited(DIFFERENT_WORK[name]), edited(WORK[name]))


def test_earlier_damage_may_be_undone() -> None:
    damaged = edited(title(6, "Nobody can count this"))
    match = match_decks(damaged, start())
    changes = out_of_scope_changes(match, Scope())
    assert changes
    assert without_other_turns(changes, match, [edited(hide(3))]) == ()


def test_scope_follows_its_slides_and_shapes() -> None:
    def rename(deck: Any) -> None:
        shape_named(deck, 4, "Tile 3").name = "Object 9"

    scope = load_scope(
        {
            "parts": [
                {"slides": [4], "aspects": ["text"], "shapes": ["Tile 3"]},
                {"slides": [10], "aspects": ["notes"]},
                {"slides": [2], "aspects": ["notes"]},
                {"slides": "all", "aspects": ["master"]},
            ],
            "free": [{"slides": [5, 6], "aspects": ["text"]}],
        }
    )
    unmoved = carried_over(scope, start(), edited())
    assert (unmoved.parts, unmoved.free) == (scope.parts, scope.free)
    scope_now = carried_over(scope, start(), edited(rename, delete(2)))
    assert [part.slides for part in scope_now.parts] == [(3,), (9,), (), "all"]
    assert [part.slides for part in scope_now.free] == [(4, 5)]
    current = edited(rename, delete(2))
    expected = next(shape for shape in current.slides[2].shapes if shape.name == "Object 9")
    spec = (scope_now.parts[0].shapes or ("",))[0]
    assert spec != "Tile 3"
    shape = find_shape(current.slides[2], spec)
    assert shape is not None
    assert shape.index == expected.index


def test_slide_new_in_both_decks_keeps_its_number() -> None:
    def add(text: str) -> Edit:
        def edit(deck: Any) -> None:
            slide = deck.slides.add_slide(deck.slide_layouts[1])
            slide.shapes.title.text = text

        return edit

    count = len(start().slides) + 1
    scope = load_scope({"slides": [count], "aspects": ["text"]})
    reference, current = edited(add("What we heard")), edited(add("Feedback of the branches, 2026"))
    carried = carried_over(scope, reference, current)
    assert [part.slides for part in carried.parts] == [(count,)]
