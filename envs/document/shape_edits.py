"""Tools that change shapes as a whole."""

from typing import Any, Literal

from pptx.dml.color import RGBColor
from pptx.util import Cm as Centimetres
from pptx.util import Pt

from pptarena.envs.document.document import Document
from pptarena.envs.document.tool import Cm, Color, Name, SlideId, Words
from pptarena.envs.machines.fake.text import write_text
from pptarena.errors import ActionError

__all__ = [
    "add_text_box",
    "delete_shape",
    "move_shape",
    "reorder_shape",
    "set_alt_text",
    "set_fill",
    "set_line",
    "set_link",
]


def add_text_box(
    document: Document,
    slide: SlideId,
    text: Words,
    left_cm: Cm,
    top_cm: Cm,
    width_cm: Cm,
    height_cm: Cm,
) -> str:
    """Add a text box; the answer names its id.

    Args:
        slide: Id of the slide.
        text: Its text; line breaks part paragraphs.
        left_cm: Its left edge.
        top_cm: Its upper edge.
        width_cm: Its width.
        height_cm: Its height.
    """
    _require_size(width_cm, height_cm)
    document.require_room(shapes=1)
    place = [Centimetres(each) for each in (left_cm, top_cm, width_cm, height_cm)]
    box = document.slide(slide).shapes.add_textbox(*place)
    box.text_frame.word_wrap = True
    write_text(box, text)
    return f"the new text box has the id {box.shape_id}"


def move_shape(
    document: Document,
    slide: SlideId,
    shape: SlideId,
    left_cm: Cm | None = None,
    top_cm: Cm | None = None,
    width_cm: Cm | None = None,
    height_cm: Cm | None = None,
    rotation_deg: Cm | None = None,
) -> str:
    """Move, resize or turn a shape; what is left out stays as it is.

    Args:
        slide: Id of the slide.
        shape: Id of the shape.
        left_cm: Its left edge; in a group, in the group's own measure.
        top_cm: Its upper edge.
        width_cm: Its width.
        height_cm: Its height.
        rotation_deg: Clockwise.
    """
    _require_size(width_cm, height_cm)
    found = document.shape(slide, shape)
    if rotation_deg is not None and (found.has_table or found.has_chart):
        raise ActionError(f"the shape {shape} cannot be turned")
    # A placeholder without a place of its own has four values or none.
    edges = {name: getattr(found, name) or 0 for name in ("left", "top", "width", "height")}
    given = {"left": left_cm, "top": top_cm, "width": width_cm, "height": height_cm}
    edges |= {name: Centimetres(each) for name, each in given.items() if each is not None}
    if any(each is not None for each in given.values()):
        for name, each in edges.items():
            setattr(found, name, each)
    if rotation_deg is not None:
        found.rotation = rotation_deg % 360
    return "moved"


def delete_shape(document: Document, slide: SlideId, shape: SlideId) -> str:
    """Delete a shape.

    Args:
        slide: Id of the slide.
        shape: Id of the shape.
    """
    element = document.shape(slide, shape)._element
    element.getparent().remove(element)
    return "deleted"


def reorder_shape(
    document: Document,
    slide: SlideId,
    shape: SlideId,
    to: Literal["front", "back", "forward", "backward"],
) -> str:
    """Move a shape among those it overlaps.

    Args:
        slide: Id of the slide.
        shape: Id of the shape.
        to: Where to; forward and backward are one place.
    """
    element = document.shape(slide, shape)._element
    tree = element.getparent()
    first = next(i for i, each in enumerate(tree) if _is_shape(each))
    last = max(i for i, each in enumerate(tree) if _is_shape(each))
    now = tree.index(element)
    place = {"front": last, "back": first, "forward": now + 1, "backward": now - 1}[to]
    tree.remove(element)
    tree.insert(min(max(place, first), last), element)
    return "reordered"


def set_fill(document: Document, slide: SlideId, shape: SlideId, color: Color | None) -> str:
    """Fill a shape with a colour.

    Args:
        slide: Id of the slide.
        shape: Id of the shape.
        color: As #RRGGBB; null for no fill.
    """
    found = document.shape(slide, shape)
    if not hasattr(found, "fill"):
        raise ActionError(f"the shape {shape} cannot be filled")
    if color is None:
        found.fill.background()
    else:
        found.fill.solid()
        found.fill.fore_color.rgb = _rgb(color)
    return "the fill is set"


def set_line(
    document: Document,
    slide: SlideId,
    shape: SlideId,
    color: Color | None = None,
    width_pt: float | None = None,
) -> str:
    """Set colour and width of a shape's outline, or of a line; what is left out stays as it is.

    Args:
        slide: Id of the slide.
        shape: Id of the shape.
        color: As #RRGGBB.
        width_pt: From 0 to 1584.
    """
    if width_pt is not None and not 0 <= width_pt <= 1584:
        raise ActionError(f"expected width_pt from 0 to 1584, got {width_pt}")
    found = document.shape(slide, shape)
    if not hasattr(found, "line"):
        raise ActionError(f"the shape {shape} has no outline")
    if color is not None:
        found.line.color.rgb = _rgb(color)
    if width_pt is not None:
        found.line.width = Pt(width_pt)
    return "the line is set"


def set_alt_text(document: Document, slide: SlideId, shape: SlideId, text: Words) -> str:
    """Describe a shape for people who cannot see it.

    Args:
        slide: Id of the slide.
        shape: Id of the shape.
        text: The description.
    """
    document.shape(slide, shape)._element._nvXxPr.cNvPr.set("descr", text)
    return "the alternative text is set"


def set_link(
    document: Document,
    slide: SlideId,
    shape: SlideId,
    address: Name | None = None,
    to_slide: SlideId | None = None,
) -> str:
    """Let a click on a shape lead somewhere; without a target, nowhere.

    Args:
        slide: Id of the slide.
        shape: Id of the shape.
        address: A web or mail address.
        to_slide: Id of a slide of this deck.
    """
    if address is not None and to_slide is not None:
        raise ActionError("expected address or to_slide, got both")
    target = document.slide(to_slide) if to_slide is not None else None
    found = document.shape(slide, shape)
    if not hasattr(found, "click_action"):
        raise ActionError(f"the shape {shape} cannot be a link")
    if target is not None:
        found.click_action.target_slide = target
    else:
        found.click_action.hyperlink.address = address
    return "the link is set" if address or target else "there is no link now"


def _rgb(color: str) -> Any:
    return RGBColor.from_string(color[1:].upper())  # type: ignore[no-untyped-call]


def _is_shape(element: Any) -> bool:
    return element.tag.rpartition("}")[2] in ("sp", "pic", "graphicFrame", "cxnSp", "grpSp")


def _require_size(*sides: float | None) -> None:
    if any(side is not None and side < 0 for side in sides):
        raise ActionError("expected a width and a height from 0")
