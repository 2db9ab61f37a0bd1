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

_ShapeRefs = Annotated[list[ShapeRef], Field(min_length=2, max_length=100)]
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
_CONNECTION_SITES = {"top": 0, "left": 1, "bottom": 2, "right": 3}
_CONNECTORS = {
    "straight": MSO_CONNECTOR.STRAIGHT,
    "elbow": MSO_CONNECTOR.ELBOW,
    "curved": MSO_CONNECTOR.CURVE,
}
_BOUNDS = ("left", "top", "width", "height")
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
    box = [Centimeters(length_cm) for length_cm in (left_cm, top_cm, width_cm, height_cm)]
    added = deck.slide(slide).shapes.add_shape(_OUTLINES[outline], *box)
    if text:
        write_text(added, text)
    return int(added.shape_id)


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
    line = deck.slide(slide).shapes.add_connector(_CONNECTORS[kind], 0, 0, 0, 0)
    is_left = first.left + first.width / 2 <= second.left + second.width / 2
    line.begin_connect(first, _CONNECTION_SITES[start_side or ("right" if is_left else "left")])
    line.end_connect(second, _CONNECTION_SITES[end_side or ("left" if is_left else "right")])
    if color is not None:
        paint_color(line.line.color, color)
    if width_pt is not None:
        line.line.width = Pt(width_pt)
    return int(line.shape_id)


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
    start_shape = None if start is None else deck.shape(slide, start)
    end_shape = None if end is None else deck.shape(slide, end)
    if start_shape is not None:
        line.begin_connect(start_shape, _CONNECTION_SITES[start_side])
    if end_shape is not None:
        line.end_connect(end_shape, _CONNECTION_SITES[end_side])


def group_shapes(deck: OpenDeck, slide: SlideRef, shapes: _ShapeRefs) -> int:
    """Make a group of shapes.

    Args:
        slide: The slide.
        shapes: The shapes; none may be in a group or be a placeholder.
    """
    members = _top_level(deck, slide, shapes)
    if any(member.is_placeholder for member in members):
        raise EditError("placeholders cannot be grouped")
    deck.require_room(shapes=1)
    tree = deck.slide(slide).shapes
    order = {member._element: index for index, member in enumerate(tree)}
    group = tree.add_group_shape(sorted(members, key=lambda member: order[member._element]))
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
    for apply_placement in [_ungrouped_placement(element, member) for member in members]:
        apply_placement()
    for member in members:
        element.addprevious(member._element)
    element.getparent().remove(element)
    return len(members)


def align_shapes(
    deck: OpenDeck,
    slide: SlideRef,
    shapes: _ShapeRefs,
    to: Literal["left", "center", "right", "top", "middle", "bottom"],
) -> int:
    """Align shapes with the first one.

    Args:
        slide: The slide.
        shapes: The shapes.
        to: Which of their edges, or middles, are at one place.
    """
    first, *others = _top_level(deck, slide, shapes)
    side, size, fraction = _SIDES[to]
    target = getattr(first, side) + getattr(first, size) * fraction
    for other in others:
        setattr(other, side, Emu(round(target - getattr(other, size) * fraction)))
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
    ordered = sorted(_top_level(deck, slide, shapes), key=lambda member: getattr(member, side))
    first, last = ordered[0], ordered[-1]
    extent = getattr(last, side) + getattr(last, size) - getattr(first, side)
    gap = (extent - sum(getattr(member, size) for member in ordered)) / (len(ordered) - 1)
    position = float(getattr(first, side))
    for member in ordered[:-1]:
        setattr(member, side, Emu(round(position)))
        position += getattr(member, size) + gap
    return len(shapes)


def _top_level(deck: OpenDeck, slide: int | str, shapes: list[str]) -> list[Any]:
    """Return shapes that are not in a group and have their own position and size."""
    if len(set(shapes)) < len(shapes):
        raise EditError("expected shapes of different ids")
    tree = deck.slide(slide).shapes._spTree
    resolved = [deck.shape(slide, member) for member in shapes]
    for member in resolved:
        if member._element.getparent() is not tree:
            raise EditError(f"the shape {member.shape_id} is in a group")
        if None in (member.left, member.top, member.width, member.height):
            raise EditError(f"the shape {member.shape_id} has no place")
    return resolved


def _ungrouped_placement(group: Any, member: Any) -> Callable[[], None]:
    """Return a function that gives a member its position on the slide, outside its group."""
    transform = find_transform(member._element)
    left, top, width, height = (int(getattr(member, name) or 0) for name in _BOUNDS)
    box = Box(left, top, width, height) if transform is None else read_box([transform], SLIDE_FRAME)
    placed = group_frame(group, SLIDE_FRAME).place(box)

    def apply() -> None:
        for name in _BOUNDS:
            setattr(member, name, Emu(getattr(placed, name)))
        transform = find_transform(member._element)
        if transform is None:
            return
        attributes = {"rot": round(placed.rotation_deg * 60_000)}
        attributes |= {"flipH": int(placed.flip_h), "flipV": int(placed.flip_v)}
        for name, value in attributes.items():
            transform.attrib.pop(name, None)
            if value:
                transform.set(name, str(value))

    return apply
