from copy import deepcopy
from typing import Any

import pytest
from pptx import Presentation
from tests.conftest import save
from tests.rewards.checks.conftest import score_check

from pptarena.decks import Deck
from pptarena.rewards import read_deck

pytestmark = pytest.mark.slow


def _cell(row: int, column: int, text: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        lab.shape_named(deck, 3, "Sales").table.cell(row, column).text = text

    return edit


def _row(row: int, text: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for cell in lab.shape_named(deck, 3, "Sales").table.rows[row].cells:
            cell.text = text

    return edit


def _add_row(*texts: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        table = lab.shape_named(deck, 3, "Sales").table
        table._tbl.append(deepcopy(table._tbl.tr_lst[-1]))
        for column, text in enumerate(texts):
            table.cell(3, column).text = text

    return edit


def _drop_row(row: int) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        table = lab.shape_named(deck, 3, "Sales").table
        table._tbl.remove(table._tbl.tr_lst[row])

    return edit


BY_NUMBER = {"slide": 3, "row": 2, "column": 3, "text": "15"}
BY_NAME = {"slide": 3, "shape": "Sales", "row": "South", "column": "2025", "text": "21"}
TEXT_CELL = {"slide": 3, "row": 1, "column": 1, "text": "Area where we sell"}
ROW = {"slide": 3, "cells": ["East", "7", None]}

CASES = [
    ("table_cell_is", BY_NUMBER, _cell(1, 2, "15"), 1, 1),
    ("table_cell_is", BY_NUMBER, _cell(1, 2, "16"), 0, 0),
    ("table_cell_is", BY_NUMBER, _cell(2, 1, "15"), 0, 0),
    ("table_cell_is", BY_NAME, _cell(2, 1, "21"), 1, 1),
    ("table_cell_is", TEXT_CELL, _cell(0, 0, "Area where we sell"), 1, 1),
    ("table_cell_is", TEXT_CELL, _cell(0, 0, "Area where we buy"), 0.2, 0.9),
    ("table_has_row", ROW, _add_row("East", "7", "8"), 1, 1),
    ("table_has_row", ROW, _add_row("East", "9", "8"), 0.5, 0.5),
    ("table_has_row", ROW | {"at": 2}, _add_row("East", "7", "8"), 0.8, 0.8),
    ("table_has_row", ROW, _cell(1, 2, "99"), 0, 0),
    ("table_has_row", ROW, _add_row("", "7", "8"), 0, 0),
    ("table_lacks_row", {"slide": 3, "label": "north"}, _drop_row(1), 1, 1),
    ("table_lacks_row", {"slide": 3, "label": "north"}, _drop_row(2), 0, 0),
    ("table_lacks_row", {"slide": 3, "label": "north"}, _cell(1, 0, ""), 0.3, 0.4),
    ("table_lacks_row", {"slide": 3, "label": "north"}, _row(1, ""), 0.5, 0.5),
    ("table_lacks_row", {"slide": 3, "label": "north"}, _row(1, " -"), 0.5, 0.5),
    ("table_lacks_row", {"slide": 3, "label": "north"}, _row(1, "x"), 0.5, 0.5),
    ("table_lacks_row", {"slide": 3, "label": "north", "emptied": True}, _row(1, ""), 1, 1),
    ("table_size", {"slide": 3, "rows": 4}, _add_row("x"), 1, 1),
    ("table_size", {"slide": 3, "rows": 5, "columns": 4}, _add_row("x"), 0.1, 0.4),
    ("table_size", {"slide": 3, "rows": 4}, _drop_row(1), 0, 0),
]


def test_scores_are_in_range_and_0_without_the_edit(scorer: Any) -> None:
    scorer.assert_scores(CASES)


def test_missing_row_or_table_is_reported(lab: Any) -> None:
    assert "row 'West'" in lab.check("table_cell_is", BY_NAME | {"row": "West"}).reason
    assert lab.check("table_cell_is", BY_NAME | {"slide": 5}).score is None


THOUSANDS = BY_NUMBER | {"text": "1234"}
GROUPED = {
    "slide": 3,
    "cells": ["East", "1,234", "\N{MINUS SIGN}5"],
}
NUMBERS = [
    *(
        ("table_cell_is", THOUSANDS, _cell(1, 2, text), 1, 1)
        for text in ("1,234", "1 234", "1\N{NARROW NO-BREAK SPACE}234", "1'234", "1\xa0234")
    ),
    ("table_cell_is", BY_NUMBER | {"text": "-5"}, _cell(1, 2, "\N{MINUS SIGN}5"), 1, 1),
    ("table_cell_is", BY_NUMBER | {"text": "1,234.50"}, _cell(1, 2, "1234.50"), 1, 1),
    ("table_cell_is", BY_NUMBER | {"text": "1.234,5"}, _cell(1, 2, "1234,5"), 1, 1),
    ("table_cell_is", BY_NUMBER, _cell(1, 2, "1.5"), 0, 0),
    ("table_cell_is", BY_NUMBER, _cell(1, 2, "1,5"), 0, 0),
    ("table_cell_is", THOUSANDS, _cell(1, 2, "1.234"), 0, 0),
    ("table_cell_is", THOUSANDS, _cell(1, 2, "12,34"), 0, 0),
    ("table_has_row", GROUPED, _add_row("East", "1234", "-5"), 1, 1),
    ("table_has_row", GROUPED, _add_row("East", "1.234", "-5"), 0.6, 0.7),
]


def test_numbers_match_in_any_notation(scorer: Any) -> None:
    scorer.assert_edited_scores(NUMBERS)


@pytest.mark.parametrize(("text", "expected"), [("1,234", 1), ("1 234", 0), ("1234", 0)])
def test_separators_count_if_the_original_has_the_number(text: str, expected: float) -> None:
    def deck(cell: str) -> Deck:
        deck: Any = Presentation()
        shapes = deck.slides.add_slide(deck.slide_layouts[6]).shapes
        table = shapes.add_table(2, 2, 0, 0, 4_000_000, 2_000_000).table
        for index, content in enumerate(("Area", "Sales", "North", cell)):
            table.cell(index // 2, index % 2).text = content
        return read_deck(save(deck))

    args = {"slide": 1, "row": "North", "column": "Sales", "text": "1,234"}
    assert score_check("table_cell_is", args, deck("1234"), deck(text)).score == expected
