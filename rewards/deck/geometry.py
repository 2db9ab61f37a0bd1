"""Reading where shapes are, through the coordinates of their groups."""

from dataclasses import dataclass

from lxml.etree import _Element

from pptarena.rewards.deck.names import A, find_path, int_attribute, local_name
from pptarena.rewards.deck.shape_model import Box

__all__ = ["SLIDE_FRAME", "Frame", "find_transform", "group_frame", "read_box"]

_LIMIT_EMU = 2**40


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

    Args:
        transforms: ``xfrm`` elements of the shape and of what it inherits from, nearest first.
        frame: Coordinates that the first of them is in.
    """
    for transform in transforms:
        offset, extent = transform.find(f"{A}off"), transform.find(f"{A}ext")
        if offset is None or extent is None:
            continue
        left, top, width, height = frame.place(
            int_attribute(offset, "x") or 0,
            int_attribute(offset, "y") or 0,
            int_attribute(extent, "cx") or 0,
            int_attribute(extent, "cy") or 0,
        )
        rotation = ((int_attribute(transform, "rot") or 0) / 60_000) % 360
        flips = (transform.get(name) in ("1", "true") for name in ("flipH", "flipV"))
        return Box(left, top, width, height, round(rotation, 2), *flips)
    return Box(0, 0, 0, 0)


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
    width, height = int_attribute(size, "cx") or 0, int_attribute(size, "cy") or 0
    scale_x = box.width / width if width else outer.scale_x
    scale_y = box.height / height if height else outer.scale_y
    return Frame(
        box.left - (int_attribute(origin, "x") or 0) * scale_x,
        box.top - (int_attribute(origin, "y") or 0) * scale_y,
        scale_x,
        scale_y,
    )


def _bounded(value: float) -> int:
    return round(max(-_LIMIT_EMU, min(_LIMIT_EMU, value)))
