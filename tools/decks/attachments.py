"""Attachments of the decks built from data, by their path in ``tasks/decks/files``."""

import datetime
import io
from collections.abc import Callable, Mapping
from functools import partial

import xlsxwriter
from pptx import Presentation

from tools.decks.media import make_film, make_sound
from tools.decks.reproducible import reproducible_file
from tools.decks.scenes import draw_scene
from tools.decks.sheets import BRIEF, FALLS, past_due, sales, timing

__all__ = ["ATTACHMENTS"]

_COSTS = (
    ("Track", 41.2, 43.0),
    ("Stops", 6.4, 6.1),
    ("Bridge", 18.5, 23.4),
    ("Vehicles", 22.9, 22.9),
)
_WRITTEN = datetime.datetime(2026, 11, 20, 9)
_SUMMARY = (
    "Line 9 links the main station and the old harbour in eleven minutes.",
    "Five stops, all without steps, open in December 2028.",
    "The city pays a third of the cost over four years.",
)


def _costs() -> bytes:
    """Return a workbook of one sheet, with a formula for each total."""
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True}) as book:
        book.set_properties({"author": "Controlling", "created": _WRITTEN})
        sheet = book.add_worksheet("Line 9")
        number_format = book.add_format({"num_format": "0.0"})
        sheet.write_row(0, 0, ("Item, million euros", "Planned", "Now"))
        for row, (item, *numbers) in enumerate(_COSTS, start=1):
            sheet.write(row, 0, item)
            sheet.write_row(row, 1, numbers, number_format)
        sheet.write(5, 0, "Total")
        for column, column_letter in ((1, "B"), (2, "C")):
            total = round(sum(float(row[column]) for row in _COSTS), 1)
            sheet.write_formula(
                5, column, f"=SUM({column_letter}2:{column_letter}5)", number_format, total
            )
        sheet.set_column(0, 0, 20)
    return stream.getvalue()


def _summary() -> bytes:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Line 9 in three sentences"
    slide.placeholders[1].text = "\n".join(_SUMMARY)
    return reproducible_file(deck, "Summary", "Translation Service")


def _picture(scene: str) -> bytes:
    stream = io.BytesIO()
    draw_scene(scene).save(stream, "PNG", optimize=True)
    return stream.getvalue()


ATTACHMENTS: Mapping[str, Callable[[], bytes]] = {
    "aurora/demo.avi": partial(make_film, "lamp"),
    "aurora/intro.wav": partial(make_sound, "bell"),
    "aurora/team.png": partial(_picture, "team"),
    "clinic/falls.csv": FALLS.encode,
    "field/brief.txt": BRIEF.encode,
    "harbor/costs.xlsx": _costs,
    "harbor/logo-new.png": partial(_picture, "new logo"),
    "harbor/stop.png": partial(_picture, "stop"),
    "harbor/summary-en.pptx": _summary,
    "harbor/tram.avi": partial(make_film, "tram"),
    "ledger/past-due.xlsx": past_due,
    "meridian/sales-q3.xlsx": sales,
    "thesis/timing.ods": timing,
}
"""The function that creates each file."""
