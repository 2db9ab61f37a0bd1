"""Edits of text: typing, replacing, formatting."""

import copy
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.util import Cm, Pt

from pptarena.audits.meta_eval.finding import Slides, every_shape, shape_of, slide_of, slides_of
from pptarena.decks.typefaces import set_typeface

__all__ = [
    "add_text_box",
    "delete_paragraph",
    "insert_paragraph",
    "replace_text",
    "set_cell",
    "set_level",
    "set_notes",
    "split_runs",
    "style_all",
    "style_text",
    "style_titles",
    "type_over",
]


def type_over(deck: Any, slide: int, shape: str, text: str, paragraph: int | None = None) -> None:
    """Replace a paragraph (numbered from 0) or all text; the first run's formatting is kept."""
    body = shape_of(deck, slide, shape).text_frame
    if paragraph is not None:
        _set_paragraph(body.paragraphs[paragraph], text)
        return
    for old in body.paragraphs[1:]:
        old._p.getparent().remove(old._p)
    first = body.paragraphs[0]._p
    for line in reversed(text.split("\n")[1:]):
        added = copy.deepcopy(first)
        first.addnext(added)
        _set_paragraph(body.paragraphs[1], line)
    _set_paragraph(body.paragraphs[0], text.split("\n")[0])


def insert_paragraph(deck: Any, slide: int, shape: str, text: str, before: int) -> None:
    """Insert a paragraph formatted like the one that follows it."""
    body = shape_of(deck, slide, shape).text_frame
    there = body.paragraphs[before]._p
    there.addprevious(copy.deepcopy(there))
    _set_paragraph(body.paragraphs[before], text)


def delete_paragraph(deck: Any, slide: int, shape: str, paragraph: int) -> None:
    """Delete a paragraph."""
    found = shape_of(deck, slide, shape).text_frame.paragraphs[paragraph]._p
    found.getparent().remove(found)


def replace_text(
    deck: Any, old: str, new: str, slides: Slides = "all", shapes: bool = True, notes: bool = False
) -> None:
    """Replace a text within runs, on slides or in their notes."""
    for slide in slides_of(deck, slides):
        for run in _runs(slide, shapes, notes):
            if old in run.text:
                run.text = run.text.replace(old, new)


def split_runs(deck: Any, slide: int, shape: str, paragraph: int, parts: Sequence[str]) -> None:
    """Split the text of a paragraph into runs with the same formatting."""
    found = shape_of(deck, slide, shape).text_frame.paragraphs[paragraph]
    _set_paragraph(found, "".join(parts))
    _split(found, parts)


def style_text(
    deck: Any,
    slide: int,
    shape: str,
    paragraph: int,
    part: str | None = None,
    holder: int = 0,
    **look: Any,
) -> None:
    """Format a paragraph, or only `part`, which lies within one run (see `_style`).

    `holder` selects the run, from 0, if several contain `part`.
    """
    found = shape_of(deck, slide, shape).text_frame.paragraphs[paragraph]
    runs = list(found.runs)
    if part is not None:
        runs = [_cut_out(found, part, holder)]
    for run in runs:
        _style(run, look)


def style_all(deck: Any, slides: Slides = "all", **look: Any) -> None:
    """Format all text of slides, as after 'select all'."""
    for slide in slides_of(deck, slides):
        for run in _runs(slide, shapes=True, notes=False):
            _style(run, look)


def style_titles(deck: Any, slides: Slides = "all", **look: Any) -> None:
    """Format the titles of slides."""
    for slide in slides_of(deck, slides):
        for paragraph in slide.shapes.title.text_frame.paragraphs:
            for run in paragraph.runs:
                _style(run, look)


def set_cell(
    deck: Any, slide: int, shape: str, row: int, column: int, text: str, plain: bool = False
) -> None:
    """Replace the text of a cell (numbered from 0); `plain` removes its formatting."""
    body = shape_of(deck, slide, shape).table.cell(row, column).text_frame
    if plain:
        body.text = text
        for properties in body._txBody.xpath(".//a:rPr"):
            properties.getparent().remove(properties)
    else:
        _set_paragraph(body.paragraphs[0], text)


