"""Reading where shapes are, through the coordinates of their groups."""

from dataclasses import dataclass

from lxml.etree import _Element

from pptarena.decks.facts.shape import Box
from pptarena.decks.package.names import A, find_path, local_name
from pptarena.decks.read.numbers import ANGLE, COORDINATE, LENGTH, Span, bounded, int_attribute

__all__ = ["SLIDE_FRAME", "Frame", "find_transform", "group_frame", "read_box"]

_PLACES = Span(-(2**40), 2**40)


@dataclass(frozen=True, slots=True)
class Frame:
    """How the coordinates inside a group become those of the slide.

    Attributes:
        left: Where the group's own zero lies on the slide, in EMU.
        top: The same downwards.
        scale_x: EMU of the slide per EMU of the group, to the right.
        scale_y: The same downwards.
    """

    left: float = 0.0
    top: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0

    def place(self, left: int, top: int, width: int, height: int) -> tuple[int, int, int, int]:
        """Return left, top, width and height on the slide."""
        return (
            _bounded(self.left + left * self.scale_x),
            _bounded(self.top + top * self.scale_y),
            _bounded(abs(width * self.scale_x)),
            _bounded(abs(height * self.scale_y)),
        )


SLIDE_FRAME = Frame()


def read_box(transforms: list[_Element], frame: Frame) -> Box:
    """Return where a shape is.

    Place and size each come from the nearest element that has them; rotation and flips, which an
    element without these attributes sets to none, from the nearest element.

    Args:
        transforms: ``xfrm`` elements of the shape and of what it inherits from, nearest first.
        frame: Coordinates that the first of them is in.
    """
    if not transforms:
        return Box(0, 0, 0, 0)
    offset, extent = _nearest(transforms, "off"), _nearest(transforms, "ext")
    left, top, width, height = frame.place(
        int_attribute(offset, "x", COORDINATE) or 0,
        int_attribute(offset, "y", COORDINATE) or 0,
        int_attribute(extent, "cx", LENGTH) or 0,
        int_attribute(extent, "cy", LENGTH) or 0,
    )
    rotation = ((int_attribute(transforms[0], "rot", ANGLE) or 0) / 60_000) % 360
    flips = (transforms[0].get(name) in ("1", "true") for name in ("flipH", "flipV"))
    return Box(left, top, width, height, round(rotation, 2), *flips)


def _nearest(transforms: list[_Element], name: str) -> _Element | None:
    found = (transform.find(f"{A}{name}") for transform in transforms)
    return next((each for each in found if each is not None), None)


def find_transform(shape: _Element) -> _Element | None:
    """Return the ``xfrm`` of a shape element, None if it inherits its place."""
    for child in shape:
        name = local_name(child)
        if name == "xfrm":
            return child
        if name in ("spPr", "grpSpPr"):
            return child.find(f"{A}xfrm")
    return None


def group_frame(group: _Element, outer: Frame) -> Frame:
    """Return the coordinates inside a group element that stands in `outer`."""
    transform = find_transform(group)
    origin = find_path(transform, f"{A}chOff")
    size = find_path(transform, f"{A}chExt")
    if transform is None or origin is None or size is None:
        return outer
    box = read_box([transform], outer)
    width = int_attribute(size, "cx", LENGTH) or 0
    height = int_attribute(size, "cy", LENGTH) or 0
    scale_x = box.width / width if width else outer.scale_x
    scale_y = box.height / height if height else outer.scale_y
    return Frame(
        box.left - (int_attribute(origin, "x", COORDINATE) or 0) * scale_x,
        box.top - (int_attribute(origin, "y", COORDINATE) or 0) * scale_y,
        scale_x,
        scale_y,
    )


def _bounded(value: float) -> int:
    return bounded(value, _PLACES)
