"""Edits by the file executor: effects and errors."""

from functools import cache
from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from tests.each_case import each_case
from tests.edits.cases import CASES, FILES, Case
from tests.envs.document.more_cases import deck_with_media

from pptarena.decks.validity import new_problems
from pptarena.edits import EDITS, apply_solution, check_solution, edit_presentation
from pptarena.errors import EditError
from pptarena.tasks.deck_files import read_deck_file


@cache
def deck(name: str) -> bytes:
    return deck_with_media() if name == "everything" else read_deck_file(name)


def test_every_edit_has_a_case() -> None:
    tested = {edit["edit"] for _, edit, _, _ in CASES}
    assert tested | {"add_placeholder"} == set(EDITS)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[1]["edit"])
def test_edit_changes_the_deck(case: Case) -> None:
    name, edit, read_value, expected = case
    before = deck(name)
    after = apply_solution(before, [edit], FILES)
    assert read_value(Presentation(BytesIO(after))) == expected
    assert new_problems(before, after) == ()
    assert apply_solution(before, [edit], FILES) == after


def test_empty_transition_is_removed_with_its_alternative() -> None:
    presentation = Presentation(BytesIO(deck("everything")))
    root = presentation.slides[1]._element
    for child in [each for each in root if each.tag == qn("p:transition")]:
        root.remove(child)
    choice = f'<mc:Choice xmlns:p14="urn:p14" Requires="p14"><p:transition {nsdecls("p")}/>'
    namespace = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    root.append(
        parse_xml(f"<mc:AlternateContent {namespace}>{choice}</mc:Choice></mc:AlternateContent>")
    )
    edit_presentation(presentation, [{"edit": "set_transition", "slide": 2, "kind": "none"}])
    assert next(root.iter(qn("p:transition")), None) is None


def test_add_placeholder_restores_placeholder_of_layout() -> None:
    solution = [
        {"edit": "set_layout", "slide": 2, "layout": "Title and Content"},
        {"edit": "add_placeholder", "slide": 2, "index": 1},
        {"edit": "set_text", "slide": 2, "shape": "@body", "text": "Here"},
    ]
    after = Presentation(BytesIO(apply_solution(deck("everything"), solution)))
    assert after.slides[1].placeholders[1].text_frame.text == "Here"
    with pytest.raises(EditError, match="has the placeholder 1 already"):
        apply_solution(deck("everything"), [*solution, solution[1]])


TEXT = {"edit": "set_text", "slide": 1, "shape": "@body", "text": "x"}
INVALID: list[tuple[dict[str, Any], str]] = [
    (TEXT | {"slide": 9}, "solution/0: set_text: no slide 9: the deck has 2 slides"),
    (TEXT | {"slide": "id:9"}, "no slide has the id 9; the slides are 256, 257"),
    (TEXT | {"slide": "Nothing"}, "no slide has the title 'Nothing'; the titles are 'Tents'"),
    (TEXT | {"shape": "Nothing"}, "slide 1 has no shape 'Nothing'; its shapes are 'Title 1'"),
    (TEXT | {"shape": "@body:2"}, "slide 1 has no shape '@body:2'"),
    (TEXT | {"shape": "@nothing"}, "expected a name, a text or one of @title"),
    (TEXT | {"shape": "id:99"}, "slide 256 has no shape with the id 99"),
    (TEXT | {"shape": "@chart"}, "holds no text"),
    (TEXT | {"paragraph": 3}, "expected a paragraph from 1 to 2, got 3"),
    (TEXT | {"paragraph": 0}, "set_text.paragraph: Input should be greater than or equal to 1"),
    (TEXT | {"colour": "red"}, "argument 'colour' not found"),
    (TEXT | {"slide": 1.5}, "set_text.slide"),
    (TEXT | {"text": "\x00"}, "control characters"),
    (TEXT | {"text": float("nan")}, "expected arguments as in JSON"),
    ({"edit": "set_txt"}, "edit 'set_txt' not found. Did you mean 'set_text'"),
    ({"slide": 1}, "expected an object with the name of an 'edit'"),
    ({"edit": "hide_slide", "slides": []}, "hide_slide.slides: expected a list of slides"),
    ({"edit": "hide_slide", "slides": [1, 3]}, "no slide 3: the deck has 2 slides"),
    ({"edit": "set_fill", "slide": 1, "shape": "Round", "color": "red"}, "pattern"),
    (
        {"edit": "replace_picture", "slide": 1, "shape": "@picture", "file": "gray.png"},
        "no file 'gray.png': the deck comes with bell.wav, blue.png, film.avi",
    ),
    (
        {"edit": "set_transition", "slide": 1, "kind": "fade", "direction": "left"},
        "expected push, wipe or cover with a direction, got fade",
    ),
    (
        {"edit": "set_transition", "slide": 1, "kind": "push", "direction": "vertical"},
        "expected split with the direction vertical, got push",
    ),
    ({"edit": "add_slide", "position": 1}, "expected a layout: there is no slide before"),
    ({"edit": "set_text_link", "slide": 1, "shape": "@body", "run": 9}, "has no such text"),
    (
        {
            "edit": "set_chart_value",
            "slide": 1,
            "shape": "@chart",
            "series": 1,
            "point": 9,
            "value": 1,
        },
        "the series 1 has no value 9",
    ),
    (
        {"edit": "delete_series", "slide": 1, "shape": "@chart", "series": "Lent"},
        "expected one series 'Lent', got 0; there are 'Sold'",
    ),
    (
        {"edit": "attach_connector", "slide": 1, "shape": "Round", "end": "id:7"},
        "the shape 'Round' is no connector",
    ),
    ({"edit": "delete_comments", "slide": 1}, "the slide has no such comments"),
    ({"edit": "reset_position", "slide": 1, "shape": "Round"}, "is no placeholder"),
]


