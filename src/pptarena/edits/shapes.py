"""Edits of shapes as a whole."""

from typing import Annotated, Any, Literal

from pptx.oxml.ns import qn
from pptx.util import Cm as Centimeters
from pptx.util import Pt
from pydantic import Field

from pptarena.edits.addresses import shown
from pptarena.edits.markup import paint_color, require_width
from pptarena.edits.open_deck import OpenDeck
from pptarena.edits.slide_list import append_copy
from pptarena.edits.text_frames import write_text
from pptarena.edits.values import Cm, Name, Paint, ShapeRef, SlideRef, Text
from pptarena.errors import EditError

__all__ = [
    "add_text_box",
    "delete_shape",
    "duplicate_shape",
    "move_shape",
    "reorder_shape",
    "reset_position",
    "set_fill",
    "set_line",
]

_Arrow = Literal["none", "triangle", "stealth", "diamond", "oval", "arrow"]
_AFTER_ARROW = {
    "a:headEnd": (qn("a:tailEnd"), qn("a:extLst")),
    "a:tailEnd": (qn("a:extLst"),),
}
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


def add_text_box(
    deck: OpenDeck,
    slide: SlideRef,
    text: Text,
    left_cm: Cm,
    top_cm: Cm,
    width_cm: Cm,
    height_cm: Cm,
    wrap: bool = True,
) -> int:
    """Add a text box.

    Args:
        slide: The slide.
        text: Its text; line breaks separate paragraphs.
        left_cm: Its left edge.
        top_cm: Its upper edge.
        width_cm: Its width.
        height_cm: Its height.
        wrap: Whether lines break at the width.
    """
    _require_size(width_cm, height_cm)
    deck.require_room(shapes=1)
    bounds = [Centimeters(length_cm) for length_cm in (left_cm, top_cm, width_cm, height_cm)]
    box = deck.slide(slide).shapes.add_textbox(*bounds)
    if wrap:
        box.text_frame.word_wrap = True
    write_text(box, text)
    return int(box.shape_id)


def move_shape(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    left_cm: Cm | None = None,
    top_cm: Cm | None = None,
    width_cm: Cm | None = None,
    height_cm: Cm | None = None,
    rotation_deg: Cm | None = None,
) -> None:
    """Move, resize or turn a shape; what is left out stays as it is.

    Args:
        slide: The slide.
        shape: The shape.
        left_cm: Its left edge; in a group, in the group's own measure.
        top_cm: Its upper edge.
        width_cm: Its width.
        height_cm: Its height.
        rotation_deg: Clockwise.
    """
    _require_size(width_cm, height_cm)
    target = deck.shape(slide, shape)
    if rotation_deg is not None and (target.has_table or target.has_chart):
        raise EditError(f"the shape {shown(shape)} cannot be turned")
    # A placeholder without a place of its own has four values or none.
    edges = {name: getattr(target, name) or 0 for name in ("left", "top", "width", "height")}
    new_bounds = {"left": left_cm, "top": top_cm, "width": width_cm, "height": height_cm}
    edges |= {name: Centimeters(value) for name, value in new_bounds.items() if value is not None}
    if any(value is not None for value in new_bounds.values()):
        for name, length in edges.items():
            setattr(target, name, length)
    if rotation_deg is not None:
        target.rotation = rotation_deg % 360


def reset_position(deck: OpenDeck, slide: SlideRef, shape: ShapeRef) -> None:
    """Let a placeholder take position and size from its layout again.

    Args:
        slide: The slide.
        shape: The placeholder.
    """
    placeholder = deck.shape(slide, shape)
    if not placeholder.is_placeholder:
        raise EditError(f"the shape {shown(shape)} is no placeholder of a layout")
    transform = placeholder._element.spPr.find(qn("a:xfrm"))
    if transform is not None:
        transform.getparent().remove(transform)


