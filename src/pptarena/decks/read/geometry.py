"""Read the position of shapes, including group transforms."""

import math
from dataclasses import dataclass, replace

from lxml.etree import _Element

from pptarena.decks.facts.shape import Box
from pptarena.decks.package.names import A, find_path, local_name
from pptarena.decks.read.numbers import ANGLE, COORDINATE, LENGTH, Span, bounded, int_attribute

__all__ = [
    "SLIDE_FRAME",
    "Frame",
    "carried",
    "find_transform",
    "group_frame",
    "read_box",
    "within",
]

_PLACES = Span(-(2**40), 2**40)


@dataclass(frozen=True, slots=True)
class Frame:
    """Transform from group coordinates to slide coordinates.

    A member is scaled, then flipped and rotated about the center of the group. If the member itself
    is rotated by 45 to 135 or 225 to 315 degrees, the scale factors of its width and height are
    swapped. PowerPoint does so, and LibreOffice follows (``Shape::createAndInsert`` in
    oox/source/drawingml/shape.cxx); ECMA-376 Part 1, 20.1.7.5 does not specify it.

    Attributes:
        inner_x: Horizontal center of the group in group coordinates.
        inner_y: Vertical center of the group in group coordinates.
        outer_x: Horizontal center of the group on the slide, in EMU.
        outer_y: Vertical center of the group on the slide, in EMU.
        scale_x: Horizontal slide EMU per group EMU.
        scale_y: Vertical slide EMU per group EMU.
        rotation_deg: Clockwise rotation of the group.
        flip_h: Whether the group is flipped horizontally before rotation.
        flip_v: Whether the group is flipped vertically before rotation.
    """

    inner_x: float = 0.0
    inner_y: float = 0.0
    outer_x: float = 0.0
    outer_y: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0
    rotation_deg: float = 0.0
    flip_h: bool = False
    flip_v: bool = False

    def place(self, box: Box) -> Box:
        """Return a box in group coordinates as a box on the slide."""
        scale_x, scale_y = self.scale_x, self.scale_y
        lies = 45 <= box.rotation_deg % 180 < 135
        width = abs(box.width * (scale_y if lies else scale_x))
        height = abs(box.height * (scale_x if lies else scale_y))
        x = (box.left + box.width / 2 - self.inner_x) * scale_x
        y = (box.top + box.height / 2 - self.inner_y) * scale_y
        rotation = box.rotation_deg
        if self.flip_h:
            x, rotation = -x, -rotation
        if self.flip_v:
            y, rotation = -y, -rotation
        if self.rotation_deg:
            angle = math.radians(self.rotation_deg)
            sine, cosine = math.sin(angle), math.cos(angle)
            x, y = x * cosine - y * sine, x * sine + y * cosine
            rotation += self.rotation_deg
        return Box(
            _bounded(self.outer_x + x - width / 2),
            _bounded(self.outer_y + y - height / 2),
            _bounded(width),
            _bounded(height),
            rotation % 360,
            box.flip_h != self.flip_h,
            box.flip_v != self.flip_v,
        )


SLIDE_FRAME = Frame()


def read_box(transforms: list[_Element], frame: Frame) -> Box:
    """Return the box of a shape.

    Position and size each come from the nearest element that sets them. Rotation and flips come
    from the nearest element; missing attributes mean none.

    Args:
        transforms: ``xfrm`` elements of the shape and its ancestors, nearest first.
        frame: Coordinate system of the first one.
    """
    return _rounded(_exact_box(transforms, frame))


def _exact_box(transforms: list[_Element], frame: Frame) -> Box:
    """Return the box of a shape without rounding its rotation."""
    if not transforms:
        return Box(0, 0, 0, 0)
    offset, extent = _nearest(transforms, "off"), _nearest(transforms, "ext")
    box = Box(
        int_attribute(offset, "x", COORDINATE) or 0,
        int_attribute(offset, "y", COORDINATE) or 0,
        int_attribute(extent, "cx", LENGTH) or 0,
        int_attribute(extent, "cy", LENGTH) or 0,
        ((int_attribute(transforms[0], "rot", ANGLE) or 0) / 60_000) % 360,
        transforms[0].get("flipH") in ("1", "true"),
        transforms[0].get("flipV") in ("1", "true"),
    )
    if frame is not SLIDE_FRAME:
        return frame.place(box)
    sides = (box.left, box.top, box.width, box.height)
    if all(_PLACES.least <= side <= _PLACES.most for side in sides):
        return box
    left, top, width, height = map(_bounded, sides)
    return replace(box, left=left, top=top, width=width, height=height)


def _rounded(box: Box) -> Box:
    if not box.rotation_deg:
        return box
    return replace(box, rotation_deg=round(box.rotation_deg, 2) % 360)


def _nearest(transforms: list[_Element], name: str) -> _Element | None:
    found = (transform.find(f"{A}{name}") for transform in transforms)
    return next((each for each in found if each is not None), None)


def find_transform(shape: _Element) -> _Element | None:
    """Return the ``xfrm`` of a shape element; None if it inherits its position."""
    for child in shape:
        name = local_name(child)
        if name == "xfrm":
            return child
        if name in ("spPr", "grpSpPr"):
            return child.find(f"{A}xfrm")
    return None


def group_frame(group: _Element, outer: Frame) -> Frame:
    """Return the transform of a group element that is placed in `outer`."""
    transform = find_transform(group)
    own, extent = find_path(transform, f"{A}off"), find_path(transform, f"{A}ext")
    if transform is None or own is None or extent is None:
        return outer
    box = _exact_box([transform], outer)
    # A group without child coordinates uses the surrounding ones.
    origin, size = transform.find(f"{A}chOff"), transform.find(f"{A}chExt")
    origin = own if origin is None else origin
    size = extent if size is None else size
    width = int_attribute(size, "cx", LENGTH) or 0
    height = int_attribute(size, "cy", LENGTH) or 0
    return Frame(
        (int_attribute(origin, "x", COORDINATE) or 0) + width / 2,
        (int_attribute(origin, "y", COORDINATE) or 0) + height / 2,
        box.left + box.width / 2,
        box.top + box.height / 2,
        box.width / width if width else outer.scale_x,
        box.height / height if height else outer.scale_y,
        box.rotation_deg,
        box.flip_h,
        box.flip_v,
    )


def within(box: Box, group: Box) -> Box:
    """Return a box on the slide relative to a group, as before the group was flipped and rotated.

    Args:
        box: Box of a member on the slide.
        group: Box of the group on the slide.
    """
    x, y = group.left + group.width / 2, group.top + group.height / 2
    turn = group.rotation_deg if group.flip_h != group.flip_v else -group.rotation_deg
    back = Frame(x, y, x, y, 1.0, 1.0, turn, group.flip_h, group.flip_v)
    return _rounded(back.place(box))


def carried(box: Box, was: Box, now: Box) -> Box:
    """Return the box of a member after its group was moved, scaled or rotated.

    Args:
        box: Original box of the member on the slide.
        was: Original box of the group.
        now: Current box of the group.
    """
    frame = Frame(
        was.left + was.width / 2,
        was.top + was.height / 2,
        now.left + now.width / 2,
        now.top + now.height / 2,
        now.width / was.width if was.width else 1.0,
        now.height / was.height if was.height else 1.0,
        now.rotation_deg,
        now.flip_h,
        now.flip_v,
    )
    return _rounded(frame.place(within(box, was)))


def _bounded(value: float) -> int:
    return bounded(value, _PLACES)
