"""Edits of diagrams (SmartArt)."""

from typing import Any

from pptx.oxml import parse_xml
from pptx.oxml.ns import qn

from pptarena.edits.addresses import shown
from pptarena.edits.markup import write_part
from pptarena.edits.open_deck import OpenDeck
from pptarena.edits.values import ShapeRef, SlideRef, Text
from pptarena.errors import EditError

__all__ = ["set_diagram_text"]

_DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_DSP = "{http://schemas.microsoft.com/office/drawing/2008/diagram}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


def set_diagram_text(
    deck: OpenDeck, slide: SlideRef, shape: ShapeRef, old: Text, new: Text
) -> None:
    """Replace the text of an entry of a diagram (SmartArt).

    Args:
        slide: The slide.
        shape: The diagram.
        old: The whole text of the entry now.
        new: What it will say.
    """
    diagram = deck.shape(slide, shape)
    frame = next(diagram._element.iter(f"{_DGM}relIds"), None)
    if frame is None:
        raise EditError(f"the shape {shown(shape)} of slide {shown(slide)} is no diagram")
    part = diagram.part.related_part(frame.get(f"{_RELATION}dm"))
    root = parse_xml(part.blob)
    if not _replace_text(root.iter(f"{_DGM}t"), old, new):
        raise EditError(f"no entry of the diagram says {old!r}")
    write_part(part, root)
    # PowerPoint also stores a drawing of the diagram, which other applications show.
    for relation in diagram.part.rels.values():
        if relation.reltype.endswith("/diagramDrawing"):
            drawing = parse_xml(relation.target_part.blob)
            if _replace_text(drawing.iter(f"{_DSP}txBody"), old, new):
                write_part(relation.target_part, drawing)


def _replace_text(bodies: Any, old: str, new: str) -> bool:
    """Rewrite the first body of a text; it keeps the look of its first run."""
    for body in bodies:
        texts = list(body.iter(qn("a:t")))
        if texts and "".join(element.text or "" for element in texts) == old:
            texts[0].text = new
            for element in texts[1:]:
                element.text = ""
            return True
    return False
