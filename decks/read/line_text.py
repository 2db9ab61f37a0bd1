"""The text of a paragraph outside of shapes: speaker notes, diagrams, titles of charts."""

from lxml.etree import _Element

from pptarena.decks.read.run_elements import run_elements, run_text

__all__ = ["line_text"]


def line_text(paragraph: _Element, line_break: str = "\v") -> str:
    """Return the text of an ``a:p``; fields that change by themselves are their kind.

    Args:
        paragraph: The paragraph.
        line_break: What an ``a:br`` reads as.
    """
    return "".join(map(run_text, run_elements(paragraph))).replace("\v", line_break)
