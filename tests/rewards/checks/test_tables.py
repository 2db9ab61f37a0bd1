from copy import deepcopy
from typing import Any

import pytest


def _cell(row: int, column: int, text: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        lab.shape_named(deck, 3, "Sales").table.cell(row, column).text = text

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
WORDS = {"slide": 3, "row": 1, "column": 1, "text": "Area where we sell"}
ROW = {"slide": 3, "cells": ["East", "7", None]}

CASES = [
    ("table_cell_is", BY_NUMBER, _cell(1, 2, "15"), 1, 1),
    ("table_cell_is", BY_NUMBER, _cell(1, 2, "16"), 0, 0),
    ("table_cell_is", BY_NUMBER, _cell(2, 1, "15"), 0, 0),
    ("table_cell_is", BY_NAME, _cell(2, 1, "21"), 1, 1),
    ("table_cell_is", WORDS, _cell(0, 0, "Area where we sell"), 1, 1),
    ("table_cell_is", WORDS, _cell(0, 0, "Area where we buy"), 0.2, 0.9),
    ("table_has_row", ROW, _add_row("East", "7", "8"), 1, 1),
    ("table_has_row", ROW, _add_row("East", "9", "8"), 0.5, 0.5),
    ("table_has_row", ROW | {"at": 2}, _add_row("East", "7", "8"), 0.8, 0.8),
    ("table_has_row", ROW, _cell(1, 2, "99"), 0, 0),
    ("table_has_row", ROW, _add_row("", "7", "8"), 0, 0),
    ("table_lacks_row", {"slide": 3, "label": "north"}, _drop_row(1), 1, 1),
    ("table_lacks_row", {"slide": 3, "label": "north"}, _drop_row(2), 0, 0),
    ("table_lacks_row", {"slide": 3, "label": "north"}, _cell(1, 0, ""), 0.3, 0.4),
    ("table_size", {"slide": 3, "rows": 4}, _add_row("x"), 1, 1),
    ("table_size", {"slide": 3, "rows": 5, "columns": 4}, _add_row("x"), 0.1, 0.4),
    ("table_size", {"slide": 3, "rows": 4}, _drop_row(1), 0, 0),
]


@pytest.mark.parametrize("case", CASES)
def test_scores_are_in_range(judge: Any, case: tuple[Any, ...]) -> None:
    judge(case)


@pytest.mark.parametrize("case", CASES)
def test_an_unedited_deck_scores_nothing(judge: Any, case: tuple[Any, ...]) -> None:
    judge.untouched(case)


def test_a_missing_row_or_table_scores_nothing(lab: Any) -> None:
    assert "row 'West'" in lab.check("table_cell_is", BY_NAME | {"row": "West"}).reason
    assert lab.check("table_cell_is", BY_NAME | {"slide": 5}).score is None
