"""Edits of text and its formatting."""

import re
from collections.abc import Mapping
from copy import deepcopy
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pptx.oxml.ns import qn
from pptx.text.text import _Run
from pptx.util import Cm as Centimeters
from pptx.util import Pt
from pydantic import Field

from pptarena.decks.typefaces import set_typeface
from pptarena.edits.markup import paint_color
from pptarena.edits.open_deck import OpenDeck
from pptarena.edits.text_frames import ALIGNMENTS, select_paragraphs, select_runs, write_frame
from pptarena.edits.values import Name, Paint, Position, ShapeRef, SlideRef, Text
from pptarena.errors import EditError

__all__ = [
    "delete_paragraph",
    "replace_text",
    "set_bullets",
    "set_notes",
    "set_paragraph_format",
    "set_run_format",
    "set_text",
    "set_text_frame",
]

_BASELINES = {"normal": "0", "superscript": "30000", "subscript": "-25000"}
_DIRECTIONS = {"horizontal": "horz", "rotated_90": "vert", "rotated_270": "vert270"}
_STYLES: Mapping[str, tuple[str, dict[str, str]]] = MappingProxyType({
    "none": ("a:buNone", {}),
    "bullet": ("a:buChar", {"char": "\u2022"}),
    "number": ("a:buAutoNum", {"type": "arabicPeriod"}),
})  # fmt: skip
_BULLETS = tuple(map(qn, ("a:buNone", "a:buChar", "a:buAutoNum", "a:buBlip")))
_AFTER_BULLET = tuple(map(qn, ("a:tabLst", "a:defRPr", "a:extLst")))


def set_text(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    text: Text,
    paragraph: Position | None = None,
) -> None:
    """Replace the text of a shape, or of one paragraph; each keeps the format of its first run.

    Args:
        slide: The slide.
        shape: The shape.
        text: The new text; line breaks separate paragraphs.
        paragraph: Number of the paragraph, from 1; all by default.
    """
    frame = deck.text_frame(slide, shape)
    lines = [existing.text for existing in frame.paragraphs]
    if paragraph is not None:
        select_paragraphs(frame, paragraph)
        text = "\n".join([*lines[: paragraph - 1], text, *lines[paragraph:]])
    write_frame(frame, text)


def replace_text(deck: OpenDeck, old: Name, new: Text, slide: SlideRef | None = None) -> int:
    """Replace a string wherever one run of text contains it: in shapes, tables and groups.

    Args:
        old: The string to find; case matters.
        new: Its replacement.
        slide: The only slide to search; all by default.
    """
    count = 0
    slides = range(1, len(deck.presentation.slides) + 1) if slide is None else [slide]
    for address in slides:
        for text in deck.slide(address)._element.iter(qn("a:t")):
            times = (text.text or "").count(old)
            if times:
                text.text = text.text.replace(old, new)
            count += times
    if not count:
        raise EditError(f"no run of text has the words {old!r}; a word may be in several runs")
    return count


def set_run_format(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    paragraph: Position | None = None,
    run: Position | None = None,
    bold: bool | None = None,
    italic: bool | None = None,
    underline: bool | None = None,
    size_pt: float | None = None,
    font: Name | None = None,
    color: Paint | None = None,
    strike: bool | None = None,
    script: Literal["normal", "superscript", "subscript"] | None = None,
    text: Name | None = None,
) -> int:
    """Set the character formatting of text; what is left out stays as it is.

    Args:
        slide: The slide.
        shape: The shape.
        paragraph: Number of the paragraph, from 1; all by default.
        run: Number of the run in its paragraph, from 1; all by default.
        bold: Whether the text is bold.
        italic: Whether the text is italic.
        underline: Whether the text is underlined.
        size_pt: Font size, from 1 to 4000.
        font: Name of the font, for every script of the text.
        color: Color of the text, as #RRGGBB or a color of the theme such as tx2.
        strike: Whether the text is struck through.
        script: Whether the text is raised or lowered.
        text: Format only this part of a run, wherever it occurs; all of it by default.
    """
    if size_pt is not None and not 1 <= size_pt <= 4000:
        raise EditError(f"expected size_pt from 1 to 4000, got {size_pt}")
    runs = list(select_runs(deck.text_frame(slide, shape), paragraph, run))
    if text is not None:
        runs = [
            selected
            for candidate in runs
            if text in candidate.text
            for selected in _split(candidate, text)
        ]
    if not runs:
        raise EditError("there is no text to format")
    for selected in runs:
        for name, value in (("bold", bold), ("italic", italic), ("underline", underline)):
            if value is not None:
                setattr(selected.font, name, value)
        if size_pt is not None:
            selected.font.size = Pt(size_pt)
        if font is not None:
            set_typeface(selected._r.get_or_add_rPr(), selected.text, font)
        if color is not None:
            paint_color(selected.font.color, color)
        if strike is not None:
            selected._r.get_or_add_rPr().set("strike", "sngStrike" if strike else "noStrike")
        if script is not None:
            selected._r.get_or_add_rPr().set("baseline", _BASELINES[script])
    return len(runs)


