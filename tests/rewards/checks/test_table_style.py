from typing import Any

import pytest
from pptx.enum.text import MSO_VERTICAL_ANCHOR, PP_ALIGN

pytestmark = pytest.mark.slow


def _cells(row: int, count: int, color: str = "FFCC00", bold: bool = True) -> Any:
    """Fill cells of a row of the rich deck's table and make them bold and centred."""

    def edit(lab: Any, deck: Any) -> None:
        table = lab.shape_named(deck, 2, "Costs").table
        for column in range(count):
            cell = table.cell(row, column)
            cell.fill.solid()
            cell.fill.fore_color.rgb = lab.rgb(color)
            cell.vertical_anchor = MSO_VERTICAL_ANCHOR.MIDDLE
            paragraph = cell.text_frame.paragraphs[0]
            paragraph.alignment = PP_ALIGN.CENTER
            paragraph.runs[0].font.bold = bold

    return edit


def _turned(row: int, direction: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for cell in lab.shape_named(deck, 2, "Costs").table.rows[row].cells:
            cell._tc.get_or_add_tcPr().set("vert", direction)

    return edit


ROW = {"slide": 2, "row": "Oslo", "fill": "#FFCC00", "bold": True, "align": "center"}
ANCHOR = {"slide": 2, "row": 3, "column": "Costs", "anchor": "middle"}
TURNED = {"slide": 2, "row": "Oslo", "vertical": "vert270"}

CASES = [
    ("table_cell_format", ROW, _cells(2, 3), 1, 1),
    ("table_cell_format", ROW, _cells(2, 1), 0.3, 0.4),
    ("table_cell_format", ROW, _cells(2, 3, bold=False), 0.6, 0.7),
    ("table_cell_format", ROW, _cells(1, 3), 0, 0),
    ("table_cell_format", ANCHOR, _cells(2, 3), 1, 1),
    ("table_cell_format", TURNED, _turned(2, "vert270"), 1, 1),
    ("table_cell_format", TURNED, _turned(2, "vert"), 0, 0),
]


def test_scores_are_in_range_and_0_without_the_edit(rich_scorer: Any) -> None:
    rich_scorer.assert_scores(CASES)
