from typing import Any

import pytest
from lxml import etree
from pptx.enum.text import MSO_VERTICAL_ANCHOR, PP_ALIGN

_A = "http://schemas.openxmlformats.org/drawingml/2006/main"


def _cells(row: int, count: int, color: str = "FFCC00", bold: bool = True) -> Any:
    """Fill cells of a row of the second deck's table and make them bold and centred."""

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


def _merge(rows: int, columns: int) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        table = lab.shape_named(deck, 2, "Costs").table
        table.cell(1, 0).merge(table.cell(rows, columns - 1))

    return edit


def _borders(color: str, *sides: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        table = lab.shape_named(deck, 2, "Costs").table
        for row in table._tbl.tr_lst:
            for cell in row.tc_lst:
                properties = cell.get_or_add_tcPr()
                for at, side in enumerate(sides):
                    line = etree.fromstring(
                        f'<a:{side} xmlns:a="{_A}" w="25400"><a:solidFill>'
                        f'<a:srgbClr val="{color}"/></a:solidFill></a:{side}>'
                    )
                    properties.insert(at, line)

    return edit


def _style(**flags: bool) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        table = lab.shape_named(deck, 2, "Costs").table
        for name, value in flags.items():
            setattr(table, name, value)

    return edit


def _named_style(lab: Any, deck: Any) -> None:
    table = lab.shape_named(deck, 2, "Costs").table
    style = table._tbl.tblPr.find(f"{{{_A}}}tableStyleId")
    style.text = "{2D5ABB26-0587-4C30-8999-92F81FD0307C}"


def _widths(*inches: float) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        table = lab.shape_named(deck, 2, "Costs").table
        for column, width in zip(table.columns, inches, strict=True):
            column.width = lab.inches(width)

    return edit


ROW = {"slide": 2, "row": "Oslo", "fill": "#FFCC00", "bold": True, "align": "center"}
ANCHOR = {"slide": 2, "row": 3, "column": "Costs", "anchor": "middle"}
TURNED = {"slide": 2, "row": "Oslo", "vertical": "vert270"}
MERGED = {"slide": 2, "row": 2, "column": 1, "rows": 2, "columns": 2}
RED = {"slide": 2, "sides": ["top", "bottom"], "color": "#FF0000", "width_pt": 2}
STYLE = {"slide": 2, "total_row": True, "first_column": True}
EVEN = {"slide": 2, "axis": "columns"}

CASES = [
    ("table_cell_format", ROW, _cells(2, 3), 1, 1),
    ("table_cell_format", ROW, _cells(2, 1), 0.3, 0.4),
    ("table_cell_format", ROW, _cells(2, 3, bold=False), 0.6, 0.7),
    ("table_cell_format", ROW, _cells(1, 3), 0, 0),
    ("table_cell_format", ANCHOR, _cells(2, 3), 1, 1),
    ("table_cell_format", TURNED, _turned(2, "vert270"), 1, 1),
    ("table_cell_format", TURNED, _turned(2, "vert"), 0, 0),
    ("table_cells_merged", MERGED, _merge(2, 2), 1, 1),
    ("table_cells_merged", MERGED, _merge(1, 2), 0.5, 0.5),
    ("table_cells_merged", MERGED, _cells(1, 1), 0, 0),
    ("table_borders", RED, _borders("FF0000", "lnT", "lnB"), 1, 1),
    ("table_borders", RED, _borders("FF0000", "lnT"), 0.4, 0.95),
    ("table_borders", RED | {"width_pt": None}, _borders("0000FF", "lnT"), 0, 0),
    ("table_style_is", STYLE, _style(last_row=True, first_col=True), 1, 1),
    ("table_style_is", STYLE, _style(first_col=True), 0.5, 0.5),
    ("table_style_is", STYLE, _style(horz_banding=False), 0, 0),
    ("table_style_is", {"slide": 2, "style": "No Style, No Grid"}, _named_style, 1, 1),
    ("table_sizes_even", EVEN, _widths(2, 2, 2), 1, 1),
    ("table_sizes_even", EVEN, _widths(2.5, 2, 2), 0.2, 0.95),
    ("table_sizes_even", EVEN, _widths(4, 1, 1), 0, 0),
]


@pytest.mark.parametrize("case", CASES)
def test_scores_are_in_range(rich_judge: Any, case: tuple[Any, ...]) -> None:
    rich_judge(case)


@pytest.mark.parametrize("case", CASES)
def test_an_unedited_deck_scores_nothing(rich_judge: Any, case: tuple[Any, ...]) -> None:
    rich_judge.untouched(case)
