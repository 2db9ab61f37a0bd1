"""Read the position of shapes, including group transforms."""

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType

from lxml.etree import _Element

from pptarena.decks.facts.shape import Box
from pptarena.decks.package.names import A, children, find_path, local_name
from pptarena.decks.read.numbers import (
    ANGLE,
    COORDINATE,
    LENGTH,
    Span,
    clamp,
    int_attribute,
    number,
)

__all__ = [
    "SLIDE_FRAME",
    "Frame",
    "find_transform",
    "group_frame",
    "moved_with_group",
    "read_adjustments",
    "read_box",
    "read_path",
    "relative_to_group",
]

_POSITION_RANGE = Span(-(2**40), 2**40)


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
        is_sideways = 45 <= box.rotation_deg % 180 < 135
        width = abs(box.width * (scale_y if is_sideways else scale_x))
        height = abs(box.height * (scale_x if is_sideways else scale_y))
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
            _clamp(self.outer_x + x - width / 2),
            _clamp(self.outer_y + y - height / 2),
            _clamp(width),
            _clamp(height),
            rotation % 360,
            box.flip_h != self.flip_h,
            box.flip_v != self.flip_v,
        )


SLIDE_FRAME = Frame()


def read_box(transforms: list[_Element], frame: Frame) -> Box:
    """Return the box of a shape.

    Position and size each come from the nearest element that sets them. Rotation and flips come
    from the nearest element; missing attributes mean none.
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
    if all(_POSITION_RANGE.minimum <= side <= _POSITION_RANGE.maximum for side in sides):
        return box
    left, top, width, height = map(_clamp, sides)
    return replace(box, left=left, top=top, width=width, height=height)


def _rounded(box: Box) -> Box:
    if not box.rotation_deg:
        return box
    return replace(box, rotation_deg=round(box.rotation_deg, 2) % 360)


def _nearest(transforms: list[_Element], name: str) -> _Element | None:
    elements = (transform.find(f"{A}{name}") for transform in transforms)
    return next((each for each in elements if each is not None), None)


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
    offset, extent = find_path(transform, f"{A}off"), find_path(transform, f"{A}ext")
    if transform is None or offset is None or extent is None:
        return outer
    box = _exact_box([transform], outer)
    # A group without child coordinates uses the surrounding ones.
    origin, size = transform.find(f"{A}chOff"), transform.find(f"{A}chExt")
    origin = offset if origin is None else origin
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


def relative_to_group(box: Box, group: Box) -> Box:
    """Return a box on the slide relative to a group before its flips and rotation."""
    x, y = group.left + group.width / 2, group.top + group.height / 2
    rotation = group.rotation_deg if group.flip_h != group.flip_v else -group.rotation_deg
    inverse = Frame(x, y, x, y, 1.0, 1.0, rotation, group.flip_h, group.flip_v)
    return _rounded(inverse.place(box))


def moved_with_group(box: Box, old_group: Box, new_group: Box) -> Box:
    """Return the box of a member after its group was moved, scaled or rotated."""
    frame = Frame(
        old_group.left + old_group.width / 2,
        old_group.top + old_group.height / 2,
        new_group.left + new_group.width / 2,
        new_group.top + new_group.height / 2,
        new_group.width / old_group.width if old_group.width else 1.0,
        new_group.height / old_group.height if old_group.height else 1.0,
        new_group.rotation_deg,
        new_group.flip_h,
        new_group.flip_v,
    )
    return _rounded(frame.place(relative_to_group(box, old_group)))


def _clamp(value: float) -> int:
    return clamp(value, _POSITION_RANGE)


# Default adjustments of each preset (ECMA-376, presetShapeDefinitions.xml), which applications may
# write or omit. Each line lists the values and the presets that have them.
_DEFAULT_ADJUSTMENTS = """\
adj=4653: smileyFace
adj=8333: bracePair leftBracket rightBracket
adj=12500: bevel horizontalScroll star4 verticalScroll
adj=16667: bracketPair plaque round1Rect roundRect snip1Rect
adj=18750: noSmoking
adj=25000: can cube donut parallelogram plus sun trapezoid
adj=29289: octagon
adj=37500: star12 star16 star24 star32 star8
adj=50000: chevron diagStripe homePlate moon triangle
adj=100000: teardrop
adj1=12500: frame
adj1=23520: mathMinus mathMultiply mathPlus
adj1=50000: bentConnector3 curvedConnector3
vf=105146: decagon
adj=25000 vf=115470: hexagon
adj=28868 hf=115470: star6
adj=42533 hf=105146: star10
adj1=-20833 adj2=62500: cloudCallout wedgeEllipseCallout wedgeRectCallout
adj1=0 adj2=16667: snip2DiagRect
adj1=0 adj2=16200000: pie
adj1=6250 adj2=0: doubleWave
adj1=8333 adj2=50000: leftBrace rightBrace
adj1=10000 adj2=1763: gear9
adj1=12500 adj2=0: wave
adj1=15000 adj2=3526: gear6
adj1=16667 adj2=0: round2DiagRect round2SameRect snip2SameRect
adj1=16667 adj2=16667: snipRoundRect
adj1=16667 adj2=50000: ribbon ribbon2
adj1=23520 adj2=11760: mathEqual
adj1=25000 adj2=16667: swooshArrow
adj1=25000 adj2=25000: nonIsoscelesTrapezoid
adj1=33333 adj2=33333: halfFrame
adj1=50000 adj2=50000: bentConnector4 corner curvedConnector4 downArrow leftArrow
adj1=50000 adj2=50000: leftRightArrow notchedRightArrow rightArrow stripedRightArrow upArrow
adj1=50000 adj2=50000: upDownArrow
adj1=2700000 adj2=16200000: chord
adj1=16200000 adj2=0: arc
hf=102572 vf=105210: heptagon
hf=105146 vf=110557: pentagon
adj=19098 hf=105146 vf=110557: star5
adj=34601 hf=102572 vf=105210: star7
adj1=-20833 adj2=62500 adj3=16667: wedgeRoundRectCallout
adj1=22500 adj2=22500 adj3=22500: quadArrow
adj1=23520 adj2=5880 adj3=11760: mathDivide
adj1=23520 adj2=6600000 adj3=11760: mathNotEqual
adj1=25000 adj2=25000 adj3=25000: bentUpArrow leftRightUpArrow leftUpArrow
adj1=25000 adj2=50000 adj3=12500: ellipseRibbon ellipseRibbon2
adj1=25000 adj2=50000 adj3=25000: curvedDownArrow curvedLeftArrow curvedRightArrow
adj1=25000 adj2=50000 adj3=25000: curvedUpArrow
adj1=50000 adj2=50000 adj3=16667: leftRightRibbon
adj1=50000 adj2=50000 adj3=50000: bentConnector5 curvedConnector5
adj1=10800000 adj2=0 adj3=25000: blockArc
adj1=18515 adj2=18515 adj3=18515 adj4=48123: quadArrowCallout
adj1=18750 adj2=-8333 adj3=112500 adj4=-38333: accentBorderCallout1 accentCallout1
adj1=18750 adj2=-8333 adj3=112500 adj4=-38333: borderCallout1 callout1
adj1=25000 adj2=25000 adj3=25000 adj4=43750: bentArrow
adj1=25000 adj2=25000 adj3=25000 adj4=48123: leftRightArrowCallout upDownArrowCallout
adj1=25000 adj2=25000 adj3=25000 adj4=64977: downArrowCallout leftArrowCallout
adj1=25000 adj2=25000 adj3=25000 adj4=64977: rightArrowCallout upArrowCallout
adj1=12500 adj2=-1142319 adj3=1142319 adj4=10800000 adj5=12500: leftCircularArrow
adj1=12500 adj2=1142319 adj3=20457681 adj4=10800000 adj5=12500: circularArrow
adj1=12500 adj2=1142319 adj3=20457681 adj4=11942319 adj5=12500: leftRightCircularArrow
adj1=25000 adj2=25000 adj3=25000 adj4=43750 adj5=75000: uturnArrow
adj1=18750 adj2=-8333 adj3=18750 adj4=-16667 adj5=112500 adj6=-46667:\
 accentBorderCallout2 accentCallout2 borderCallout2 callout2
