"""API calls that resize, rotate, fill and move the selected object."""

from typing import Any

from pptx.dml.color import RGBColor
from pptx.oxml.ns import qn
from pptx.util import Cm

from pptarena.benchmarks.pptc.constants import GAP, MARGIN
from pptarena.benchmarks.pptc.errors import Refusal
from pptarena.benchmarks.pptc.find import canonical_name, find_last, type_name
from pptarena.benchmarks.pptc.workspace import Workspace

__all__ = [
    "align_corner",
    "align_slide",
    "move_edge",
    "rotate_element",
    "set_fill_color",
    "set_height",
    "set_width",
]


def get_box(shape: Any) -> tuple[int, int, int, int]:
    """Return left, top, width and height in EMU, including inherited values."""
    return (
        int(shape.left or 0),
        int(shape.top or 0),
        int(shape.width or 0),
        int(shape.height or 0),
    )


def put(
    shape: Any,
    left: int | None = None,
    top: int | None = None,
    width: int | None = None,
    height: int | None = None,
) -> None:
    """Move or resize a shape, in EMU; None keeps a value."""
    new_values = (left, top, width, height)
    box = [
        current if new_value is None else new_value
        for current, new_value in zip(get_box(shape), new_values, strict=True)
    ]
    # A placeholder with inherited geometry needs all four values, or it would lose the others.
    shape.left, shape.top = box[:2]
    if shape.has_table:
        _stretch(shape.table.columns, "width", box[2])
        _stretch(shape.table.rows, "height", box[3])
    shape.width, shape.height = box[2:]


def _stretch(parts: Any, side: str, total: int) -> None:
    """Scale rows or columns to a new total size."""
    sizes = [getattr(part, side) for part in parts]
    old_total = sum(sizes)
    if old_total == total or not old_total:
        return
    for part, size in zip(parts, sizes, strict=True):
        setattr(part, side, max(1, size * total // old_total))


def set_width(work: Workspace, width: float) -> None:
    """Set the width in cm."""
    put(work.selected_shape(), width=int(Cm(width)))


def set_height(work: Workspace, height: float) -> None:
    """Set the height in cm."""
    put(work.selected_shape(), height=int(Cm(height)))


def rotate_element(work: Workspace, angle: float) -> None:
    """Rotate clockwise by an angle in degrees."""
    shape = work.selected_shape()
    if shape._element.tag == qn("p:graphicFrame"):
        raise Refusal(f"expected something that can be turned, got a {type_name(shape)}")
    put(shape)
    shape.rotation = (shape.rotation + angle) % 360


def set_fill_color(work: Workspace, color: RGBColor) -> None:
    """Fill a shape, text box or cell with a solid color."""
    selected = work.selected_object()
    fill = getattr(selected, "fill", None)
    if fill is None:
        raise Refusal(f"expected something that can be filled, got a {type_name(selected)}")
    fill.solid()
    fill.fore_color.rgb = color


def move_edge(side: str) -> Any:
    """Return the call that moves an object to a position or next to another object.

    ``set_left(x)`` and ``set_top(y)`` take EMU. With two names, as in labels, the first object
    moves to that side of the second one; its position along the other axis stays.

    Args:
        side: ``left``, ``right``, ``top`` or ``bottom``.
    """

    def move(work: Workspace, beside: int | str | None = None, **position: int | str) -> None:
        first, second = position[side], beside
        if isinstance(first, str) and isinstance(second, str):
            _place_next_to(_resolve_object(work, first), find_last(work.slide, second), side)
            return
        if isinstance(first, str) or second is not None:
            raise Refusal("expected a position in EMU, or the words for two objects")
        shape = work.selected_shape()
        _, _, width, height = get_box(shape)
        if side in ("left", "right"):
            put(shape, left=first - (width if side == "right" else 0))
        else:
            put(shape, top=first - (height if side == "bottom" else 0))

    return move


def _resolve_object(work: Workspace, name: str) -> Any:
    """Return the selected object if its type matches, else the frontmost matching object."""
    selected = work.current
    is_on_slide = selected in tuple(work.slide.shapes)
    if is_on_slide and type_name(selected) == canonical_name(name):
        return selected
    return find_last(work.slide, name)


def _place_next_to(shape: Any, other: Any, side: str) -> None:
    if shape == other:
        raise Refusal("expected two objects, got the same one twice")
    left, top, width, height = get_box(other)
    _, _, own_width, own_height = get_box(shape)
    if side == "left":
        put(shape, left=left - own_width - GAP)
    elif side == "right":
        put(shape, left=left + width + GAP)
    elif side == "top":
        put(shape, top=top - own_height - GAP)
    else:
        put(shape, top=top + height + GAP)


def align_slide(side: str) -> Any:
    """Return the call that moves the selected object into one half or the center of the slide."""

    def align(work: Workspace) -> None:
        shape = work.selected_shape()
        _, _, width, height = get_box(shape)
        center_x, center_y = work.size[0] // 2, work.size[1] // 2
        if side == "left":
            put(shape, left=MARGIN)
        elif side == "right":
            put(shape, left=center_x + MARGIN)
        elif side == "top":
            put(shape, top=MARGIN)
        elif side == "bottom":
            put(shape, top=center_y + MARGIN)
        else:
            put(shape, left=center_x - width // 2, top=center_y - height // 2)

    return align


def align_corner(vertical: str, horizontal: str) -> Any:
    """Return the call that moves the selected object into a corner of the slide."""

    def align(work: Workspace) -> None:
        shape = work.selected_shape()
        _, _, width, height = get_box(shape)
        left = MARGIN if horizontal == "left" else work.size[0] - MARGIN - width
        top = MARGIN if vertical == "top" else work.size[1] - MARGIN - height
        put(shape, left=left, top=top)

    return align