def set_level(deck: Any, slide: int, shape: str, paragraph: int, level: int) -> None:
    """Set the list level of a paragraph, from 0."""
    shape_of(deck, slide, shape).text_frame.paragraphs[paragraph].level = level


def set_notes(deck: Any, slide: int, text: str, parts: Sequence[str] = ()) -> None:
    """Set the speaker notes of a slide, as several runs if `parts` are given."""
    body = slide_of(deck, slide).notes_slide.notes_text_frame
    body.text = text
    if parts:
        _split(body.paragraphs[0], parts)


def add_text_box(deck: Any, slide: int, text: str, place_cm: Sequence[float], **look: Any) -> None:
    """Add a text box; `place_cm` is left, top, width, height."""
    box = slide_of(deck, slide).shapes.add_textbox(*(Cm(each) for each in place_cm))
    box.text_frame.text = text
    for run in box.text_frame.paragraphs[0].runs:
        _style(run, look)


def _runs(slide: Any, shapes: bool, notes: bool) -> Iterator[Any]:
    bodies = []
    if shapes:
        for shape in every_shape(slide.shapes):
            if shape.has_text_frame:
                bodies.append(shape.text_frame)
            elif getattr(shape, "has_table", False) and shape.has_table:
                bodies.extend(cell.text_frame for row in shape.table.rows for cell in row.cells)
    if notes and slide.has_notes_slide:
        bodies.append(slide.notes_slide.notes_text_frame)
    for body in bodies:
        for paragraph in body.paragraphs:
            yield from paragraph.runs


def _set_paragraph(paragraph: Any, text: str) -> None:
    runs = list(paragraph.runs)
    for run in runs[1:]:
        run._r.getparent().remove(run._r)
    (runs[0] if runs else paragraph.add_run()).text = text


def _split(paragraph: Any, parts: Sequence[str]) -> None:
    _set_paragraph(paragraph, parts[0])
    last = paragraph.runs[0]._r
    for part in parts[1:]:
        added = copy.deepcopy(last)
        last.addnext(added)
        last = added
        next(run for run in paragraph.runs if run._r is added).text = part


def _cut_out(paragraph: Any, part: str, holder: int) -> Any:
    """Split a run and return the run that holds a part of it."""
    whole = [run for run in paragraph.runs if part in run.text][holder]
    texts = [each for each in _around(whole.text, part) if each]
    elements = [whole._r, *(copy.deepcopy(whole._r) for _ in texts[1:])]
    for element, after in pairwise(elements):
        element.addnext(after)
    pieces = [run for run in paragraph.runs if any(run._r is each for each in elements)]
    for piece, text in zip(pieces, texts, strict=True):
        piece.text = text
    return pieces[texts.index(part)]


def _around(text: str, part: str) -> tuple[str, str, str]:
    before, _, after = text.partition(part)
    return before, part, after


def _style(run: Any, look: dict[str, Any]) -> None:
    """Format a run.

    Supported keys: bold, italic, underline (bool), size_pt, color (RRGGBB), theme_color (a name
    such as TEXT_2), font (a name, or None for the theme's font) and baseline_percent.
    """
    for name in ("bold", "italic", "underline"):
        if name in look:
            setattr(run.font, name, look[name])
    if "size_pt" in look:
        run.font.size = Pt(look["size_pt"])
    if look.get("font") is not None:
        set_typeface(run._r.get_or_add_rPr(), run.text, look["font"])
    elif "font" in look:
        run.font.name = None
    if "baseline_percent" in look:
        run._r.get_or_add_rPr().set("baseline", str(look["baseline_percent"] * 1000))
    if "theme_color" in look:
        run.font.color.theme_color = getattr(MSO_THEME_COLOR, look["theme_color"])
    if "color" in look:
        run.font.color.rgb = RGBColor.from_string(look["color"])  # type: ignore[no-untyped-call]
