"""Edits of shapes as a whole."""

from typing import Any, Literal

from pptx.util import Cm as Centimeters
from pptx.util import Pt

from pptarena.edits.addresses import shown
from pptarena.edits.markup import rgb
from pptarena.edits.open_deck import OpenDeck
from pptarena.edits.text_frames import write_text
from pptarena.edits.values import Cm, Color, ShapeRef, SlideRef, Text
from pptarena.errors import EditError

__all__ = [
    "add_text_box",
    "delete_shape",
    "move_shape",
    "reorder_shape",
    "set_fill",
    "set_line",
]


def add_text_box(
    deck: OpenDeck,
    slide: SlideRef,
    text: Text,
    left_cm: Cm,
    top_cm: Cm,
    width_cm: Cm,
    height_cm: Cm,
) -> int:
    """Add a text box.

    Args:
        slide: The slide.
        text: Its text; line breaks separate paragraphs.
        left_cm: Its left edge.
        top_cm: Its upper edge.
        width_cm: Its width.
        height_cm: Its height.
    """
    _require_size(width_cm, height_cm)
    deck.require_room(shapes=1)
    place = [Centimeters(each) for each in (left_cm, top_cm, width_cm, height_cm)]
    box = deck.slide(slide).shapes.add_textbox(*place)
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
    found = deck.shape(slide, shape)
    if rotation_deg is not None and (found.has_table or found.has_chart):
        raise EditError(f"the shape {shown(shape)} cannot be turned")
    # A placeholder without a place of its own has four values or none.
    edges = {name: getattr(found, name) or 0 for name in ("left", "top", "width", "height")}
    given = {"left": left_cm, "top": top_cm, "width": width_cm, "height": height_cm}
    edges |= {name: Centimeters(each) for name, each in given.items() if each is not None}
    if any(each is not None for each in given.values()):
        for name, each in edges.items():
            setattr(found, name, each)
    if rotation_deg is not None:
        found.rotation = rotation_deg % 360


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
    first = next(i for i, each in enumerate(tree) if _is_shape(each))
    last = max(i for i, each in enumerate(tree) if _is_shape(each))
    now = tree.index(element)
    place = {"front": last, "back": first, "forward": now + 1, "backward": now - 1}[to]
    tree.remove(element)
    tree.insert(min(max(place, first), last), element)


def set_fill(deck: OpenDeck, slide: SlideRef, shape: ShapeRef, color: Color | None) -> None:
    """Fill a shape with a color.

    Args:
        slide: The slide.
        shape: The shape.
        color: As #RRGGBB; null for no fill.
    """
    found = deck.shape(slide, shape)
    if not hasattr(found, "fill"):
        raise EditError(f"the shape {shown(shape)} cannot be filled")
    if color is None:
        found.fill.background()
    else:
        found.fill.solid()
        found.fill.fore_color.rgb = rgb(color)


def set_line(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    color: Color | None = None,
    width_pt: float | None = None,
) -> None:
    """Set color and width of a shape's outline, or of a line; what is left out stays as it is.

    Args:
        slide: The slide.
        shape: The shape.
        color: As #RRGGBB.
        width_pt: From 0 to 1584.
    """
    if width_pt is not None and not 0 <= width_pt <= 1584:
        raise EditError(f"expected width_pt from 0 to 1584, got {width_pt}")
    found = deck.shape(slide, shape)
    if not hasattr(found, "line"):
        raise EditError(f"the shape {shown(shape)} has no outline")
    if color is not None:
        found.line.color.rgb = rgb(color)
    if width_pt is not None:
        found.line.width = Pt(width_pt)


def _is_shape(element: Any) -> bool:
    return element.tag.rpartition("}")[2] in ("sp", "pic", "graphicFrame", "cxnSp", "grpSp")


def _require_size(*sides: float | None) -> None:
    if any(side is not None and side < 0 for side in sides):
        raise EditError("expected a width and a height from 0")