def set_paragraph_format(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    paragraph: Position | None = None,
    align: Literal["left", "center", "right", "justify"] | None = None,
    level: Literal[0, 1, 2, 3, 4, 5, 6, 7, 8] | None = None,
    line_spacing: float | None = None,
    right_to_left: bool | None = None,
) -> int:
    """Set alignment, level and line spacing of paragraphs; what is left out stays as it is.

    Args:
        slide: The slide.
        shape: The shape.
        paragraph: Number of the paragraph, from 1; all by default.
        align: Horizontal alignment.
        level: Indentation level, from 0.
        line_spacing: In lines, from 0.1 to 10.
        right_to_left: Whether the text runs from right to left.
    """
    if line_spacing is not None and not 0.1 <= line_spacing <= 10:
        raise EditError(f"expected line_spacing from 0.1 to 10, got {line_spacing}")
    paragraphs = select_paragraphs(deck.text_frame(slide, shape), paragraph)
    for selected in paragraphs:
        if align is not None:
            selected.alignment = ALIGNMENTS[align]
        if level is not None:
            selected.level = level
        if line_spacing is not None:
            selected.line_spacing = float(line_spacing)
        if right_to_left is not None:
            selected._p.get_or_add_pPr().set("rtl", str(int(right_to_left)))
    return len(paragraphs)


def set_bullets(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    style: Literal["none", "bullet", "number"],
    paragraph: Position | None = None,
    indent_cm: Annotated[float, Field(ge=0, le=20)] | None = None,
) -> int:
    """Set the bullets or numbers of paragraphs.

    Args:
        slide: The slide.
        shape: The shape.
        style: A dot, a number, or none.
        paragraph: Number of the paragraph, from 1; all by default.
        indent_cm: Distance from the bullet to the text; as it is by default.
    """
    paragraphs = select_paragraphs(deck.text_frame(slide, shape), paragraph)
    for selected in paragraphs:
        properties = selected._p.get_or_add_pPr()
        for child in list(properties):
            if child.tag in _BULLETS:
                properties.remove(child)
        tag, attributes = _STYLES[style]
        successors = (
            position for position, child in enumerate(properties) if child.tag in _AFTER_BULLET
        )
        index = next(successors, len(properties))
        properties.insert(index, properties.makeelement(qn(tag), attributes))
        if indent_cm is not None:
            properties.set("marL", str(Centimeters(indent_cm)))
            properties.set("indent", str(-Centimeters(indent_cm)))
    return len(paragraphs)


def delete_paragraph(deck: OpenDeck, slide: SlideRef, shape: ShapeRef, paragraph: Position) -> None:
    """Delete a paragraph of a shape.

    Args:
        slide: The slide.
        shape: The shape.
        paragraph: Number of the paragraph, from 1.
    """
    frame = deck.text_frame(slide, shape)
    (selected,) = select_paragraphs(frame, paragraph)
    if len(frame.paragraphs) == 1:
        raise EditError("the only paragraph of a shape cannot be deleted; set its text instead")
    selected._p.getparent().remove(selected._p)


def set_text_frame(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    columns: Annotated[int, Field(ge=1, le=16)] | None = None,
    direction: Literal["horizontal", "rotated_90", "rotated_270"] | None = None,
) -> None:
    """Set how the text runs within a shape; what is left out stays as it is.

    Args:
        slide: The slide.
        shape: The shape.
        columns: Number of columns.
        direction: Direction of the lines.
    """
    properties = deck.text_frame(slide, shape)._txBody.bodyPr
    if columns is not None:
        properties.set("numCol", str(columns))
    if direction is not None:
        properties.set("vert", _DIRECTIONS[direction])


def set_notes(deck: OpenDeck, slide: SlideRef, text: Text) -> None:
    """Set the speaker notes of a slide.

    Args:
        slide: The slide.
        text: The notes; line breaks separate paragraphs.
    """
    target = deck.slide(slide)
    frame = target.notes_slide.notes_text_frame
    if frame is None:
        raise ValueError("the notes page has no placeholder for text")
    frame.text = text
    deck.changing(target)  # the notes page may be new


def _split(run: Any, text: str) -> list[Any]:
    """Split a run at every occurrence of a text, and return the runs that are this text."""
    pieces = [each for each in re.split(f"({re.escape(text)})", run.text) if each]
    runs = []
    for piece in pieces[:-1]:
        copy = deepcopy(run._r)
        run._r.addprevious(copy)
        runs.append(_Run(copy, run._parent))
        runs[-1].text = piece
    run.text = pieces[-1]
    return [each for each in (*runs, run) if each.text == text]
