"""Edits that add shapes and lines, and arrange several shapes."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.util import Cm as Centimeters
from pptx.util import Emu, Pt
from pydantic import Field

from pptarena.decks import Box
from pptarena.decks.read.geometry import SLIDE_FRAME, find_transform, group_frame, read_box
from pptarena.edits.addresses import shown
from pptarena.edits.markup import paint_color, require_width
from pptarena.edits.open_deck import OpenDeck
from pptarena.edits.text_frames import write_text
from pptarena.edits.values import Cm, Paint, ShapeRef, SlideRef, Text
from pptarena.errors import EditError

__all__ = [
    "add_connector",
    "add_shape",
    "align_shapes",
    "attach_connector",
    "distribute_shapes",
    "group_shapes",
    "ungroup_shape",
]

_Several = Annotated[list[ShapeRef], Field(min_length=2, max_length=100)]
_OUTLINES = {
    "rectangle": MSO_SHAPE.RECTANGLE,
    "rounded_rectangle": MSO_SHAPE.ROUNDED_RECTANGLE,
    "ellipse": MSO_SHAPE.OVAL,
    "triangle": MSO_SHAPE.ISOSCELES_TRIANGLE,
    "diamond": MSO_SHAPE.DIAMOND,
    "right_arrow": MSO_SHAPE.RIGHT_ARROW,
    "left_arrow": MSO_SHAPE.LEFT_ARROW,
    "up_arrow": MSO_SHAPE.UP_ARROW,
    "down_arrow": MSO_SHAPE.DOWN_ARROW,
    "chevron": MSO_SHAPE.CHEVRON,
    "star": MSO_SHAPE.STAR_5_POINT,
    "callout": MSO_SHAPE.RECTANGULAR_CALLOUT,
}
_Side = Literal["top", "left", "bottom", "right"]
# The connection sites of a rectangle are numbered from the top, counterclockwise.
_SITES = {"top": 0, "left": 1, "bottom": 2, "right": 3}
_CONNECTORS = {
    "straight": MSO_CONNECTOR.STRAIGHT,
    "elbow": MSO_CONNECTOR.ELBOW,
    "curved": MSO_CONNECTOR.CURVE,
}
_PLACE = ("left", "top", "width", "height")
_SIDES: Mapping[str, tuple[str, str, float]] = MappingProxyType({
    "left": ("left", "width", 0.0),
    "center": ("left", "width", 0.5),
    "right": ("left", "width", 1.0),
    "top": ("top", "height", 0.0),
    "middle": ("top", "height", 0.5),
    "bottom": ("top", "height", 1.0),
})  # fmt: skip


def add_shape(
    deck: OpenDeck,
    slide: SlideRef,
    outline: Literal[
        "rectangle", "rounded_rectangle", "ellipse", "triangle", "diamond", "right_arrow",
        "left_arrow", "up_arrow", "down_arrow", "chevron", "star", "callout",
    ],
    left_cm: Cm,
    top_cm: Cm,
    width_cm: Cm,
    height_cm: Cm,
    text: Text = "",
) -> int:  # fmt: skip
    """Add a shape.

    Args:
        slide: The slide.
        outline: What it looks like.
        left_cm: Its left edge.
        top_cm: Its upper edge.
        width_cm: Its width.
        height_cm: Its height.
        text: Its text; line breaks separate paragraphs.
    """
    if min(width_cm, height_cm) < 0:
        raise EditError("expected a width and a height from 0")
    deck.require_room(shapes=1)
    place = [Centimeters(each) for each in (left_cm, top_cm, width_cm, height_cm)]
    made = deck.slide(slide).shapes.add_shape(_OUTLINES[outline], *place)
    if text:
        write_text(made, text)
    return int(made.shape_id)


def add_connector(
    deck: OpenDeck,
    slide: SlideRef,
    start: ShapeRef,
    end: ShapeRef,
    kind: Literal["straight", "elbow", "curved"] = "straight",
    start_side: _Side | None = None,
    end_side: _Side | None = None,
    color: Paint | None = None,
    width_pt: float | None = None,
) -> int:
    """Connect two shapes by a line that stays with them.

    Args:
        slide: The slide.
        start: The shape where the line begins.
        end: The shape where the line ends.
        kind: How it runs.
        start_side: The side of the first shape; left or right by default.
        end_side: The side of the second shape; left or right by default.
        color: As #RRGGBB or a color of the theme such as tx1; that of the theme's lines by default.
        width_pt: Width of the line, from 0 to 1584; that of the theme's lines by default.
    """
    require_width(width_pt)
    first, second = _top_level(deck, slide, [start, end])
    deck.require_room(shapes=1)
    made = deck.slide(slide).shapes.add_connector(_CONNECTORS[kind], 0, 0, 0, 0)
    before = first.left + first.width / 2 <= second.left + second.width / 2
    made.begin_connect(first, _SITES[start_side or ("right" if before else "left")])
    made.end_connect(second, _SITES[end_side or ("left" if before else "right")])
    if color is not None:
        paint_color(made.line.color, color)
    if width_pt is not None:
        made.line.width = Pt(width_pt)
    return int(made.shape_id)


def attach_connector(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    start: ShapeRef | None = None,
    start_side: _Side = "right",
    end: ShapeRef | None = None,
    end_side: _Side = "left",
) -> None:
    """Attach the ends of a connector to shapes; an end without a shape stays as it is.

    Args:
        slide: The slide.
        shape: The connector.
        start: The shape where it begins.
        start_side: The side of that shape.
        end: The shape where it ends.
        end_side: The side of that shape.
    """
    line = deck.shape(slide, shape)
    if not hasattr(line, "begin_connect"):
        raise EditError(f"the shape {shown(shape)} is no connector")
    first = None if start is None else deck.shape(slide, start)
    last = None if end is None else deck.shape(slide, end)
    if first is not None:
        line.begin_connect(first, _SITES[start_side])
    if last is not None:
        line.end_connect(last, _SITES[end_side])


def group_shapes(deck: OpenDeck, slide: SlideRef, shapes: _Several) -> int:
    """Make a group of shapes.

    Args:
        slide: The slide.
        shapes: The shapes; none may be in a group or be a placeholder.
    """
    found = _top_level(deck, slide, shapes)
    if any(each.is_placeholder for each in found):
        raise EditError("placeholders cannot be grouped")
    deck.require_room(shapes=1)
    tree = deck.slide(slide).shapes
    order = {each._element: at for at, each in enumerate(tree)}
    group = tree.add_group_shape(sorted(found, key=lambda each: order[each._element]))
    return int(group.shape_id)


def ungroup_shape(deck: OpenDeck, slide: SlideRef, shape: ShapeRef) -> int:
    """Take a group apart; its members stay where they are seen.

    Args:
        slide: The slide.
        shape: The group.
    """
    (group,) = _top_level(deck, slide, [shape])
    element = group._element
    if not element.tag.endswith("}grpSp"):
        raise EditError(f"the shape {shown(shape)} is no group")
    members = list(group.shapes)
    for place in [_place_outside(element, each) for each in members]:
        place()
    for each in members:
        element.addprevious(each._element)
    element.getparent().remove(element)
    return len(members)


def align_shapes(
    deck: OpenDeck,
    slide: SlideRef,
    shapes: _Several,
    to: Literal["left", "center", "right", "top", "middle", "bottom"],
) -> int:
    """Align shapes with the first one.

    Args:
        slide: The slide.
        shapes: The shapes.
        to: Which of their edges, or middles, are at one place.
    """
    first, *others = _top_level(deck, slide, shapes)
    side, size, share = _SIDES[to]
    at = getattr(first, side) + getattr(first, size) * share
    for each in others:
        setattr(each, side, Emu(round(at - getattr(each, size) * share)))
    return len(shapes)


def distribute_shapes(
    deck: OpenDeck,
    slide: SlideRef,
    shapes: Annotated[list[ShapeRef], Field(min_length=3, max_length=100)],
    along: Literal["horizontal", "vertical"],
) -> int:
    """Leave equal gaps between shapes; the outermost two stay where they are.

    Args:
        slide: The slide.
        shapes: The shapes.
        along: In which direction.
    """
    side, size = ("left", "width") if along == "horizontal" else ("top", "height")
    found = sorted(_top_level(deck, slide, shapes), key=lambda each: getattr(each, side))
    first, last = found[0], found[-1]
    room = getattr(last, side) + getattr(last, size) - getattr(first, side)
    gap = (room - sum(getattr(each, size) for each in found)) / (len(found) - 1)
    at = float(getattr(first, side))
    for each in found[:-1]:
        setattr(each, side, Emu(round(at)))
        at += getattr(each, size) + gap
    return len(shapes)


def _top_level(deck: OpenDeck, slide: int | str, shapes: list[str]) -> list[Any]:
    """Return shapes that are in no group and have a place of their own."""
    if len(set(shapes)) < len(shapes):
        raise EditError("expected shapes of different ids")
    tree = deck.slide(slide).shapes._spTree
    found = [deck.shape(slide, each) for each in shapes]
    for each in found:
        if each._element.getparent() is not tree:
            raise EditError(f"the shape {each.shape_id} is in a group")
        if None in (each.left, each.top, each.width, each.height):
            raise EditError(f"the shape {each.shape_id} has no place")
    return found


def _place_outside(group: Any, member: Any) -> Callable[[], None]:
    """Return what gives a member the place on the slide that it has by its group."""
    transform = find_transform(member._element)
    left, top, width, height = (int(getattr(member, name) or 0) for name in _PLACE)
    own = Box(left, top, width, height) if transform is None else read_box([transform], SLIDE_FRAME)
    seen = group_frame(group, SLIDE_FRAME).place(own)

    def place() -> None:
        for name in _PLACE:
            setattr(member, name, Emu(getattr(seen, name)))
        transform = find_transform(member._element)
        if transform is None:
            return
        turned = {"rot": round(seen.rotation_deg * 60_000)}
        turned |= {"flipH": int(seen.flip_h), "flipV": int(seen.flip_v)}
        for name, value in turned.items():
            transform.attrib.pop(name, None)
            if value:
                transform.set(name, str(value))

    return place
