"""A large ordinary deck, and edits of it, to measure how fast decks are read and scored."""

import io
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from PIL import Image
from pptx import Presentation
from pptx.util import Cm

from pptarena.tasks.decks.elements import (
    add_box,
    add_chart,
    add_label,
    add_slide,
    add_table,
    set_bullets,
)
from pptarena.tasks.decks.house import open_template
from pptarena.tasks.decks.looks import DNA
from pptarena.tasks.decks.motion import Appear, animate, set_transition

__all__ = ["EDITED_SLIDE", "SLIDES", "build", "edited"]

SLIDES = 40
"""Number of slides; the file has about 10 MB."""

EDITED_SLIDE = 6
"""The slide, from 1, that edits touch: it has bullets and a picture."""

_PICTURE_PX = (560, 400)
_WORDS = (
    "plan", "review", "budget", "market", "quarter", "supply", "energy", "growth", "team",
    "risk", "model", "client", "result", "margin", "service", "region", "output", "method",
)  # fmt: skip


def build() -> bytes:
    """Return a deck of 40 slides with text, pictures, tables, charts, notes and animations.

    The content is the same at every call; dates inside the file are not.
    """
    deck = open_template(DNA)
    words = _words(np.random.default_rng(7))
    kinds = (_text_slide, _picture_slide, _table_slide, _chart_slide, _diagram_slide)
    for number in range(1, SLIDES + 1):
        kinds[number % len(kinds)](deck, number, words)
    return _resaved(deck)


def edited(deck: bytes, number: int) -> bytes:
    """Return the deck after a small edit, a different one for each number."""
    presentation = Presentation(io.BytesIO(deck))
    slide = presentation.slides[EDITED_SLIDE - 1]
    slide.shapes.title.text = f"Edited title {number}"
    edits: tuple[Callable[[Any], object], ...] = (_bold, _move, _annotate, _recolor, _add_slide)
    edits[number % len(edits)](presentation)
    return _resaved(presentation)


def _resaved(presentation: Any) -> bytes:
    # Loaded once more, so that parts are packed alike in the original and after an edit.
    for _ in range(2):
        stream = io.BytesIO()
        presentation.save(stream)
        stream.seek(0)
        presentation = Presentation(stream)
    return stream.getvalue()


def _words(random: np.random.Generator) -> Callable[[int], str]:
    def some(count: int) -> str:
        return " ".join(random.choice(_WORDS, count)).capitalize()

    return some


def _text_slide(deck: Any, number: int, words: Callable[[int], str]) -> None:
    slide = add_slide(deck, "content", f"{number}. {words(4)}", notes=words(60))
    body = slide.placeholders[1]
    set_bullets(body, [f"{'>' * (line % 3)} {words(9)}" for line in range(8)])
    set_transition(slide, "fade")
    animate(slide, [Appear(body, line) for line in range(8)])


def _picture_slide(deck: Any, number: int, words: Callable[[int], str]) -> None:
    slide = add_slide(deck, "content", f"{number}. {words(4)}", notes=words(40))
    set_bullets(slide.placeholders[1], [words(6) for _ in range(4)])
    for place in range(2):
        picture = slide.shapes.add_picture(
            io.BytesIO(_photograph(10 * number + place)), Cm(2 + 11 * place), Cm(6), width=Cm(10)
        )
        picture.name = f"Photograph {place + 1}"
        picture._element.nvPicPr.cNvPr.set("descr", words(6))


def _table_slide(deck: Any, number: int, words: Callable[[int], str]) -> None:
    slide = add_slide(deck, "only", f"{number}. {words(4)}", notes=words(40))
    rows = [[words(1) for _ in range(6)] for _ in range(9)]
    add_table(slide, (2.0, 4.0, 20.0, 9.0), rows, [1] * 6, name="Figures")


def _chart_slide(deck: Any, number: int, words: Callable[[int], str]) -> None:
    slide = add_slide(deck, "only", f"{number}. {words(4)}", notes=words(40))
    random = np.random.default_rng(number)
    years = [str(2000 + year) for year in range(20)]
    values = {words(2): [float(v) for v in random.integers(1, 99, 20)] for _ in range(4)}
    add_chart(
        slide,
        (2.0, 4.0, 20.0, 9.0),
        "COLUMN_CLUSTERED",
        years,
        values,
        name="Chart",
        title=words(3),
    )


def _diagram_slide(deck: Any, number: int, words: Callable[[int], str]) -> None:
    slide = add_slide(deck, "only", f"{number}. {words(4)}", notes=words(40))
    boxes = [
        add_box(
            slide.shapes,
            (2.0 + 5 * (i % 4), 4.0 + 3 * (i // 4), 4.0, 2.0),
            words(3),
            name=f"Step {i}",
        )
        for i in range(12)
    ]
    for place in range(4):
        add_label(slide, (2.0 + 5 * place, 13.0, 4.0, 1.0), words(4), name=f"Remark {place}")
    animate(slide, [Appear(box) for box in boxes[:6]])


def _photograph(seed: int) -> bytes:
    """Return a picture that packs as badly as a photograph does."""
    width, height = _PICTURE_PX
    noise = np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)
    stream = io.BytesIO()
    Image.fromarray(noise).save(stream, "PNG", compress_level=1)
    return stream.getvalue()


def _bold(presentation: Any) -> None:
    for run in _runs(presentation):
        run.font.bold = True


def _move(presentation: Any) -> None:
    shape = presentation.slides[EDITED_SLIDE - 1].shapes[2]
    shape.left += Cm(1)


def _annotate(presentation: Any) -> None:
    presentation.slides[EDITED_SLIDE - 1].notes_slide.notes_text_frame.text = "New notes"


def _recolor(presentation: Any) -> None:
    for shape in presentation.slides[SLIDES // 2 - 1].shapes:
        if shape.has_text_frame:
            shape.fill.solid()
            shape.fill.fore_color.theme_color = 5


def _add_slide(presentation: Any) -> None:
    add_slide(presentation, "content", "A new slide")


def _runs(presentation: Any) -> Iterator[Any]:
    for shape in presentation.slides[EDITED_SLIDE - 1].placeholders:
        for paragraph in shape.text_frame.paragraphs:
            yield from paragraph.runs