@pytest.mark.slow
@each_case("edit, reason", INVALID, ids=lambda value: str(value)[:40])
def test_invalid_edit_is_rejected_with_its_entry(edit: dict[str, Any], reason: str) -> None:
    with pytest.raises(EditError) as caught:
        apply_solution(deck("everything"), [edit], FILES)
    assert reason in str(caught.value)
    assert str(caught.value).startswith("solution/0: ")


ROUND = {"slide": 1, "shape": "Round"}
BOX = {"edit": "add_shape", "slide": 1, "outline": "ellipse", "left_cm": 1, "top_cm": 1}
CROP = {"edit": "crop_picture", "slide": 1, "shape": "@picture"}
CHART = {"edit": "set_chart_data", "slide": 1, "shape": "@chart"}
LIMITS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"edit": "set_line", **ROUND, "width_pt": 0}, {"width_pt": -0.5}),
    ({"edit": "set_line", **ROUND, "width_pt": 1584}, {"width_pt": 1584.5}),
    ({"edit": "set_advance", "slide": 1, "seconds": 0}, {"seconds": -1}),
    ({"edit": "set_advance", "slide": 1, "seconds": 86_399}, {"seconds": 86_400}),
    ({**BOX, "width_cm": 0, "height_cm": 1}, {"width_cm": -0.1}),
    ({**BOX, "width_cm": 1, "height_cm": 0}, {"height_cm": -0.1}),
    ({**CROP, "left": 0.5, "right": 0.45}, {"right": 0.46}),
    ({**CROP, "top": 0.95, "bottom": 0}, {"bottom": 0.01}),
    (
        {**CHART, "categories": ["a"], "series": [{"name": "x", "values": [1]}]},
        {"categories": ["a", "b"]},
    ),
    (
        {**CHART, "categories": ["a"] * 200, "series": [{"name": "x", "values": [1] * 200}]},
        {"categories": ["a"] * 201, "series": [{"name": "x", "values": [1] * 201}]},
    ),
]


@each_case("accepted, beyond", LIMITS, ids=lambda value: str(value)[:40])
def test_limits_are_inclusive(accepted: dict[str, Any], beyond: dict[str, Any]) -> None:
    assert apply_solution(deck("everything"), [accepted], FILES)
    with pytest.raises(EditError):
        apply_solution(deck("everything"), [accepted | beyond], FILES)


def test_all_invalid_entries_are_reported() -> None:
    wrong = [TEXT, {"edit": "set_text"}, {"edit": "hide"}]
    with pytest.raises(EditError) as caught:
        check_solution(wrong, "turns/1/solution")
    first, second = str(caught.value).splitlines()
    assert first == "turns/1/solution/1: set_text.slide: the argument is missing"
    assert second.startswith("turns/1/solution/2: edit 'hide' not found.")
    with pytest.raises(EditError, match="solution: expected a list of edits, got 'hide'"):
        check_solution("hide")


def test_ambiguous_title_is_rejected() -> None:
    twice = apply_solution(deck("everything"), [{"edit": "duplicate_slide", "slide": 1}])
    with pytest.raises(EditError, match="2 slides have the title 'Tents'"):
        apply_solution(twice, [{"edit": "hide_slide", "slide": "Tents"}])
