"""Scopes of several parts, and conditions finer than an aspect of a shape."""

from collections.abc import Callable
from typing import Any

import pytest

from pptarena.decks.match.decks import match_decks
from pptarena.errors import RubricError
from pptarena.rewards import load_scope
from pptarena.rewards.scope.outside import changes_outside

Edit = Callable[[Any], object]


def outside(lab: Any, edit: Edit, *parts: dict[str, Any]) -> list[str]:
    """Return the aspects of what lies outside."""
    match = match_decks(lab.original, lab.edited(edit))
    return [c.aspect for c in changes_outside(match, load_scope({"parts": list(parts)}))]


def title(deck: Any) -> None:
    deck.slides[1].shapes.title.text = "New"


def body(deck: Any) -> None:
    deck.slides[1].placeholders[1].text = "Other text"


def both(deck: Any) -> None:
    title(deck)
    body(deck)


TITLE = {"slides": [2], "aspects": ["text"], "shapes": ["@title"]}
BODY = {"slides": [2], "aspects": ["text"], "shapes": ["@body"]}


def test_a_change_is_inside_if_it_is_in_any_part(lab: Any) -> None:
    assert outside(lab, both, TITLE, BODY) == []
    assert outside(lab, both, TITLE) == ["text"]
    # Conditions of different parts do not add up to one.
    assert outside(lab, title, {**TITLE, "slides": [3]}, {**BODY, "aspects": ["notes"]}) == ["text"]


def table(row: int, column: int) -> Edit:
    def edit(deck: Any) -> None:
        deck.slides[2].shapes[1].table.cell(row - 1, column - 1).text = "99"

    return edit


def test_only_these_cells(lab: Any) -> None:
    part = {"slides": [3], "aspects": ["tables"], "cells": [[2, 2], [3, 3]]}
    assert outside(lab, table(2, 2), part) == []
    assert outside(lab, table(3, 3), part) == []
    assert outside(lab, table(2, 3), part) == ["tables"]


def test_a_table_may_grow_but_not_move(lab: Any) -> None:
    part = {"slides": [3], "aspects": ["tables"], "shapes": ["@table"]}

    def grow(deck: Any) -> None:
        table(2, 2)(deck)
        deck.slides[2].shapes[1].height += lab.inches(1)

    def drag(deck: Any) -> None:
        table(2, 2)(deck)
        deck.slides[2].shapes[1].top -= lab.inches(0.5)

    assert outside(lab, grow, part) == []
    assert outside(lab, drag, part) == ["geometry"]


def replaced(old: str, new: str, count: int = -1) -> Edit:
    def edit(deck: Any) -> None:
        for paragraph in deck.slides[1].placeholders[1].text_frame.paragraphs:
            for run in paragraph.runs:
                run.text = run.text.replace(old, new, count)

    return edit


def test_only_these_words_for_those(lab: Any) -> None:
    part = {"slides": "all", "aspects": ["text", "notes"], "words": [["Acme", "Bcme"]]}
    assert outside(lab, replaced("Acme", "Bcme"), part) == []
    assert outside(lab, replaced("Acme", "Bcmd"), part) == ["text"]
    assert outside(lab, replaced("Outlook", "Look"), part) == ["text"]
    assert outside(lab, body, part) == ["text"]


@pytest.mark.parametrize(("said", "rest"), [("Say thanks to Bcme", []), ("Say Bcme", ["notes"])])
def test_words_of_notes(lab: Any, said: str, rest: list[str]) -> None:
    def edit(deck: Any) -> None:
        deck.slides[5].notes_slide.notes_text_frame.text = said

    part = {"slides": "all", "aspects": ["notes"], "words": [["Acme", "Bcme"]]}
    assert outside(lab, edit, part) == rest


def look(words: str, **properties: bool) -> Edit:
    """Split the first run of the body so that only some words look different."""

    def edit(deck: Any) -> None:
        paragraph = deck.slides[1].placeholders[1].text_frame.paragraphs[0]
        before, _, after = paragraph.runs[0].text.partition(words)
        paragraph.runs[0].text = before
        for index, text in enumerate((words, after)):
            run = paragraph.add_run()
            run.text = text
            for name, value in properties.items() if index == 0 else ():
                setattr(run.font, name, value)

    return edit


def test_only_these_letters_and_properties(lab: Any) -> None:
    part = {
        "slides": [2],
        "aspects": ["formatting"],
        "letters": "Acme",
        "properties": ["bold", "italic"],
    }
    assert outside(lab, look("Acme", bold=True, italic=True), part) == []
    assert outside(lab, look("Results", bold=True), part) == ["formatting"]
    assert outside(lab, look("of Acme", bold=True), part) == ["formatting"]
    assert outside(lab, look("Acme", underline=True), part) == ["formatting"]


