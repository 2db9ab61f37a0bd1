"""API calls that insert and format text."""

from collections.abc import Callable, Iterator
from typing import Any

from pptx.dml.color import RGBColor
from pptx.enum.text import PP_ALIGN
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Pt

from pptarena.benchmarks.pptc.constants import CONTENT_BOX, TEXT_BOX_HEIGHT
from pptarena.benchmarks.pptc.errors import Refusal
from pptarena.benchmarks.pptc.find import type_name
from pptarena.benchmarks.pptc.text_writing import append_text, clear, fonts, is_empty, new_paragraph
from pptarena.benchmarks.pptc.workspace import Workspace

__all__ = [
    "delete_text",
    "insert_bullet_point",
    "insert_note",
    "insert_text",
    "insert_textbox",
    "set_font_bold",
    "set_font_color",
    "set_font_italic",
    "set_font_size",
    "set_font_style",
    "set_font_underline",
    "set_line_space",
    "text_align",
]

_BULLET_INDENT = 285_750
_ALIGNMENTS = {"left": PP_ALIGN.LEFT, "center": PP_ALIGN.CENTER, "right": PP_ALIGN.RIGHT}


def insert_text(work: Workspace, text: str) -> None:
    """Append text to the selected object, formatted like its last run."""
    append_text(_frame(work), text)


def insert_bullet_point(work: Workspace, text: str) -> None:
    """Add a bulleted paragraph at the first level, left-aligned."""
    frame = _frame(work)
    # The original leaves an empty paragraph before it.
    reuses_paragraph = bool(text) and is_empty(frame) and not work.quirks
    paragraph = frame.paragraphs[0] if reuses_paragraph else new_paragraph(frame)
    paragraph.level = 0
    paragraph.alignment = PP_ALIGN.LEFT
    append_text(frame, text)
    selected = work.selected_object()
    if not getattr(selected, "is_placeholder", False):
        # Only a content placeholder inherits bullets.
        _add_bullet(paragraph)


def insert_note(work: Workspace, text: str) -> None:
    """Append text to the speaker notes of the slide."""
    frame = work.slide.notes_slide.notes_text_frame
    if frame is None:
        raise Refusal("expected notes with room for text, but the notes page has none")
    append_text(frame, text)


def insert_textbox(work: Workspace) -> None:
    """Insert an empty text box and select it."""
    left, top, width, _ = CONTENT_BOX
    work.current = work.slide.shapes.add_textbox(left, top, width, TEXT_BOX_HEIGHT)


def delete_text(work: Workspace) -> None:
    """Delete the text of the selected object."""
    for frame in _frames(work):
        clear(frame)


def set_font_size(work: Workspace, font_size: float) -> None:
    """Set the font size in points."""
    _format_fonts(work, lambda font: setattr(font, "size", Pt(font_size)))


def set_font_color(work: Workspace, color: RGBColor) -> None:
    """Set the text color."""
    _format_fonts(work, lambda font: setattr(font.color, "rgb", color))


def set_font_bold(work: Workspace) -> None:
    """Make the text bold."""
    _format_fonts(work, lambda font: setattr(font, "bold", True))


def set_font_italic(work: Workspace) -> None:
    """Make the text italic."""
    _format_fonts(work, lambda font: setattr(font, "italic", True))


def set_font_underline(work: Workspace) -> None:
    """Underline the text."""
    _format_fonts(work, lambda font: setattr(font, "underline", True))


def set_font_style(work: Workspace, font_name: str) -> None:
    """Set the typeface."""
    _format_fonts(work, lambda font: setattr(font, "name", font_name))


def set_line_space(work: Workspace, line_space_level: float = 0) -> None:
    """Set the line spacing in lines; 0 means single."""
    for paragraph in _paragraphs(work):
        paragraph.line_spacing = float(line_space_level) or 1.0


def text_align(side: str) -> Callable[[Workspace], None]:
    """Return the call that aligns all paragraphs to a side."""
    alignment = _ALIGNMENTS[side]

    def align(work: Workspace) -> None:
        for paragraph in _paragraphs(work):
            paragraph.alignment = alignment

    return align


def _format_fonts(work: Workspace, change: Callable[[Any], None]) -> None:
    for frame in _frames(work):
        for font in fonts(frame):
            change(font)


def _paragraphs(work: Workspace) -> Iterator[Any]:
    for frame in _frames(work):
        yield from frame.paragraphs


def _frame(work: Workspace) -> Any:
    if getattr(work.selected_object(), "has_table", False):
        raise Refusal("expected one text, got a table: call choose_table_cell first")
    return _frames(work)[0]


def _frames(work: Workspace) -> list[Any]:
    """Return the text frames of the selected object: one, or those of a table's cells."""
    selected = work.selected_object()
    if getattr(selected, "has_table", False):
        table = selected.table
        cells = [cell for row in table.rows for cell in row.cells if not cell.is_spanned]
        return [cell.text_frame for cell in cells]
    frame = getattr(selected, "text_frame", None)
    if frame is None:
        raise Refusal(f"expected something that holds text, got a {type_name(selected)}")
    return [frame]


def _add_bullet(paragraph: Any) -> None:
    properties = paragraph._p.get_or_add_pPr()
    if properties.find(qn("a:buChar")) is None:
        properties.set("marL", str(_BULLET_INDENT))
        properties.set("indent", str(-_BULLET_INDENT))
        properties.append(parse_xml(f'<a:buFont {nsdecls("a")} typeface="Arial"/>'))
        properties.append(parse_xml(f'<a:buChar {nsdecls("a")} char="•"/>'))
