"""Scopes of several parts, and conditions finer than an aspect of a shape."""

from collections.abc import Callable
from typing import Any

import pytest

from pptarena.decks.match.decks import match_decks
from pptarena.errors import RubricError
from pptarena.rewards import load_scope
from pptarena.rewards.scope.out_of_scope import out_of_scope_changes

Edit = Callable[[Any], object]


def outside(lab: Any, edit: Edit, *parts: dict[str, Any]) -> list[str]:
    """Return the aspects of the changes outside the scope."""
    match = match_decks(lab.original, lab.edited(edit))
    return [c.aspect for c in out_of_scope_changes(match, load_scope({"parts": list(parts)}))]


def title(deck: Any) -> None:
    deck.slides[1].shapes.title.text = "New"


def body(deck: Any) -> None:
    deck.slides[1].placeholders[1].text = "Other text"


def both(deck: Any) -> None:
    title(deck)
    body(deck)


TITLE = {"slides": [2], "aspects": ["text"], "shapes": ["@title"]}
BODY = {"slides": [2], "aspects": ["text"], "shapes": ["@body"]}


def test_change_is_allowed_if_one_part_allows_it(lab: Any) -> None:
    assert outside(lab, both, TITLE, BODY) == []
    assert outside(lab, both, TITLE) == ["text"]
    # A change must meet all conditions of one part.
    assert outside(lab, title, {**TITLE, "slides": [3]}, {**BODY, "aspects": ["notes"]}) == ["text"]


def table(row: int, column: int) -> Edit:
    def edit(deck: Any) -> None:
        deck.slides[2].shapes[1].table.cell(row - 1, column - 1).text = "99"

    return edit


def test_cells_restrict_a_part(lab: Any) -> None:
    part = {"slides": [3], "aspects": ["tables"], "cells": [[2, 2], [3, 3]]}
    assert outside(lab, table(2, 2), part) == []
    assert outside(lab, table(3, 3), part) == []
    assert outside(lab, table(2, 3), part) == ["tables"]


def test_table_may_grow_but_not_move(lab: Any) -> None:
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


def test_words_restrict_text_to_replacements(lab: Any) -> None:
    part = {"slides": "all", "aspects": ["text", "notes"], "words": [["Acme", "Bcme"]]}
    assert outside(lab, replaced("Acme", "Bcme"), part) == []
    assert outside(lab, replaced("Acme", "Bcmd"), part) == ["text"]
    assert outside(lab, replaced("Outlook", "Look"), part) == ["text"]
    assert outside(lab, body, part) == ["text"]


@pytest.mark.parametrize(
    ("text", "expected"), [("Say thanks to Bcme", []), ("Say Bcme", ["notes"])]
)
def test_words_restrict_notes_to_replacements(lab: Any, text: str, expected: list[str]) -> None:
    def edit(deck: Any) -> None:
        deck.slides[5].notes_slide.notes_text_frame.text = text

    part = {"slides": "all", "aspects": ["notes"], "words": [["Acme", "Bcme"]]}
    assert outside(lab, edit, part) == expected


def format_words(words: str, **properties: bool) -> Edit:
    """Format part of the first run of the body."""

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


def test_letters_and_properties_restrict_formatting(lab: Any) -> None:
    part = {
        "slides": [2],
        "aspects": ["formatting"],
        "letters": "Acme",
        "properties": ["bold", "italic"],
    }
    assert outside(lab, format_words("Acme", bold=True, italic=True), part) == []
    assert outside(lab, format_words("Results", bold=True), part) == ["formatting"]
    assert outside(lab, format_words("of Acme", bold=True), part) == ["formatting"]
    assert outside(lab, format_words("Acme", underline=True), part) == ["formatting"]


def test_extent_allows_resizing_only(lab: Any) -> None:
    def grow(deck: Any) -> None:
        lab.shape_named(deck, 5, "A").width = lab.inches(2)

    def shift(deck: Any) -> None:
        grow(deck)
        lab.shape_named(deck, 5, "A").left = lab.inches(2)

    part = {"slides": [5], "aspects": ["geometry"], "shapes": ["A"], "properties": ["extent"]}
    assert outside(lab, grow, part) == []
    assert set(outside(lab, shift, part)) == {"geometry"}


