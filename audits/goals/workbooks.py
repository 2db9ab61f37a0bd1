"""Read the small workbooks that tasks of the suite have beside their deck."""

import io
import zipfile
from xml.etree import ElementTree

__all__ = ["rows_of"]

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def rows_of(workbook: bytes) -> list[list[str]]:
    """Return the cells of the first sheet, row by row: texts, and numbers with one decimal."""
    with zipfile.ZipFile(io.BytesIO(workbook)) as package:
        shared = ElementTree.fromstring(package.read("xl/sharedStrings.xml"))
        sheet = ElementTree.fromstring(package.read("xl/worksheets/sheet1.xml"))
    texts = ["".join(item.itertext()) for item in shared]
    return [[_text(cell, texts) for cell in row] for row in sheet.iter(f"{_MAIN}row")]


def _text(cell: ElementTree.Element, texts: list[str]) -> str:
    value = cell.findtext(f"{_MAIN}v") or ""
    return texts[int(value)] if cell.get("t") == "s" else f"{float(value):.1f}"