def duplicate_shape(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    to_slide: SlideRef | None = None,
    name: Name | None = None,
) -> int:
    """Copy a shape, in the same position, to the front of its slide or of another one.

    Args:
        slide: The slide.
        shape: The shape.
        to_slide: The slide that gets the copy; the same by default.
        name: Name of the copy; as the shape by default.
    """
    source = deck.shape(slide, shape)
    target = deck.slide(slide if to_slide is None else to_slide)
    deck.require_room(shapes=1)
    copy = append_copy(source._element, target)
    if name is not None:
        next(copy.iter(qn("p:cNvPr"))).set("name", name)
    for element in copy.iter() if target.part is not source.part else ():
        for key, number in element.attrib.items():
            if key.startswith(_RELATION):
                relation = source.part.rels[number]
                is_external = relation.is_external
                linked = relation.target_ref if is_external else relation.target_part
                element.set(
                    key, target.part.relate_to(linked, relation.reltype, is_external=is_external)
                )
    return int(next(copy.iter(qn("p:cNvPr"))).get("id"))


def delete_shape(deck: OpenDeck, slide: SlideRef, shape: ShapeRef) -> None:
    """Delete a shape.

    Args:
        slide: The slide.
        shape: The shape.
    """
    element = deck.shape(slide, shape)._element
    element.getparent().remove(element)


def reorder_shape(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    to: Literal["front", "back", "forward", "backward"],
) -> None:
    """Move a shape among those it overlaps.

    Args:
        slide: The slide.
        shape: The shape.
        to: Where to; forward and backward are one place.
    """
    element = deck.shape(slide, shape)._element
    tree = element.getparent()
    first = next(i for i, child in enumerate(tree) if _is_shape(child))
    last = max(i for i, child in enumerate(tree) if _is_shape(child))
    current = tree.index(element)
    indices = {"front": last, "back": first, "forward": current + 1, "backward": current - 1}
    tree.remove(element)
    tree.insert(min(max(indices[to], first), last), element)


def set_fill(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    color: Paint | None,
    opacity_pct: Annotated[int, Field(ge=0, le=100)] = 100,
) -> None:
    """Fill a shape with a color.

    Args:
        slide: The slide.
        shape: The shape.
        color: As #RRGGBB or a color of the theme such as accent2; null for no fill.
        opacity_pct: From 0, which is invisible, to 100.
    """
    target = deck.shape(slide, shape)
    if not hasattr(target, "fill"):
        raise EditError(f"the shape {shown(shape)} cannot be filled")
    if color is None:
        target.fill.background()
    else:
        target.fill.solid()
        paint_color(target.fill.fore_color, color)
        if opacity_pct < 100:
            value = target.fill._xPr.find(qn("a:solidFill"))[0]
            value.append(value.makeelement(qn("a:alpha"), {"val": str(opacity_pct * 1000)}))


def set_line(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    color: Paint | None = None,
    width_pt: float | None = None,
    visible: Literal[False] | None = None,
    start_arrow: _Arrow | None = None,
    end_arrow: _Arrow | None = None,
) -> None:
    """Set the style of a shape's outline, or of a line; what is left out stays as it is.

    Args:
        slide: The slide.
        shape: The shape.
        color: As #RRGGBB or a color of the theme such as tx2.
        width_pt: From 0 to 1584.
        visible: False to remove the line.
        start_arrow: Arrowhead where a line starts.
        end_arrow: Arrowhead where a line ends.
    """
    require_width(width_pt)
    target = deck.shape(slide, shape)
    if not hasattr(target, "line"):
        raise EditError(f"the shape {shown(shape)} has no outline")
    if color is not None:
        paint_color(target.line.color, color)
    if width_pt is not None:
        target.line.width = Pt(width_pt)
    if visible is not None:
        target.line.fill.background()
    for name, arrow in (("a:headEnd", start_arrow), ("a:tailEnd", end_arrow)):
        if arrow is not None:
            _set_arrow(target.line._get_or_add_ln(), name, arrow)


def _set_arrow(line: Any, name: str, arrow: str) -> None:
    for old in line.findall(qn(name)):
        line.remove(old)
    successor = next((child for child in line if child.tag in _AFTER_ARROW[name]), None)
    new = line.makeelement(qn(name), {"type": arrow})
    line.append(new) if successor is None else successor.addprevious(new)


def _is_shape(element: Any) -> bool:
    return element.tag.rpartition("}")[2] in ("sp", "pic", "graphicFrame", "cxnSp", "grpSp")


def _require_size(*sides: float | None) -> None:
    if any(side is not None and side < 0 for side in sides):
        raise EditError("expected a width and a height from 0")
