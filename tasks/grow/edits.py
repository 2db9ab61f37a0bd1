"""Edits of a python-pptx presentation at a site."""

from typing import Any

from lxml import etree
from lxml.etree import LxmlError
from pptx.exc import PythonPptxError
from pptx.oxml.ns import qn
from pptx.shapes.shapetree import SlideShapeFactory

from pptarena.decks.edits import shape_elements
from pptarena.decks.presentation import open_presentation as opened
from pptarena.decks.presentation import save_presentation as saved
from pptarena.tasks.grow.ground import Site

__all__ = [
    "EDIT_ERRORS",
    "element_of",
    "move_entry",
    "opened",
    "put_motion",
    "runs_of",
    "saved",
    "set_text",
    "shape_of",
    "slide_of",
]

EDIT_ERRORS = (
    AttributeError, AssertionError, IndexError, KeyError, LookupError, LxmlError,
    NotImplementedError, OSError, PythonPptxError, StopIteration, TypeError, ValueError,
)  # fmt: skip
"""Exceptions that an edit of an unusual deck may raise in python-pptx and lxml."""


def slide_of(presentation: Any, site: Site) -> Any:
    """Return the slide of a site."""
    return presentation.slides[site.number - 1]


def element_of(presentation: Any, site: Site, index: int | None = None) -> Any:
    """Return the XML element of the site's shape, or of another shape on its slide."""
    wanted = site.shape_index if index is None else index
    assert wanted is not None
    return shape_elements(slide_of(presentation, site)._element)[wanted]


def shape_of(presentation: Any, site: Site, index: int | None = None) -> Any:
    """Return the site's shape, or another shape on its slide."""
    shapes = slide_of(presentation, site).shapes
    return SlideShapeFactory(element_of(presentation, site, index), shapes)


def runs_of(shape: Any) -> list[Any]:
    """Return the non-empty runs of a shape's text."""
    return [run for each in shape.text_frame.paragraphs for run in each.runs if run.text]


def set_text(frame: Any, text: str) -> None:
    """Replace a text; the new text has the formatting of the first run."""
    first = frame.paragraphs[0]
    for paragraph in frame.paragraphs[1:]:
        paragraph._p.getparent().remove(paragraph._p)
    for child in list(first._p):
        if child.tag in (qn("a:br"), qn("a:fld")):
            first._p.remove(child)
    runs = first.runs
    for run in runs[1:]:
        first._p.remove(run._r)
    (runs[0] if runs else first.add_run()).text = text


def move_entry(presentation: Any, index: int, to: int) -> None:
    """Move a slide to another position, both 0-based."""
    entries = presentation.slides._sldIdLst
    entry = entries[index]
    entries.remove(entry)
    entries.insert(to, entry)


def put_motion(slide: Any, child: Any) -> None:
    """Insert a transition or timing element at its schema position, replacing the old one."""
    root = slide._element
    name = etree.QName(child).localname
    for old in list(root):
        inside = [etree.QName(each).localname for each in old.iter(tag=etree.Element)]
        if inside[0] == name or (inside[0] == "AlternateContent" and name in inside):
            root.remove(old)
    after = ("timing", "extLst") if name == "transition" else ("extLst",)
    for each in root:
        if etree.QName(each).localname in after:
            each.addprevious(child)
            return
    root.append(child)
