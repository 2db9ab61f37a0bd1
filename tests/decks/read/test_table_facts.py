"""Tables: styles of cells, borders, merged cells and margins."""

from typing import Any

import pytest

from pptarena.decks import Cell, Table

MEDIUM_2 = "{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}"
OWN = "{11111111-2222-3333-4444-555555555555}"


def _table(
    stage: Any, flags: str = "", style: str = MEDIUM_2, cells: str = "", **options: Any
) -> Table:
    """Return a table of four rows and three columns."""
    plain = (
        "<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>x</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc>"
    )
    row = f'<a:tr h="370840">{plain * 3}</a:tr>'
    rows = row * 4 if not cells else f'<a:tr h="370840">{cells}</a:tr>' + row * 3
    columns = '<a:gridCol w="9"/>' * 3
    named = f"<a:tableStyleId>{style}</a:tableStyleId>" if style else ""
    xml = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="905" name="T"/><p:cNvGraphicFramePr/>'
        '<p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/></p:xfrm>'
        '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table">'
        f"<a:tbl><a:tblPr {flags}>{named}</a:tblPr><a:tblGrid>{columns}</a:tblGrid>"
        f"{rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )
    table: Table = stage.shape(xml, **options).table
    return table


def _fills(table: Table) -> list[list[str | None]]:
    return [[cell.fill.color for cell in row] for row in table.rows]


def _style(cell: Cell) -> tuple[bool, str | None]:
    style = cell.paragraphs[0].runs[0].style
    return style.bold, style.color


def test_default_table_style(stage: Any) -> None:
    # Accent 1 is #4F81BD; its tints of 40 and 20 percent in linear light.
    table = _table(stage, 'firstRow="1" bandRow="1"')
    dark, band, light = "#4F81BD", "#D0D8E8", "#E9EDF4"
    assert _fills(table) == [[dark] * 3, [band] * 3, [light] * 3, [band] * 3]
    assert _style(table.rows[0][0]) == (True, "#FFFFFF")
    assert _style(table.rows[1][0]) == (False, "#000000")
    assert (table.style, table.header_row, table.banded_rows) == (
        "Medium Style 2 - Accent 1", True, True,
    )  # fmt: skip


def test_style_flags(stage: Any) -> None:
    table = _table(stage, 'firstCol="1" lastCol="1" lastRow="1" bandCol="1"')
    dark, band, light = "#4F81BD", "#D0D8E8", "#E9EDF4"
    assert _fills(table) == [[dark, band, dark]] * 3 + [[dark] * 3]
    assert _fills(_table(stage, 'bandCol="1"'))[0] == [band, light, band]
    assert (table.total_row, table.first_column, table.last_column, table.banded_columns) == (
        (True,) * 4
    )
    assert not table.header_row


def test_style_borders(stage: Any) -> None:
    table = _table(stage, 'firstRow="1"')
    left, right, top, bottom = table.rows[0][0].borders
    assert [line.width_pt for line in (left, right, top, bottom)] == [1.0, 1.0, 1.0, 3.0]
    assert left.paint.color == "#FFFFFF"


@pytest.mark.parametrize(
    ("style", "name", "lines"),
    [
        ("{2D5ABB26-0587-4C30-8999-92F81FD0307C}", "No Style, No Grid", 0.0),
        ("{5940675a-b579-460e-94d1-54222c63f5da}", "No Style, Table Grid", 1.0),
        ("{99999999-0000-0000-0000-000000000000}", "{99999999-0000-0000-0000-000000000000}", 0.0),
        ("", "", 0.0),
    ],
)
def test_other_styles(stage: Any, style: str, name: str, lines: float) -> None:
    table = _table(stage, 'firstRow="1"', style)
    assert table.style == name
    assert table.rows[0][0].fill.kind == "none"
    assert {line.width_pt for line in table.rows[1][1].borders} == {lines}


