"""The text of a paragraph outside of shapes: speaker notes, diagrams, titles of charts."""

from lxml.etree import _Element

from pptarena.decks.package.names import A
from pptarena.decks.read.text import run_text

__all__ = ["line_text"]


def line_text(paragraph: _Element, line_break: str = "\v") -> str:
    """Return the text of an ``a:p``; fields that change by themselves are their kind.

    Args:
        paragraph: The paragraph; its runs may stand in other elements.
        line_break: What an ``a:br`` reads as.
    """
    texts = []
    for each in paragraph.iter(f"{A}t", f"{A}br"):
        parent = each.getparent()
        if each.tag == f"{A}br":
            texts.append(line_break)
        elif parent is not None and parent.tag == f"{A}fld":
            texts.append(run_text(parent))
        else:
            texts.append(each.text or "")
    return "".join(texts)
