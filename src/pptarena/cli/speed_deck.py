"""The deck that ``pptarena dev bench --scoring`` reads, and edits of it.

``speed_deck.pptx`` has small pictures. Loading replaces them with noise to reach the size of a deck
with photographs.
"""

import io
import zipfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

__all__ = ["EDITED_SLIDE", "SLIDES", "edit_deck", "speed_deck"]

SLIDES = 40
"""Number of slides; the file has about 10 MB."""

EDITED_SLIDE = 6
"""Number of the slide that edits change; it has bullets and a picture."""

_FILE = Path(__file__).with_name("speed_deck.pptx")
_PICTURE_PX = (560, 400)
_CM = 360_000


def speed_deck() -> bytes:
    """Return a deck of 40 slides with text, pictures, tables, charts, notes and animations."""
    from pptx import Presentation

    seeds, stream = count(1), io.BytesIO()
    with (
        zipfile.ZipFile(_FILE) as template,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as out,
    ):
        for name in template.namelist():
            is_picture = name.startswith("ppt/media/")
            out.writestr(name, _photograph(next(seeds)) if is_picture else template.read(name))
    stream.seek(0)
    return _save_twice(Presentation(stream))


def edit_deck(deck: bytes, number: int) -> bytes:
    """Return the deck after a small edit, which depends on the number."""
    from pptx import Presentation

    presentation = Presentation(io.BytesIO(deck))
    slide = presentation.slides[EDITED_SLIDE - 1]
    slide.shapes.title.text = f"Edited title {number}"
    edits: tuple[Callable[[Any], object], ...] = (_bold, _move, _annotate, _recolor, _add_slide)
    edits[number % len(edits)](presentation)
    return _save_twice(presentation)


def _save_twice(presentation: Any) -> bytes:
    from pptx import Presentation

    # Saving twice packs the parts of the original and of edited decks identically.
    for _ in range(2):
        stream = io.BytesIO()
        presentation.save(stream)
        stream.seek(0)
        presentation = Presentation(stream)
    return stream.getvalue()


def _photograph(seed: int) -> bytes:
    """Return a picture that compresses as poorly as a photograph."""
    import numpy as np
    from PIL import Image

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
    shape.left += _CM


def _annotate(presentation: Any) -> None:
    presentation.slides[EDITED_SLIDE - 1].notes_slide.notes_text_frame.text = "New notes"


def _recolor(presentation: Any) -> None:
    for shape in presentation.slides[SLIDES // 2 - 1].shapes:
        if shape.has_text_frame:
            shape.fill.solid()
            shape.fill.fore_color.theme_color = 5


def _add_slide(presentation: Any) -> None:
    layout = presentation.slides[EDITED_SLIDE - 1].slide_layout
    presentation.slides.add_slide(layout).shapes.title.text = "A new slide"


def _runs(presentation: Any) -> Iterator[Any]:
    for shape in presentation.slides[EDITED_SLIDE - 1].placeholders:
        for paragraph in shape.text_frame.paragraphs:
            yield from paragraph.runs
