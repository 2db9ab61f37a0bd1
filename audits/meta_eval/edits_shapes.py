"""Edits of shapes: position, size, deletion, copies, alternative text."""

import copy
from collections.abc import Sequence
from typing import Any

from pptx.util import Cm

from pptarena.audits.meta_eval.finding import shape_of, slide_of

__all__ = [
    "copy_shape",
    "crop_picture",
    "place_shape",
    "recreate_shape",
    "remove_shape",
    "rename_shape",
    "set_alt_text",
    "shift_shape",
]


def place_shape(
    deck: Any,
    slide: int,
    shape: str,
    width_cm: float | None = None,
    height_cm: float | None = None,
    left_cm: float | None = None,
    top_cm: float | None = None,
) -> None:
    """Set the position or size of a shape; None keeps a value."""
    found = shape_of(deck, slide, shape)
    for name, value in (
        ("left", left_cm),
        ("top", top_cm),
        ("width", width_cm),
        ("height", height_cm),
    ):
        # Write all four values: a partial position would discard what the layout provides.
        setattr(found, name, getattr(found, name) if value is None else Cm(value))


def shift_shape(deck: Any, slide: int, shape: str, by_cm: Sequence[float]) -> None:
    """Move a shape right and down, in cm."""
    found = shape_of(deck, slide, shape)
    left, top, width, height = found.left, found.top, found.width, found.height
    found.left, found.top = left + Cm(by_cm[0]), top + Cm(by_cm[1])
    found.width, found.height = width, height


def remove_shape(deck: Any, slide: int, shape: str) -> None:
    """Delete a shape."""
    found = shape_of(deck, slide, shape)._element
    found.getparent().remove(found)


def copy_shape(deck: Any, slide: int, shape: str, by_cm: Sequence[float]) -> None:
    """Paste a copy of a shape, named 'Copy', at an offset."""
    found = shape_of(deck, slide, shape)._element
    added = copy.deepcopy(found)
    found.getparent().append(added)
    _renew(deck, slide, added, "Copy")
    shift_shape(deck, slide, "Copy", by_cm)


def recreate_shape(deck: Any, slide: int, shape: str, name: str | None = None) -> None:
    """Cut and paste a shape: it gets a new id, moves to the top and may get another name."""
    found = shape_of(deck, slide, shape)._element
    holder = found.getparent()
    holder.remove(found)
    holder.append(found)
    _renew(deck, slide, found, name or shape)


def rename_shape(deck: Any, slide: int, shape: str, name: str) -> None:
    """Rename a shape, which is invisible on the slide."""
    shape_of(deck, slide, shape).name = name


def set_alt_text(deck: Any, slide: int, shape: str, text: str, field: str = "descr") -> None:
    """Set the alternative text of a shape; ``field="title"`` sets its title."""
    shape_of(deck, slide, shape)._element.xpath(".//p:cNvPr")[0].set(field, text)


def crop_picture(deck: Any, slide: int, shape: str, right: float) -> None:
    """Crop a share of a picture on its right side; the frame shrinks accordingly."""
    found = shape_of(deck, slide, shape)
    width = found.width
    found.crop_right = right
    found.width = round(width * (1 - right))


def _renew(deck: Any, slide: int, element: Any, name: str) -> None:
    known = slide_of(deck, slide)._element.xpath(".//p:cNvPr/@id")
    properties = element.xpath(".//p:cNvPr")[0]
    properties.set("id", str(max(int(each) for each in known) + 1))
    properties.set("name", name)
