"""What another turn asks for is no damage; a scope goes with slides and shapes that moved."""

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
from pptarena.rewards.scope.outside import changes_outside
from pptarena.rewards.scope.scope import Scope
from pptarena.rewards.scope.turns import carried_over, without_other_turns
from pptarena.tasks import get_task
from pptarena.tasks.goals.editing import delete_slide, edited, move_slide

Edit = Callable[[Any], None]


def made(*edits: Edit) -> Deck:
    return read_deck(edited(get_task("ledger-corrections").deck_bytes(), *edits))


@cache
def start() -> Deck:
    return made()


def left(now: Deck, *targets: Deck) -> list[str]:
    match = match_decks(start(), now)
    return [
        f"{change.slide} {change.kind}"
        for change in without_other_turns(changes_outside(match, Scope()), match, targets)
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
OTHER: dict[str, Edit] = {
    "a title": title(6, "Where the money was"),
    "hidden": hide(6),
    "notes": notes(10, "Nobody was corrected."),
    "a slide deleted": delete(8),
    "a shape deleted": remove(4, "Tile 2"),
    "a box": add_box(6, "Nobody can count this"),
}


@pytest.mark.slow
@each_case("name", WORK)
def test_what_another_turn_asks_for_is_left_out(name: str) -> None:
    now = made(WORK[name])
    assert left(now)
    assert left(now, made(hide(3)), made(WORK[name], notes(2, "More"))) == []


@pytest.mark.slow
@each_case("name", OTHER)
def test_what_is_done_otherwise_than_another_turn_asks_for_stays(name: str) -> None:
    assert left(made(OTHER[name]), made(WORK[name]))


@pytest.mark.slow
def test_what_was_spoilt_may_be_taken_back() -> None:
    spoilt = made(title(6, "Nobody can count this"))
    match = match_decks(spoilt, start())
    changes = changes_outside(match, Scope())
    assert changes
    assert without_other_turns(changes, match, [made(hide(3))]) == ()


def test_a_scope_goes_with_its_slides_and_shapes() -> None:
    def renamed(deck: Any) -> None:
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
    same = carried_over(scope, start(), made())
    assert (same.parts, same.free) == (scope.parts, scope.free)
    found = carried_over(scope, start(), made(renamed, delete(2)))
    assert [part.slides for part in found.parts] == [(3,), (9,), (), "all"]
    assert [part.slides for part in found.free] == [(4, 5)]
    now = made(renamed, delete(2))
    wanted = next(shape for shape in now.slides[2].shapes if shape.name == "Object 9")
    spec = (found.parts[0].shapes or ("",))[0]
    assert spec != "Tile 3"
    meant = find_shape(now.slides[2], spec)
    assert meant is not None
    assert meant.index == wanted.index


def test_a_slide_that_is_new_in_both_decks_keeps_its_number() -> None:
    def added(text: str) -> Edit:
        def edit(deck: Any) -> None:
            slide = deck.slides.add_slide(deck.slide_layouts[1])
            slide.shapes.title.text = text

        return edit

    count = len(start().slides) + 1
    scope = load_scope({"slides": [count], "aspects": ["text"]})
    reference, now = made(added("What we heard")), made(added("Feedback of the branches, 2026"))
    found = carried_over(scope, reference, now)
    assert [part.slides for part in found.parts] == [(count,)]