def test_only_the_extent(lab: Any) -> None:
    def grow(deck: Any) -> None:
        lab.shape_named(deck, 5, "A").width = lab.inches(2)

    def shift(deck: Any) -> None:
        grow(deck)
        lab.shape_named(deck, 5, "A").left = lab.inches(2)

    part = {"slides": [5], "aspects": ["geometry"], "shapes": ["A"], "properties": ["extent"]}
    assert outside(lab, grow, part) == []
    assert set(outside(lab, shift, part)) == {"geometry"}


def test_only_one_direction(lab: Any) -> None:
    def down(deck: Any) -> None:
        lab.shape_named(deck, 5, "A").top += lab.inches(0.5)

    def aside(deck: Any) -> None:
        lab.shape_named(deck, 5, "A").left += lab.inches(0.5)

    part = {"slides": [5], "aspects": ["geometry"], "shapes": ["A"], "properties": ["top"]}
    assert outside(lab, down, part) == []
    assert outside(lab, aside, part) == ["geometry"]
    assert outside(lab, aside, part | {"properties": ["left"]}) == []


def test_a_shape_that_may_change_may_be_made_again(lab: Any) -> None:
    def remake(deck: Any) -> None:
        shape = lab.shape_named(deck, 5, "C")
        shape.name = "Rectangle 99"
        shape._element.getparent().append(shape._element)

    part = {"slides": [5], "aspects": ["style"], "shapes": ["C"]}
    assert outside(lab, remake, part) == []
    assert "shapes" in outside(lab, remake, {**part, "shapes": ["A"]})
    assert "shapes" in outside(lab, remake, {**part, "aspects": ["notes"]})


def test_copies_differ_only_as_far_as_they_may(lab: Any) -> None:
    def copy(deck: Any) -> Any:
        return lab.duplicate_slide(deck, 1, 2)

    def answered(deck: Any) -> None:
        copy(deck).shapes.title.text = "Answers"

    def cluttered(deck: Any) -> None:
        box = copy(deck).shapes.add_textbox(0, 0, lab.inches(2), lab.inches(1))
        box.text_frame.text = "Clutter"

    def rest(edit: Edit, **more: Any) -> list[str]:
        match = match_decks(lab.original, lab.edited(edit))
        scope = {"new_slides": 1, "copy_of": 2, "copy_aspects": ["text", "transition"], **more}
        return [change.text for change in changes_outside(match, load_scope(scope))]

    assert rest(answered) == []
    assert rest(answered, copy_aspects=["transition"])[0].startswith("new slide 3: text changed")
    assert rest(cluttered)[0].startswith("new slide 3: shape added")
    assert rest(cluttered, copy_of=None, copy_aspects=[]) == []
    assert rest(cluttered, new_slides=0)[0].startswith("new slide 3: slide added")


def test_parts_go_to_json_and_back() -> None:
    parts = [
        {"slides": "all", "aspects": ["text"], "words": [["a", "b"]]},
        {"slides": [3], "shapes": ["@table"], "cells": [[2, 2]]},
        {"slides": [1], "letters": "Acme", "properties": ["bold"]},
    ]
    more = {"slides": [], "new_slides": 1, "copy_of": 2, "copy_aspects": ["text"]}
    scope = load_scope({"parts": parts, **more})
    assert scope.to_json() == {"parts": parts, **more}
    assert load_scope(scope.to_json()) == scope
    assert not scope.allows_nothing
    assert load_scope({"parts": [{"aspects": ["text"]}]}).allows_nothing


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"slides": [0]}, "scope/parts/0: slides count from 1"),
        ({"cells": [[1]]}, "scope/parts/0: expected a row and a column"),
        ({"cells": [[0, 1]]}, "scope/parts/0: expected a row and a column"),
        ({"words": [["a"]]}, "scope/parts/0: expected an old word and a new one"),
        ({"letters": " "}, "scope/parts/0: letters must not be empty"),
        ({"properties": ["smell"]}, "scope/parts/0: unknown properties ['smell']"),
        ({"slide": 1}, "scope/parts/0: unknown argument 'slide'"),
        ("text", "scope/parts/0: expected an object"),
    ],
)
def test_errors_of_a_part_name_the_place(part: Any, message: str) -> None:
    with pytest.raises(RubricError) as caught:
        load_scope({"parts": [part]})
    assert str(caught.value).startswith(message)


def test_lines_and_the_text_as_a_whole_are_centred_together(lab: Any) -> None:
    def edit(deck: Any) -> None:
        frame = deck.slides[1].shapes.title.text_frame
        frame.paragraphs[0].alignment = 2
        frame._txBody.bodyPr.set("anchorCtr", "1")

    part = {"slides": [2], "aspects": ["formatting"], "shapes": ["@title"], "properties": ["align"]}
    match = match_decks(lab.original, lab.edited(edit))
    assert changes_outside(match, load_scope({"parts": [part]})) == ()
