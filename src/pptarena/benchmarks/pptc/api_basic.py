"""API calls that resize, rotate, fill and move the selected object."""

from typing import Any

from pptx.dml.color import RGBColor
from pptx.oxml.ns import qn
from pptx.util import Cm

from pptarena.benchmarks.pptc.constants import GAP, MARGIN
from pptarena.benchmarks.pptc.errors import Refusal
from pptarena.benchmarks.pptc.find import kind_word, top_of, word_of
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


def box_of(shape: Any) -> tuple[int, int, int, int]:
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
    given = (left, top, width, height)
    new = [now if to is None else to for now, to in zip(box_of(shape), given, strict=True)]
    # A placeholder with inherited geometry needs all four values, or it would lose the others.
    shape.left, shape.top = new[:2]
    if shape.has_table:
        _stretch(shape.table.columns, "width", new[2])
        _stretch(shape.table.rows, "height", new[3])
    shape.width, shape.height = new[2:]


def _stretch(parts: Any, side: str, total: int) -> None:
    """Scale rows or columns to a new total size."""
    before = [getattr(part, side) for part in parts]
    whole = sum(before)
    if whole == total or not whole:
        return
    for part, size in zip(parts, before, strict=True):
        setattr(part, side, max(1, size * total // whole))


def set_width(work: Workspace, width: float) -> None:
    """Set the width in cm."""
    put(work.chosen_shape(), width=int(Cm(width)))


def set_height(work: Workspace, height: float) -> None:
    """Set the height in cm."""
    put(work.chosen_shape(), height=int(Cm(height)))


def rotate_element(work: Workspace, angle: float) -> None:
    """Rotate clockwise by an angle in degrees."""
    shape = work.chosen_shape()
    if shape._element.tag == qn("p:graphicFrame"):
        raise Refusal(f"expected something that can be turned, got a {word_of(shape)}")
    put(shape)
    shape.rotation = (shape.rotation + angle) % 360


def set_fill_color(work: Workspace, color: RGBColor) -> None:
    """Fill a shape, text box or cell with a solid color."""
    chosen = work.chosen()
    fill = getattr(chosen, "fill", None)
    if fill is None:
        raise Refusal(f"expected something that can be filled, got a {word_of(chosen)}")
    fill.solid()
    fill.fore_color.rgb = color


def move_edge(side: str) -> Any:
    """Return the call that moves an object to a position or next to another object.

    ``set_left(x)`` and ``set_top(y)`` take EMU. With two names, as in labels, the first object
    moves to that side of the second one; its position along the other axis stays.

    Args:
        side: ``left``, ``right``, ``top`` or ``bottom``.
    """

    def move(work: Workspace, beside: int | str | None = None, **place: int | str) -> None:
        first, second = place[side], beside
        if isinstance(first, str) and isinstance(second, str):
            _beside(_meant(work, first), top_of(work.slide, second), side)
            return
        if isinstance(first, str) or second is not None:
            raise Refusal("expected a position in EMU, or the words for two objects")
        shape = work.chosen_shape()
        _, _, width, height = box_of(shape)
        if side in ("left", "right"):
            put(shape, left=first - (width if side == "right" else 0))
        else:
            put(shape, top=first - (height if side == "bottom" else 0))

    return move


def _meant(work: Workspace, word: str) -> Any:
    """Return the selected object if its type matches, else the frontmost matching object."""
    chosen = work.current
    same_slide = chosen in tuple(work.slide.shapes)
    if same_slide and word_of(chosen) == kind_word(word):
        return chosen
    return top_of(work.slide, word)


def _beside(shape: Any, other: Any, side: str) -> None:
    if shape == other:
        raise Refusal("expected two objects, got the same one twice")
    left, top, width, height = box_of(other)
    _, _, own_width, own_height = box_of(shape)
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
        shape = work.chosen_shape()
        _, _, width, height = box_of(shape)
        middle, waist = work.size[0] // 2, work.size[1] // 2
        if side == "left":
            put(shape, left=MARGIN)
        elif side == "right":
            put(shape, left=middle + MARGIN)
        elif side == "top":
            put(shape, top=MARGIN)
        elif side == "bottom":
            put(shape, top=waist + MARGIN)
        else:
            put(shape, left=middle - width // 2, top=waist - height // 2)

    return align


def align_corner(vertical: str, horizontal: str) -> Any:
    """Return the call that moves the selected object into a corner of the slide."""

    def align(work: Workspace) -> None:
        shape = work.chosen_shape()
        _, _, width, height = box_of(shape)
        left = MARGIN if horizontal == "left" else work.size[0] - MARGIN - width
        top = MARGIN if vertical == "top" else work.size[1] - MARGIN - height
        put(shape, left=left, top=top)

    return align
