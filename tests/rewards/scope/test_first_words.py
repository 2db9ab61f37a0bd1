"""How words may look where there were none: in empty cells and places, new rows, new slides."""

import io
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Pt
from tests.each_case import each_case

from pptarena.decks.match.decks import match_decks
from pptarena.rewards import load_rubric, load_scope, read_deck, score
from pptarena.rewards.gold.scope_of import scope_of
from pptarena.rewards.scope.outside import changes_outside

Look = Callable[[Any], object]

_TABLE = ["tables", "geometry", "hyperlinks"]
TABLE = {"parts": [{"slides": [3], "aspects": _TABLE, "shapes": ["Sales"]}]}
BODY: dict[str, Any] = {
    "parts": [{"slides": [2], "aspects": ["text", "hyperlinks"], "shapes": ["@body"]}]
}
FOOTER = {"parts": [{"slides": [2], "aspects": ["shapes"], "shapes": [], "new_shapes": 1}]}
NEW: dict[str, Any] = {"new_slides": 1}


def _set(**values: str) -> Look:
    def look(run: Any) -> None:
        for name, value in values.items():
            run._r.get_or_add_rPr().set(name, value)

    return look


def _sized(size: float) -> Look:
    return lambda run: setattr(run.font, "size", Pt(size))


def _linked(run: Any) -> None:
    run.hyperlink.address = "https://example.org/"
    run.font.underline = True


GROSS = {
    "strike": _set(strike="sngStrike"),
    "underline": _set(u="sng"),
    "caps": _set(cap="all"),
    "baseline": _set(baseline="30000"),
    "spacing": _set(spc="900"),
    "size": _sized(96),
}
HONEST = {
    "plain": _set(),
    "bold and italic": _set(b="1", i="1"),
    "small": _sized(12),
    "somewhat larger": _sized(30),
    "a little apart": _set(spc="100"),
    "a link": _linked,
}


def _words(frame: Any, look: Look) -> None:
    frame.text = "Ninety nine"
    look(frame.paragraphs[0].runs[0])


def _cell(deck: Any) -> Any:
    return deck.slides[2].shapes[1].table.cell(1, 1)


def _emptied(lab: Any) -> bytes:
    """Return the deck with an empty cell and an empty place for a text."""

    def edit(deck: Any) -> None:
        _cell(deck).text = ""
        deck.slides[1].placeholders[1].text = ""

    found: bytes = lab.edited_bytes(edit)
    return found


def _into_cell(deck: Any, look: Look) -> None:
    _words(_cell(deck).text_frame, look)


def _into_row(deck: Any, look: Look) -> None:
    table = deck.slides[2].shapes[1].table
    last = table._tbl.tr_lst[-1]
    last.addnext(deepcopy(last))
    for column in range(3):
        _words(table.cell(3, column).text_frame, look)


def _into_place(deck: Any, look: Look) -> None:
    _words(deck.slides[1].placeholders[1].text_frame, look)


def _onto_slide(deck: Any, look: Look) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    _words(slide.shapes.title.text_frame, look)


def _into_footer(deck: Any, look: Look) -> None:
    slide = deck.slides[1]
    model = next(each for each in slide.slide_layout.placeholders if "Footer" in each.name)
    slide.shapes._spTree.append(deepcopy(model._element))
    _words(slide.shapes[-1].text_frame, look)


PLACES = {
    "an empty cell": (_into_cell, TABLE),
    "a new row": (_into_row, TABLE),
    "an empty place": (_into_place, BODY),
    "a new slide": (_onto_slide, NEW),
    "a new footer": (_into_footer, FOOTER),
}


def _outside(before: bytes, fill: Callable[..., None], look: Look, scope: Any) -> list[str]:
    deck = Presentation(io.BytesIO(before))
    fill(deck, look)
    file = io.BytesIO()
    deck.save(file)
    match = match_decks(read_deck(before), read_deck(file.getvalue()))
    return [change.what for change in changes_outside(match, load_scope(scope))]


@pytest.mark.slow
@each_case("place", PLACES)
@each_case("look", GROSS)
def test_what_nobody_asked_for_is_outside(lab: Any, place: str, look: str) -> None:
    fill, scope = PLACES[place]
    assert _outside(_emptied(lab), fill, GROSS[look], scope) == [look]


@pytest.mark.slow
@each_case("place", PLACES)
@each_case("look", HONEST)
def test_what_honest_work_looks_like_is_inside(lab: Any, place: str, look: str) -> None:
    fill, scope = PLACES[place]
    assert _outside(_emptied(lab), fill, HONEST[look], scope) == []


def test_single_words_may_stand_out(lab: Any) -> None:
    def one_struck(deck: Any, look: Look) -> None:
        frame = deck.slides[1].placeholders[1].text_frame
        frame.text = "Not this but "
        _set(strike="sngStrike", u="sng")(frame.paragraphs[0].runs[0])
        frame.paragraphs[0].add_run().text = "that"

    assert _outside(_emptied(lab), one_struck, HONEST["plain"], BODY) == []


def test_a_look_that_others_have_is_no_new_one(lab: Any) -> None:
    def struck(deck: Any) -> None:
        _set(strike="sngStrike")(
            deck.slides[2].shapes[1].table.cell(2, 0).text_frame.paragraphs[0].runs[0]
        )
        _set(strike="sngStrike")(deck.slides[3].shapes.title.text_frame.paragraphs[0].runs[0])
        _cell(deck).text = ""

    before = lab.edited_bytes(struck)
    assert _outside(before, _into_cell, GROSS["strike"], TABLE) == []
    assert _outside(before, _into_row, GROSS["strike"], TABLE) == []
    assert _outside(before, _onto_slide, GROSS["strike"], NEW) == []
    assert _outside(before, _onto_slide, GROSS["underline"], NEW) == ["underline"]


def test_a_scope_may_leave_looks_open(lab: Any) -> None:
    before = _emptied(lab)
    free: dict[str, Any] = {"parts": [{**BODY["parts"][0], "aspects": ["text", "formatting"]}]}
    assert _outside(before, _into_place, GROSS["strike"], free) == []
    free = {"parts": [*FOOTER["parts"], {"slides": [2], "aspects": ["formatting"], "shapes": []}]}
    assert _outside(before, _into_footer, GROSS["strike"], free) == []
    free = {**NEW, "new_looks": True}
    assert _outside(before, _onto_slide, GROSS["strike"], free) == []
    assert load_scope(free).to_json()["new_looks"] is True


@each_case("place", PLACES)
def test_a_gold_that_asks_for_it_is_worth_all(lab: Any, place: str) -> None:
    before = _emptied(lab)
    deck = Presentation(io.BytesIO(before))
    PLACES[place][0](deck, GROSS["strike"])
    file = io.BytesIO()
    deck.save(file)
    original, gold = read_deck(before), read_deck(file.getvalue())
    leaf = {"name": "rest", "check": "nothing_else_changed"}
    rubric = load_rubric({"version": 1, "root": {"name": "root", "children": [leaf]}})
    assert score(rubric, original, gold, scope_of(original, gold)).score == 1
