"""Edits that draw: new shapes, connectors, pasted and cropped pictures."""

import copy
from collections.abc import Sequence
from typing import Any

from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.util import Cm, Pt

from pptarena.audits.meta_eval.finding import shape_of, slide_of

__all__ = ["add_line", "add_shape", "crop_sides", "glue_line", "paste_shape"]

_LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


def add_shape(
    deck: Any,
    slide: int,
    place_cm: Sequence[float],
    text: str = "",
    color: str | None = None,
    name: str | None = None,
    geometry: str = "RECTANGLE",
) -> None:
    """Draw a shape.

    Args:
        deck: The presentation.
        slide: Slide number, from 1.
        place_cm: Left, top, width and height in cm.
        text: Text of the shape.
        color: Fill color as RRGGBB; None for the theme's.
        name: Name of the shape; None for the default.
        geometry: A member of ``MSO_SHAPE``.
    """
    place = (Cm(each) for each in place_cm)
    drawn = slide_of(deck, slide).shapes.add_shape(getattr(MSO_SHAPE, geometry), *place)
    if text:
        drawn.text_frame.text = text
    if name:
        drawn.name = name
    if color:
        drawn.fill.solid()
        drawn.fill.fore_color.rgb = RGBColor.from_string(color)  # type: ignore[no-untyped-call]
        drawn.line.fill.background()


def add_line(
    deck: Any, slide: int, ends_cm: Sequence[float], name: str, color: str = "1F2A44"
) -> None:
    """Draw an unattached straight connector; `ends_cm` is x1, y1, x2, y2 in cm."""
    ends = (Cm(each) for each in ends_cm)
    drawn = slide_of(deck, slide).shapes.add_connector(MSO_CONNECTOR.STRAIGHT, *ends)
    drawn.name = name
    drawn.line.width = Pt(2)
    drawn.line.color.rgb = RGBColor.from_string(color)  # type: ignore[no-untyped-call]


def glue_line(
    deck: Any, slide: int, line: str, begin: tuple[str, int], end: tuple[str, int] | None
) -> None:
    """Attach a connector to shapes; connection site 0 is top, 1 left, 2 bottom, 3 right."""
    found = shape_of(deck, slide, line)
    found.begin_connect(shape_of(deck, slide, begin[0]), begin[1])
    if end is not None:
        found.end_connect(shape_of(deck, slide, end[0]), end[1])


def paste_shape(
    deck: Any, slide: int, shape: str, to_slide: int, place_cm: Sequence[float] = ()
) -> None:
    """Copy a shape to another slide, to the same position or to `place_cm`."""
    old, new = slide_of(deck, slide), slide_of(deck, to_slide)
    added = copy.deepcopy(shape_of(deck, slide, shape)._element)
    for holder in added.iter():
        for key, value in holder.attrib.items():
            if key.startswith(_LINK):
                relation = old.part.rels[value]
                holder.set(key, new.part.relate_to(relation._target, relation.reltype))
    known = new._element.xpath(".//p:cNvPr/@id")
    added.xpath(".//p:cNvPr")[0].set("id", str(max(int(each) for each in known) + 1))
    new.shapes._spTree.append(added)
    if place_cm:
        pasted = new.shapes[-1]
        pasted.left, pasted.top, pasted.width, pasted.height = (Cm(each) for each in place_cm)


def crop_sides(
    deck: Any,
    slide: int,
    shape: str,
    left: float | None = None,
    right: float | None = None,
    top: float | None = None,
    bottom: float | None = None,
) -> None:
    """Set the share of a picture cropped on each side; the frame keeps its size."""
    found = shape_of(deck, slide, shape)
    for side, share in (("left", left), ("right", right), ("top", top), ("bottom", bottom)):
        if share is not None:
            setattr(found, f"crop_{side}", share)