adj1=18750 adj2=-8333 adj3=18750 adj4=-16667 adj5=100000 adj6=-16667 adj7=112963 adj8=-8333:\
 accentBorderCallout3 accentCallout3 borderCallout3 callout3
"""


def read_adjustments(geometry: _Element | None) -> tuple[tuple[str, int], ...]:
    """Return names and values of the adjustments of a preset outline, sorted by name."""
    if geometry is None or local_name(geometry) != "prstGeom":
        return ()
    defaults = _default_adjustments().get(geometry.get("prst") or "", _NO_ADJUSTMENTS)
    values = dict(defaults)
    for guide in children(geometry.find(f"{A}avLst")):
        name, formula = guide.get("name") or "", (guide.get("fmla") or "").split()
        if name not in defaults:
            # Some applications write "adj1" for a single "adj", or the other way round.
            name = {"adj1": "adj", "adj": "adj1"}.get(name, name)
            name = name if name in defaults else guide.get("name") or ""
        if len(formula) == 2 and formula[0] == "val":
            values[name] = round(number(formula[1], COORDINATE) or 0)
    return tuple(sorted(values.items()))


def read_path(geometry: _Element | None) -> str:
    """Return a digest of the paths of an ``a:custGeom``; empty for other elements.

    Points are in hundredths of the path's width and height, so the digest is independent of the
    units and of rounding.
    """
    if geometry is None or local_name(geometry) != "custGeom":
        return ""
    digest = hashlib.sha256()
    for path in children(geometry.find(f"{A}pathLst")):
        extents = {"x": number(path.get("w"), LENGTH) or 0, "y": number(path.get("h"), LENGTH) or 0}
        extents |= {"wR": extents["x"], "hR": extents["y"]}
        parts = [f"{path.get('fill')} {path.get('stroke')}"]
        for step in path.iterdescendants():
            parts.append(local_name(step))
            for name, value in sorted((str(n), str(v)) for n, v in step.items()):
                parts.append(f"{name}={_scaled(value, extents.get(name, 0))}")
        digest.update(f"|{' '.join(parts)}".encode())
        if not extents["x"]:
            # These paths use the shape's own units, which formulas may refer to.
            guides = children(geometry.find(f"{A}gdLst"))
            formulas = (f"{each.get('name')}={each.get('fmla')}" for each in guides)
            digest.update(" ".join(formulas).encode())
    return digest.hexdigest()


_NO_ADJUSTMENTS: Mapping[str, int] = MappingProxyType({})


@cache
def _default_adjustments() -> Mapping[str, Mapping[str, int]]:
    by_preset: dict[str, Mapping[str, int]] = {}
    for line in _DEFAULT_ADJUSTMENTS.replace("\\\n", "").splitlines():
        values, _, presets = line.partition(":")
        pairs = (pair.partition("=") for pair in values.split())
        numbers = MappingProxyType({name: int(value) for name, _, value in pairs})
        by_preset.update(dict.fromkeys(presets.split(), numbers))
    return MappingProxyType(by_preset)


def _scaled(text: str, extent: float) -> str:
    value = number(text, COORDINATE)
    if value is None:
        return text
    if extent <= 0:
        return f"{value:g}"
    # The offset keeps quarters and thirds away from the rounding boundary.
    return f"{math.floor(100 * value / extent + 0.37)}"