def _deck_style(stage: Any) -> dict[str, str]:
    def fill(color: str) -> str:
        value = f'<a:srgbClr val="{color}"/>'
        return f"<a:fill><a:solidFill>{value}</a:solidFill></a:fill>"

    def edge(name: str, width: int) -> str:
        line = '<a:solidFill><a:srgbClr val="010101"/></a:solidFill>'
        return f'<a:{name}><a:ln w="{width}">{line}</a:ln></a:{name}>'

    borders = edge("left", 25_400) + edge("insideV", 12_700) + edge("insideH", 12_700)
    table_style = f"<a:tcStyle><a:tcBdr>{borders}</a:tcBdr>{fill('AAAAAA')}</a:tcStyle>"
    text = '<a:tcTxStyle i="on"><a:schemeClr val="accent2"/></a:tcTxStyle>'
    corner = f"<a:tcStyle><a:tcBdr/>{fill('BBBBBB')}</a:tcStyle>"
    inside = f"<a:wholeTbl>{text}{table_style}</a:wholeTbl><a:nwCell>{corner}</a:nwCell>"
    style = f'<a:tblStyle styleId="{OWN}" styleName="House">{inside}</a:tblStyle>'
    return {
        "ppt/tableStyles.xml": stage.with_namespaces("<a:tblStyleLst>") + style + "</a:tblStyleLst>"
    }


def test_custom_deck_style(stage: Any) -> None:
    table = _table(stage, 'firstRow="1" firstCol="1"', OWN, parts=_deck_style(stage))
    assert table.style == "House"
    assert _fills(table)[0] == ["#BBBBBB", "#AAAAAA", "#AAAAAA"]
    style = table.rows[2][2].paragraphs[0].runs[0].style
    assert (style.italic, style.bold, style.color) == (True, False, "#C0504D")
    left, right, top, bottom = (line.width_pt for line in table.rows[1][0].borders)
    assert (left, right, top, bottom) == (2.0, 1.0, 1.0, 1.0)
    assert [line.width_pt for line in table.rows[3][2].borders] == [1.0, 0.0, 1.0, 0.0]


_CELL = "<a:tc{0}><a:txBody><a:bodyPr/><a:p/></a:txBody><a:tcPr{1}>{2}</a:tcPr></a:tc>"


def test_cell_settings_override_the_style(stage: Any) -> None:
    line = '<a:lnR w="38100"><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></a:lnR>'
    own = line + '<a:solidFill><a:srgbClr val="00FF00"/></a:solidFill>'
    first = _CELL.format("", ' marL="1" marR="2" marT="3" marB="4" anchor="b"', own)
    rest = _CELL.format("", "", "") + _CELL.format("", "", "<a:noFill/>")
    row = _table(stage, 'firstRow="1"', cells=first + rest).rows[0]
    assert (row[0].anchor, row[0].insets_emu, row[0].fill.color) == (
        "bottom",
        (1, 3, 2, 4),
        "#00FF00",
    )
    assert (row[1].anchor, row[1].insets_emu) == ("top", (91_440, 45_720, 91_440, 45_720))
    # Two cells share the line between them.
    assert row[0].borders[1] == row[1].borders[0]
    assert row[1].borders[0].paint.color == "#FF0000"
    assert row[2].fill.kind == "none"


def test_text_body_insets_of_cells_are_ignored(stage: Any) -> None:
    cell = _CELL.format("", ' marL="7"', "").replace("bodyPr", 'bodyPr lIns="5" tIns="6"')
    assert _table(stage, cells=cell * 3).rows[0][0].insets_emu == (7, 45_720, 91_440, 45_720)


def test_merged_cells_have_the_outer_borders(stage: Any) -> None:
    wide = _CELL.format(' gridSpan="2" rowSpan="4"', "", "")
    cells = wide + _CELL.format(' hMerge="1"', "", "") + _CELL.format("", "", "")
    table = _table(stage, 'firstRow="1" lastRow="1"', cells=cells)
    assert table.rows[0][0].spans == (2, 4)
    assert table.rows[0][1].spans == (0, 0)
    assert [line.width_pt for line in table.rows[0][0].borders] == [1.0, 1.0, 1.0, 3.0]


def test_broken_styles_are_ignored(stage: Any) -> None:
    table = _table(stage, 'firstRow="1"', OWN, parts={"ppt/tableStyles.xml": "<oops"})
    assert table.rows[0][0].text == "x"
    assert table.rows[0][0].fill.kind == "none"
