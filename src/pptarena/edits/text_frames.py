"""Read, write and format the text of a shape; unchanged paragraphs are not touched."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from pptx.enum.text import PP_ALIGN
from pptx.util import Pt

from pptarena.errors import EditError

__all__ = [
    "ALIGNMENTS",
    "align",
    "paragraphs_of",
    "read_text",
    "runs_of",
    "select_paragraphs",
    "select_runs",
    "set_size",
    "toggle_format",
    "write_frame",
    "write_text",
]

ALIGNMENTS = {
    "left": PP_ALIGN.LEFT,
    "center": PP_ALIGN.CENTER,
    "right": PP_ALIGN.RIGHT,
    "justify": PP_ALIGN.JUSTIFY,
}
DEFAULT_SIZE_PT = 18
SIZES_PT = (6, 96)


def read_text(shape: Any) -> str:
    """Return the text of a shape, paragraphs separated by newlines; ``""`` if it has none."""
    if not shape.has_text_frame:
        return ""
    return "\n".join(paragraph.text for paragraph in shape.text_frame.paragraphs)


def paragraphs_of(shape: Any | None) -> list[Any]:
    """Return the paragraphs of a shape, none for None or for a shape without text."""
    return [] if shape is None or not shape.has_text_frame else list(shape.text_frame.paragraphs)


def runs_of(paragraphs: Sequence[Any]) -> list[Any]:
    """Return the runs of paragraphs."""
    return [run for paragraph in paragraphs for run in paragraph.runs]


def select_paragraphs(frame: Any, number: int | None) -> list[Any]:
    """Return the paragraph of a text frame with a number from 1, or all.

    Raises:
        EditError: If there is no such paragraph.
    """
    paragraphs = list(frame.paragraphs)
    if number is not None and number > len(paragraphs):
        raise EditError(f"expected a paragraph from 1 to {len(paragraphs)}, got {number}")
    return paragraphs if number is None else [paragraphs[number - 1]]


def select_runs(frame: Any, paragraph: int | None, run: int | None) -> list[Any]:
    """Return runs of a text frame by their numbers from 1; None stands for all.

    Raises:
        EditError: If there is no such paragraph.
    """
    selected = select_paragraphs(frame, paragraph)
    if run is None:
        return runs_of(selected)
    return [each for line in selected for each in line.runs[run - 1 : run]]


def write_text(shape: Any, text: str) -> None:
    """Replace the text of a shape; equal paragraphs are not touched.

    A changed paragraph takes the format of its first run, a new one that of the last paragraph.
    """
    write_frame(shape.text_frame, text)


def write_frame(frame: Any, text: str) -> None:
    """Replace the text of a text frame; see `write_text`."""
    lines = text.split("\n")
    while len(frame.paragraphs) < len(lines):
        last = frame.paragraphs[-1]._p
        last.addnext(deepcopy(last))
    for paragraph in frame.paragraphs[len(lines) :]:
        paragraph._p.getparent().remove(paragraph._p)
    for paragraph, line in zip(frame.paragraphs, lines, strict=True):
        if paragraph.text != line:
            _write_paragraph(paragraph, line)


def toggle_format(paragraphs: Sequence[Any], name: str) -> None:
    """Set bold, italic or underline on all runs, or clear it if all have it."""
    runs = runs_of(paragraphs)
    value = not all(bool(getattr(run.font, name)) for run in runs)
    for run in runs:
        setattr(run.font, name, value)


def align(paragraphs: Sequence[Any], to: PP_ALIGN) -> None:
    """Align paragraphs."""
    for paragraph in paragraphs:
        paragraph.alignment = to


def set_size(paragraphs: Sequence[Any], step_pt: int) -> None:
    """Make every run larger or smaller by some points."""
    for run in runs_of(paragraphs):
        size = run.font.size.pt if run.font.size else DEFAULT_SIZE_PT
        run.font.size = Pt(min(max(size + step_pt, SIZES_PT[0]), SIZES_PT[1]))


def _write_paragraph(paragraph: Any, line: str) -> None:
    runs = paragraph.runs
    for child in list(paragraph._p):
        # Line breaks and fields are removed too: the new line replaces the entire content.
        if child.tag.endswith(("}r", "}br", "}fld")) and not (runs and child is runs[0]._r):
            paragraph._p.remove(child)
    (runs[0] if runs else paragraph.add_run()).text = line
