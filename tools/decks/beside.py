"""The files that lie beside the decks by data, by their place in ``tasks/decks/files``."""

import io
from collections.abc import Callable, Mapping
from functools import partial

from pptx import Presentation
from pptx.util import Cm

from tools.decks.freeze import frozen
from tools.decks.media import make_film, make_sound
from tools.decks.scenes import draw_scene

__all__ = ["BESIDE"]

_COSTS = (
    ("Item", "Planned", "Now"),
    ("Track", "41.2", "43.0"),
    ("Stops", "6.4", "6.1"),
    ("Bridge", "18.5", "23.4"),
    ("Vehicles", "22.9", "22.9"),
    ("Total", "89.0", "95.4"),
)
_SUMMARY = (
    "Line 9 links the main station and the old harbour in eleven minutes.",
    "Five stops, all without steps, open in December 2028.",
    "The city pays a third of the cost over four years.",
)


def _costs() -> bytes:
    """Return a deck of one slide with a table: an image without a spreadsheet can open it."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Line 9, costs in million euros, 20 November"
    size = (len(_COSTS), len(_COSTS[0]), Cm(3), Cm(5), Cm(19), Cm(9))
    table = slide.shapes.add_table(*size).table
    for row, texts in enumerate(_COSTS):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    return frozen(deck, "Costs", "Controlling")


def _summary() -> bytes:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Line 9 in three sentences"
    slide.placeholders[1].text = "\n".join(_SUMMARY)
    return frozen(deck, "Summary", "Translation Service")


def _picture(scene: str) -> bytes:
    stream = io.BytesIO()
    draw_scene(scene).save(stream, "PNG", optimize=True)
    return stream.getvalue()


BESIDE: Mapping[str, Callable[[], bytes]] = {
    "aurora/demo.avi": partial(make_film, "lamp"),
    "aurora/intro.wav": partial(make_sound, "bell"),
    "aurora/team.png": partial(_picture, "team"),
    "harbor/costs.pptx": _costs,
    "harbor/logo-new.png": partial(_picture, "new logo"),
    "harbor/stop.png": partial(_picture, "stop"),
    "harbor/summary-en.pptx": _summary,
    "harbor/tram.avi": partial(make_film, "tram"),
}
"""What makes each file."""