def test_top_and_left_allow_one_direction(lab: Any) -> None:
    def down(deck: Any) -> None:
        lab.shape_named(deck, 5, "A").top += lab.inches(0.5)

    def aside(deck: Any) -> None:
        lab.shape_named(deck, 5, "A").left += lab.inches(0.5)

    part = {"slides": [5], "aspects": ["geometry"], "shapes": ["A"], "properties": ["top"]}
    assert outside(lab, down, part) == []
    assert outside(lab, aside, part) == ["geometry"]
    assert outside(lab, aside, part | {"properties": ["left"]}) == []


def test_shape_that_may_change_may_be_recreated(lab: Any) -> None:
    def remake(deck: Any) -> None:
        shape = lab.shape_named(deck, 5, "C")
        shape.name = "Rectangle 99"
        shape._element.getparent().append(shape._element)

    part = {"slides": [5], "aspects": ["style"], "shapes": ["C"]}
    assert outside(lab, remake, part) == []
    assert "shapes" in outside(lab, remake, {**part, "shapes": ["A"]})
    assert "shapes" in outside(lab, remake, {**part, "aspects": ["notes"]})


def test_copies_may_differ_only_in_allowed_aspects(lab: Any) -> None:
    def copy(deck: Any) -> Any:
        return lab.duplicate_slide(deck, 1, 2)

    def answered(deck: Any) -> None:
        copy(deck).shapes.title.text = "Answers"

    def cluttered(deck: Any) -> None:
        box = copy(deck).shapes.add_textbox(0, 0, lab.inches(2), lab.inches(1))
        box.text_frame.text = "Clutter"

    def outside_copy(edit: Edit, **fields: Any) -> list[str]:
        match = match_decks(lab.original, lab.edited(edit))
        scope = {"new_slides": 1, "copy_of": 2, "copy_aspects": ["text", "transition"], **fields}
        return [change.text for change in out_of_scope_changes(match, load_scope(scope))]

    assert outside_copy(answered) == []
    assert outside_copy(answered, copy_aspects=["transition"])[0].startswith(
        "new slide 3: text changed"
    )
    assert outside_copy(cluttered)[0].startswith("new slide 3: shape added")
    assert outside_copy(cluttered, copy_of=None, copy_aspects=[]) == []
    assert outside_copy(cluttered, new_slides=0)[0].startswith("new slide 3: slide added")


def test_parts_round_trip_through_json() -> None:
    parts = [
        {"slides": "all", "aspects": ["text"], "words": [["a", "b"]]},
        {"slides": [3], "shapes": ["@table"], "cells": [[2, 2]]},
        {"slides": [1], "letters": "Acme", "properties": ["bold"]},
    ]
    fields = {"slides": [], "new_slides": 1, "copy_of": 2, "copy_aspects": ["text"]}
    scope = load_scope({"parts": parts, **fields})
    assert scope.to_json() == {"parts": parts, **fields}
    assert load_scope(scope.to_json()) == scope
    assert not scope.allows_nothing
    assert load_scope({"parts": [{"aspects": ["text"]}]}).allows_nothing


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"slides": [0]}, "scope/parts/0: slide positions start at 1"),
        ({"cells": [[1]]}, "scope/parts/0: expected a row and a column"),
        ({"cells": [[0, 1]]}, "scope/parts/0: expected a row and a column"),
        ({"words": [["a"]]}, "scope/parts/0: expected an old word and a new one"),
        ({"letters": " "}, "scope/parts/0: letters must not be empty"),
        ({"properties": ["smell"]}, "scope/parts/0: unknown properties ['smell']"),
        ({"slide": 1}, "scope/parts/0: unknown argument 'slide'"),
        ("text", "scope/parts/0: expected an object"),
    ],
)
def test_part_errors_name_the_location(part: Any, message: str) -> None:
    with pytest.raises(RubricError) as excinfo:
        load_scope({"parts": [part]})
    assert str(excinfo.value).startswith(message)


def test_align_covers_lines_and_the_text_frame(lab: Any) -> None:
    def edit(deck: Any) -> None:
        frame = deck.slides[1].shapes.title.text_frame
        frame.paragraphs[0].alignment = 2
        frame._txBody.bodyPr.set("anchorCtr", "1")

    part = {"slides": [2], "aspects": ["formatting"], "shapes": ["@title"], "properties": ["align"]}
    match = match_decks(lab.original, lab.edited(edit))
    assert out_of_scope_changes(match, load_scope({"parts": [part]})) == ()
