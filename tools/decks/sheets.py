"""Spreadsheets and text files attached to decks."""

import datetime
import io
import zipfile
from collections.abc import Sequence
from xml.sax.saxutils import escape

import xlsxwriter

__all__ = ["BRIEF", "FALLS", "past_due", "sales", "timing"]

FALLS = """Ward,Falls 2025,Falls 2026
Maternity,6,6
Surgery,11,9
Children,4,3
Medicine,17,15
"""
"""The rows sum to the falls on slide 8 of the deck ``clinic``; their order is arbitrary."""

BRIEF = """Winter course 2027: what the three slides are to say (Maren, 9 November)

1. Why in winter
In winter the fields rest and so do we, at least a little, which is why we hold the course in
January: 18 farms came last year, and most of them told us afterwards that they would never have
found the two days in spring. There is also the law: the plans for manure are due on 31 March, so
whoever starts in February starts too late.

2. What we do on the two days
The first day belongs to the soil. Everybody brings 3 samples from home, and we read them together
in the morning; after lunch we walk to the brook and dig. On the second day we reckon: each farm
leaves with a plan for manure on 1 page. Nobody has to calculate alone.

3. What it costs
Members pay 40 euros for both days, others 65. Lunch is in the price. There are 24 places and no
waiting list, so please write to Tilo by 12 December.
"""

_DATE = (2026, 10, 1, 8, 0, 0)
_CREATED = datetime.datetime(*_DATE)

_SALES = (
    ("North", 6.1, 5.7, 5.0),
    ("East", 3.8, 3.5, 3.2),
    ("South", 5.0, 4.7, 4.2),
    ("West", 2.5, 2.4, 2.5),
)

# One loan per row: branch, days past due, million francs, whether it is in recovery.
_PAST_DUE = (
    ("Aarfeld", 34, 0.6, ""),
    ("Kastell", 112, 0.9, ""),
    ("Erlen", 61, 0.4, ""),
    ("Birkenau", 240, 0.5, "in recovery"),
    ("Kastell", 45, 1.2, ""),
    ("Dornbach", 89, 0.3, ""),
    ("Aarfeld", 97, 0.4, ""),
    ("Fluhmatt", 75, 0.6, "in recovery"),
    ("Birkenau", 38, 0.5, ""),
    ("Erlen", 181, 0.2, ""),
)

_ROWS = (
    ("Why roofs matter", 3.2),
    ("What is known", 5.8),
    ("Site and methods", 8.1),
    ("Results", 12.7),
    ("A model of one layer", 7.0),
    ("Conclusions", 4.2),
)


def sales() -> bytes:
    """Return a workbook with the monthly revenue of each region, and a formula for each sum."""
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True}) as book:
        book.set_properties({"author": "Controlling", "created": _CREATED})
        sheet = book.add_worksheet("Q3 2026")
        number_format = book.add_format({"num_format": "0.0"})
        sheet.write_row(0, 0, ("Million euros", "July", "August", "September", "Quarter"))
        for row, (region, *months) in enumerate(_SALES, start=1):
            sheet.write(row, 0, region)
            sheet.write_row(row, 1, months, number_format)
            total = round(sum(map(float, months)), 1)
            sheet.write_formula(row, 4, f"=SUM(B{row + 1}:D{row + 1})", number_format, total)
        sheet.write(5, 0, "All regions")
        columns = [[float(row[month]) for row in _SALES] for month in (1, 2, 3)]
        sums = [round(sum(column), 1) for column in columns]
        for column, total in enumerate((*sums, round(sum(sums), 1)), start=1):
            column_letter = "ABCDE"[column]
            sheet.write_formula(
                5, column, f"=SUM({column_letter}2:{column_letter}5)", number_format, total
            )
        sheet.set_column(0, 0, 16)
    return stream.getvalue()


def past_due() -> bytes:
    """Return a workbook with one loan per row."""
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True}) as book:
        book.set_properties({"author": "Credit Office", "created": _CREATED})
        sheet = book.add_worksheet("30 September")
        number_format = book.add_format({"num_format": "0.0"})
        sheet.write_row(0, 0, ("Branch", "Days past due", "CHF m", "State"))
        for row, (branch, days, amount, state) in enumerate(_PAST_DUE, start=1):
            sheet.write_row(row, 0, (branch, days))
            sheet.write(row, 2, amount, number_format)
            sheet.write(row, 3, state)
        sheet.set_column(0, 3, 16)
    return stream.getvalue()


def timing() -> bytes:
    """Return an OpenDocument spreadsheet with the minutes of each chapter at a rehearsal."""
    rows = "".join(_row((chapter, minutes)) for chapter, minutes in _ROWS)
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {_NAMES} '
        'office:version="1.2"><office:body><office:spreadsheet><table:table table:name="Rehearsal">'
        f"{_row(('Chapter', 'Minutes'))}{rows}</table:table></office:spreadsheet></office:body>"
        "</office:document-content>"
    )
    mime_type = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        '<?xml version="1.0" encoding="UTF-8"?><manifest:manifest '
        'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" '
        'manifest:version="1.2"><manifest:file-entry manifest:full-path="/" '
        f'manifest:media-type="{mime_type}"/><manifest:file-entry '
        'manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>'
    )
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as package:
        # The type must be the first entry and uncompressed, for programs to detect the format.
        package.writestr(zipfile.ZipInfo("mimetype", _DATE), mime_type)
        for name, text in (("content.xml", content), ("META-INF/manifest.xml", manifest)):
            info = zipfile.ZipInfo(name, _DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            package.writestr(info, text)
    return stream.getvalue()


_NAMES = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for short, name in (("office", "office"), ("table", "table"), ("text", "text"))
)


def _row(cells: Sequence[str | float]) -> str:
    return f"<table:table-row>{''.join(map(_cell, cells))}</table:table-row>"


def _cell(value: str | float) -> str:
    text = f"<text:p>{escape(str(value))}</text:p>"
    if isinstance(value, str):
        return f'<table:table-cell office:value-type="string">{text}</table:table-cell>'
    number = f'office:value-type="float" office:value="{value}"'
    return f"<table:table-cell {number}>{text}</table:table-cell>"
