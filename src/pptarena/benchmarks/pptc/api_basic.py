"""API calls that resize, rotate, fill and move the selected object."""

from typing import Any

from pptx.dml.color import RGBColor
from pptx.oxml.ns import qn
from pptx.util import Cm

from pptarena.benchmarks.pptc.constants import GAP, MARGIN
from pptarena.benchmarks.pptc.errors import Refusal
from pptarena.benchmarks.pptc.find import kind_word, top_of, word_of
from pptarena.benchmarks.pptc.place import box_of, put
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
