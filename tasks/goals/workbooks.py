"""Read the small workbooks that tasks of the suite have beside their deck."""

import io
import zipfile
from xml.etree import ElementTree

__all__ = ["lines_of", "rows_of"]

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def rows_of(workbook: bytes) -> list[list[str]]:
    """Return the cells of the first sheet, row by row: texts, and numbers with one decimal."""
    with zipfile.ZipFile(io.BytesIO(workbook)) as package:
        shared = ElementTree.fromstring(package.read("xl/sharedStrings.xml"))
        sheet = ElementTree.fromstring(package.read("xl/worksheets/sheet1.xml"))
    texts = ["".join(item.itertext()) for item in shared]
    return [[_text(cell, texts) for cell in row] for row in sheet.iter(f"{_MAIN}row")]


def lines_of(spreadsheet: bytes) -> list[list[str]]:
    """Return the cells of a spreadsheet in OpenDocument, row by row, as they are shown."""
    with zipfile.ZipFile(io.BytesIO(spreadsheet)) as package:
        content = ElementTree.fromstring(package.read("content.xml"))
    rows = content.iter(f"{_TABLE}table-row")
    return [["".join(cell.itertext()) for cell in row] for row in rows]


def _text(cell: ElementTree.Element, texts: list[str]) -> str:
    value = cell.findtext(f"{_MAIN}v") or ""
    return texts[int(value)] if cell.get("t") == "s" else f"{float(value):.1f}"
