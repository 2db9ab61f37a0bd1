"""Allowed formatting of new text in empty cells and placeholders, new rows and new slides."""

import io
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Pt
from tests.conftest import save
from tests.each_case import each_case

from pptarena.decks.match.decks import match_decks
from pptarena.rewards import load_rubric, load_scope, read_deck, score
from pptarena.rewards.gold.scope_of import scope_of
from pptarena.rewards.scope.out_of_scope import out_of_scope_changes

Format = Callable[[Any], object]

_TABLE = ["tables", "geometry", "hyperlinks"]
TABLE = {"parts": [{"slides": [3], "aspects": _TABLE, "shapes": ["Sales"]}]}
BODY: dict[str, Any] = {
    "parts": [{"slides": [2], "aspects": ["text", "hyperlinks"], "shapes": ["@body"]}]
}
FOOTER = {"parts": [{"slides": [2], "aspects": ["shapes"], "shapes": [], "new_shapes": 1}]}
NEW: dict[str, Any] = {"new_slides": 1}


def _set(**values: str) -> Format:
    def format_run(run: Any) -> None:
        for name, value in values.items():
            run._r.get_or_add_rPr().set(name, value)

    return format_run


def _sized(size: float) -> Format:
    return lambda run: setattr(run.font, "size", Pt(size))


def _linked(run: Any) -> None:
    run.hyperlink.address = "https://example.org/"
    run.font.underline = True


CONSPICUOUS = {
    "strike": _set(strike="sngStrike"),
    "underline": _set(u="sng"),
    "caps": _set(cap="all"),
    "baseline": _set(baseline="30000"),
    "spacing": _set(spc="900"),
    "size": _sized(96),
}
ORDINARY = {
    "plain": _set(),
    "bold and italic": _set(b="1", i="1"),
    "small": _sized(12),
    "somewhat larger": _sized(30),
    "a little apart": _set(spc="100"),
    "a link": _linked,
}


def _fill(frame: Any, format_run: Format) -> None:
    frame.text = "Ninety nine"
    format_run(frame.paragraphs[0].runs[0])


def _cell(deck: Any) -> Any:
    return deck.slides[2].shapes[1].table.cell(1, 1)


def _emptied(lab: Any) -> bytes:
    """Return the deck with an empty cell and an empty placeholder."""

    def edit(deck: Any) -> None:
        _cell(deck).text = ""
        deck.slides[1].placeholders[1].text = ""

    data: bytes = lab.edited_bytes(edit)
    return data


def _into_cell(deck: Any, format_run: Format) -> None:
    _fill(_cell(deck).text_frame, format_run)


def _into_row(deck: Any, format_run: Format) -> None:
    table = deck.slides[2].shapes[1].table
    last = table._tbl.tr_lst[-1]
    last.addnext(deepcopy(last))
    for column in range(3):
        _fill(table.cell(3, column).text_frame, format_run)


def _into_placeholder(deck: Any, format_run: Format) -> None:
    _fill(deck.slides[1].placeholders[1].text_frame, format_run)


def _onto_slide(deck: Any, format_run: Format) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    _fill(slide.shapes.title.text_frame, format_run)


def _into_footer(deck: Any, format_run: Format) -> None:
    slide = deck.slides[1]
    model = next(each for each in slide.slide_layout.placeholders if "Footer" in each.name)
    slide.shapes._spTree.append(deepcopy(model._element))
    _fill(slide.shapes[-1].text_frame, format_run)


TARGETS = {
    "an empty cell": (_into_cell, TABLE),
    "a new row": (_into_row, TABLE),
    "an empty placeholder": (_into_placeholder, BODY),
    "a new slide": (_onto_slide, NEW),
    "a new footer": (_into_footer, FOOTER),
}


def _outside(before: bytes, fill: Callable[..., None], format_run: Format, scope: Any) -> list[str]:
    deck = Presentation(io.BytesIO(before))
    fill(deck, format_run)
    match = match_decks(read_deck(before), read_deck(save(deck)))
    return [change.what for change in out_of_scope_changes(match, load_scope(scope))]


@pytest.mark.slow
@each_case("target", TARGETS)
@each_case("name", CONSPICUOUS)
def test_conspicuous_formatting_is_out_of_scope(lab: Any, target: str, name: str) -> None:
    fill, scope = TARGETS[target]
    assert _outside(_emptied(lab), fill, CONSPICUOUS[name], scope) == [name]


@pytest.mark.slow
@each_case("target", TARGETS)
@each_case("name", ORDINARY)
def test_ordinary_formatting_is_in_scope(lab: Any, target: str, name: str) -> None:
    fill, scope = TARGETS[target]
    assert _outside(_emptied(lab), fill, ORDINARY[name], scope) == []


def test_single_words_may_be_emphasized(lab: Any) -> None:
    def one_struck(deck: Any, format_run: Format) -> None:
        frame = deck.slides[1].placeholders[1].text_frame
        frame.text = "Not this but "
        _set(strike="sngStrike", u="sng")(frame.paragraphs[0].runs[0])
        frame.paragraphs[0].add_run().text = "that"

    assert _outside(_emptied(lab), one_struck, ORDINARY["plain"], BODY) == []


@pytest.mark.slow
def test_formatting_used_elsewhere_is_in_scope(lab: Any) -> None:
    def struck(deck: Any) -> None:
        _set(strike="sngStrike")(
            deck.slides[2].shapes[1].table.cell(2, 0).text_frame.paragraphs[0].runs[0]
        )
        _set(strike="sngStrike")(deck.slides[3].shapes.title.text_frame.paragraphs[0].runs[0])
        _cell(deck).text = ""

    before = lab.edited_bytes(struck)
    assert _outside(before, _into_cell, CONSPICUOUS["strike"], TABLE) == []
    assert _outside(before, _into_row, CONSPICUOUS["strike"], TABLE) == []
    assert _outside(before, _onto_slide, CONSPICUOUS["strike"], NEW) == []
    assert _outside(before, _onto_slide, CONSPICUOUS["underline"], NEW) == ["underline"]


def test_scope_may_allow_any_formatting(lab: Any) -> None:
    before = _emptied(lab)
    free: dict[str, Any] = {"parts": [{**BODY["parts"][0], "aspects": ["text", "formatting"]}]}
    assert _outside(before, _into_placeholder, CONSPICUOUS["strike"], free) == []
    free = {"parts": [*FOOTER["parts"], {"slides": [2], "aspects": ["formatting"], "shapes": []}]}
    assert _outside(before, _into_footer, CONSPICUOUS["strike"], free) == []
    free = {**NEW, "new_looks": True}
    assert _outside(before, _onto_slide, CONSPICUOUS["strike"], free) == []
    assert load_scope(free).to_json()["new_looks"] is True


@pytest.mark.slow
@each_case("target", TARGETS)
def test_conspicuous_formatting_of_the_gold_deck_is_in_scope(lab: Any, target: str) -> None:
    before = _emptied(lab)
    deck = Presentation(io.BytesIO(before))
    TARGETS[target][0](deck, CONSPICUOUS["strike"])
    original, gold = read_deck(before), read_deck(save(deck))
    leaf = {"name": "rest", "check": "nothing_else_changed"}
    rubric = load_rubric({"version": 1, "root": {"name": "root", "children": [leaf]}})
    assert score(rubric, original, gold, scope_of(original, gold)).score == 1
