from collections.abc import Sequence
from typing import Any

import pytest
from pptx import Presentation
from tests.conftest import save
from tests.each_case import each_case
from tests.rewards.checks.conftest import score_check

from pptarena.decks import Deck, read_deck

pytestmark = pytest.mark.slow


def _table(lab: Any, deck: Any) -> Any:
    return lab.shape_named(deck, 2, "Costs").table


def _rows(*order: int) -> Any:
    """Reorder the rows of the rich deck's table, counted from 0."""

    def edit(lab: Any, deck: Any) -> None:
        tbl = _table(lab, deck)._tbl
        rows = list(tbl.tr_lst)
        for row in rows:
            tbl.remove(row)
        for number in order:
            tbl.append(rows[number])

    return edit


def _names(*order: int) -> Any:
    """Reorder the first cells below the header without their rows."""

    def edit(lab: Any, deck: Any) -> None:
        cells = [row.cells[0] for row in _table(lab, deck).rows]
        names = [cell.text for cell in cells]
        for cell, number in zip(cells[1:], order, strict=True):
            cell.text = names[number]

    return edit


def _columns(*order: int) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        tbl = _table(lab, deck)._tbl
        for parent in (tbl.tblGrid, *tbl.tr_lst):
            cells = list(parent)[:3]
            for cell in cells:
                parent.remove(cell)
            for position, number in enumerate(order):
                parent.insert(position, cells[number])

    return edit


def _header(column: int, text: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        _table(lab, deck).cell(0, column).text = text

    return edit


def _mixed(lab: Any, deck: Any) -> None:
    """Sort the first column without its rows."""
    table = _table(lab, deck)
    for row, text in enumerate(("Lima", "Oslo", "Rome"), start=1):
        table.cell(row, 0).text = text


BY_ROW = {"slide": 2, "labels": ["Oslo", "Lima", "Rome"]}
COSTS = {"slide": 2, "column": "Costs"}

CASES = [
    ("table_lacks_column", {"slide": 2, "label": "staff"}, _columns(0, 1), 1, 1),
    ("table_lacks_column", {"slide": 2, "label": "staff"}, _columns(0, 2), 0, 0),
    ("table_lacks_column", {"slide": 2, "label": "staff"}, _header(2, ""), 0.2, 0.3),
    ("table_lacks_column", {"slide": 2, "label": "staff"}, _rows(0, 3, 2, 1), 0, 0),
    ("table_row_order", BY_ROW, _rows(0, 2, 3, 1), 1, 1),
    ("table_row_order", BY_ROW, _rows(0, 3, 2, 1), 0.4, 0.6),
    ("table_row_order", BY_ROW | {"whole": True}, _rows(0, 2, 3, 1), 1, 1),
    ("table_row_order", BY_ROW | {"whole": True}, _names(2, 3, 1), 0, 0),
    ("table_row_order", {"slide": 2, "labels": ["Oslo", "Rome"]}, _rows(0, 1, 3, 2), 0, 0),
    ("table_sorted", COSTS, _rows(0, 2, 1, 3), 1, 1),
    ("table_sorted", COSTS | {"descending": True}, _rows(0, 3, 1, 2), 1, 1),
    ("table_sorted", {"slide": 2, "column": 1}, _mixed, 0.1, 0.4),
    ("table_sorted", COSTS, _rows(0, 3, 1, 2), 0, 0),
]


def test_scores_are_in_range_and_0_without_the_edit(rich_scorer: Any) -> None:
    rich_scorer.assert_scores(CASES)


@pytest.mark.parametrize(
    ("cells", "is_sorted"),
    [
        (("2 %", "10 %", "11.5 %"), True),
        (("$1,200", "$1,300", "$12,000"), True),
        (("1.200", "900", "3"), False),
        (("3,5", "12,25", "100"), True),
        (("apple", "Banana", "cherry"), True),
        (("-5", "0", "7"), True),
    ],
)
def test_cells_sort_as_readers_expect(rich: Any, cells: tuple[str, ...], is_sorted: bool) -> None:
    def edit(deck: Any) -> None:
        table = _table(rich, deck)
        for row, text in enumerate(cells, start=1):
            table.cell(row, 2).text = text
            table.cell(row, 0).text, table.cell(row, 1).text = f"Row {row}", "1"

    # The rows are new, so only the reason shows whether their order counts as sorted.
    node = rich.check("table_sorted", {"slide": 2, "column": 3}, edit)
    assert ("2 of 2" in node.reason) == is_sorted


def _deck(cells: Sequence[str]) -> Deck:
    deck: Any = Presentation()
    shapes = deck.slides.add_slide(deck.slide_layouts[6]).shapes
    table = shapes.add_table(len(cells) + 1, 2, 0, 0, 4_000_000, 2_000_000).table
    table.cell(0, 0).text, table.cell(0, 1).text = "Row", "Value"
    for row, text in enumerate(cells, start=1):
        table.cell(row, 0).text, table.cell(row, 1).text = f"of {text}", text
    return read_deck(save(deck))


# Direction, original cells, sorted cells, and optionally a wrong order.
REPORTED = {
    "signs": ("desc", "-5 \N{MINUS SIGN}12 3", "3 -5 \N{MINUS SIGN}12", ""),
    "dates": (
        *("asc", "03/01/2024 12/02/2023 20/03/2022", "20/03/2022 12/02/2023 03/01/2024"),
        "03/01/2024 12/02/2023 20/03/2022",
    ),
    "three decimals": ("desc", "0.25 0.125 0.5", "0.5 0.25 0.125", "0.125 0.5 0.25"),
    "gaps": ("desc", "5 n/a 7", "7 5 n/a", "n/a 7 5"),
    "gaps first": ("asc", "7 \N{EN DASH} 5", "5 7 \N{EN DASH}", "\N{EN DASH} 7 5"),
    "quarters": ("asc", "Q1/24 Q3/23 Q4/23", "Q3/23 Q4/23 Q1/24", "Q1/24 Q4/23 Q3/23"),
    "months": ("asc", "April January March", "January March April", "April March January"),
    "accounting": ("asc", "20 (500) 3", "(500) 3 20", "20 3 (500)"),
    "multipliers": ("desc", "900 1.2K 3M", "3M 1.2K 900", "900 1.2K 3M"),
}


@each_case("name", REPORTED)
def test_columns_sort_by_the_type_of_their_values(name: str) -> None:
    direction, original, sorted_cells, unsorted = REPORTED[name]
    args = {"slide": 1, "column": "Value", "descending": direction == "desc"}
    before = _deck(original.split())
    assert score_check("table_sorted", args, before, _deck(sorted_cells.split())).score == 1
    assert score_check("table_sorted", args, before, before).score == 0
    if unsorted:
        assert score_check("table_sorted", args, before, _deck(unsorted.split())).score == 0
