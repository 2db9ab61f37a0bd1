"""Tools that change words and how they look."""

from collections.abc import Iterator
from typing import Any, Literal

from pptx.dml.color import RGBColor
from pptx.enum.text import PP_ALIGN
from pptx.oxml.ns import qn
from pptx.util import Pt

from pptarena.decks.typefaces import set_typeface
from pptarena.envs.document.document import Document
from pptarena.envs.document.tool import Color, Name, Position, SlideId, Words
from pptarena.envs.machines.fake.text import write_text
from pptarena.errors import ActionError

__all__ = [
    "replace_text",
    "set_notes",
    "set_paragraph_format",
    "set_run_format",
    "set_text",
    "text_frame",
]

_ALIGNED = {
    "left": PP_ALIGN.LEFT,
    "center": PP_ALIGN.CENTER,
    "right": PP_ALIGN.RIGHT,
    "justify": PP_ALIGN.JUSTIFY,
}


def set_text(
    document: Document,
    slide: SlideId,
    shape: SlideId,
    text: Words,
    paragraph: Position | None = None,
) -> str:
    """Replace the text of a shape, or of one paragraph; each keeps the format of its first run.

    Args:
        slide: Id of the slide.
        shape: Id of the shape.
        text: The new text; line breaks part paragraphs.
        paragraph: Its number, from 1; all by default.
    """
    frame = text_frame(document, slide, shape)
    lines = [each.text for each in frame.paragraphs]
    if paragraph is not None:
        _require(paragraph, len(lines), "paragraph")
        text = "\n".join([*lines[: paragraph - 1], text, *lines[paragraph:]])
    write_text(_Framed(frame), text)
    return "the text is set"


def replace_text(document: Document, old: Name, new: Words, slide: SlideId | None = None) -> str:
    """Replace words wherever they stand in one run of text: shapes, tables and groups.

    Args:
        old: The words to find; case matters.
        new: What to write instead.
        slide: Id of the only slide to look at; all by default.
    """
    count = 0
    for each in document.slide_ids() if slide is None else [slide]:
        for text in document.slide(each)._element.iter(qn("a:t")):
            found = (text.text or "").count(old)
            if found:
                text.text = text.text.replace(old, new)
            count += found
    if not count:
        raise ActionError(f"no run of text has the words {old!r}; a word may be in several runs")
    return f"{count} replaced"


def set_run_format(
    document: Document,
    slide: SlideId,
    shape: SlideId,
    paragraph: Position | None = None,
    run: Position | None = None,
    bold: bool | None = None,
    italic: bool | None = None,
    underline: bool | None = None,
    size_pt: float | None = None,
    font: Name | None = None,
    color: Color | None = None,
) -> str:
    """Set how letters look; what is left out stays as it is.

    Args:
        slide: Id of the slide.
        shape: Id of the shape.
        paragraph: Its number, from 1; all by default.
        run: Number of the run in its paragraph, from 1; all by default.
        bold: Whether they are bold.
        italic: Whether they are italic.
        underline: Whether they are underlined.
        size_pt: Their size, from 1 to 4000.
        font: Name of the font, for every script of the text.
        color: Their colour, as #RRGGBB.
    """
    if size_pt is not None and not 1 <= size_pt <= 4000:
        raise ActionError(f"expected size_pt from 1 to 4000, got {size_pt}")
    found = list(_runs(text_frame(document, slide, shape), paragraph, run))
    if not found:
        raise ActionError("there are no letters there")
    for each in found:
        for name, value in (("bold", bold), ("italic", italic), ("underline", underline)):
            if value is not None:
                setattr(each.font, name, value)
        if size_pt is not None:
            each.font.size = Pt(size_pt)
        if font is not None:
            set_typeface(each._r.get_or_add_rPr(), each.text, font)
        if color is not None:
            each.font.color.rgb = RGBColor.from_string(color[1:].upper())  # type: ignore[no-untyped-call]
    return f"the format of {len(found)} runs is set"


def set_paragraph_format(
    document: Document,
    slide: SlideId,
    shape: SlideId,
    paragraph: Position | None = None,
    align: Literal["left", "center", "right", "justify"] | None = None,
    level: Literal[0, 1, 2, 3, 4, 5, 6, 7, 8] | None = None,
    line_spacing: float | None = None,
) -> str:
    """Set alignment, level and line spacing of paragraphs; what is left out stays as it is.

    Args:
        slide: Id of the slide.
        shape: Id of the shape.
        paragraph: Its number, from 1; all by default.
        align: Where its lines stand.
        level: How deep it is in the outline, from 0.
        line_spacing: In lines, from 0.1 to 10.
    """
    if line_spacing is not None and not 0.1 <= line_spacing <= 10:
        raise ActionError(f"expected line_spacing from 0.1 to 10, got {line_spacing}")
    found = _paragraphs(text_frame(document, slide, shape), paragraph)
    for each in found:
        if align is not None:
            each.alignment = _ALIGNED[align]
        if level is not None:
            each.level = level
        if line_spacing is not None:
            each.line_spacing = float(line_spacing)
    return f"the format of {len(found)} paragraphs is set"


def set_notes(document: Document, slide: SlideId, text: Words) -> str:
    """Set the speaker notes of a slide.

    Args:
        slide: Id of the slide.
        text: The notes; line breaks part paragraphs.
    """
    found = document.slide(slide)
    frame = found.notes_slide.notes_text_frame
    if frame is None:
        raise ValueError("the notes have no place for text")
    frame.text = text
    document.slide(slide)  # its notes may be new
    return "the notes are set"


def text_frame(document: Document, slide: int, shape: int) -> Any:
    """Return the text frame of a shape.

    Raises:
        ActionError: If it has none.
    """
    found = document.shape(slide, shape)
    if not found.has_text_frame:
        raise ActionError(f"the shape {shape} of slide {slide} holds no text")
    return found.text_frame


class _Framed:
    """What has a text frame."""

    def __init__(self, frame: Any) -> None:
        self.text_frame = frame


def _paragraphs(frame: Any, paragraph: int | None) -> list[Any]:
    found = list(frame.paragraphs)
    if paragraph is None:
        return found
    _require(paragraph, len(found), "paragraph")
    return [found[paragraph - 1]]


def _runs(frame: Any, paragraph: int | None, run: int | None) -> Iterator[Any]:
    for each in _paragraphs(frame, paragraph):
        runs = list(each.runs)
        if run is None:
            yield from runs
        elif run <= len(runs):
            yield runs[run - 1]


def _require(number: int, count: int, what: str) -> None:
    if number > count:
        raise ActionError(f"expected a {what} from 1 to {count}, got {number}")
