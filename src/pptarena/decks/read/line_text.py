"""Read paragraphs outside of shapes: speaker notes, diagrams, chart titles."""

from lxml.etree import _Element

from pptarena.decks.read.run_elements import run_elements, run_text

__all__ = ["line_text"]


def line_text(paragraph: _Element, line_break: str = "\v") -> str:
    """Return the text of an ``a:p``; automatic fields are represented by their type.

    Args:
        paragraph: The paragraph.
        line_break: Text for an ``a:br``.
    """
    return "".join(map(run_text, run_elements(paragraph))).replace("\v", line_break)
