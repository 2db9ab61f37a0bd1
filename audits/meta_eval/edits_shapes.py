"""Edits of shapes: place, remove, copy, alternative text."""

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
    """Set the size or the place of a shape; what is not given stays."""
    found = shape_of(deck, slide, shape)
    for name, value in (
        ("left", left_cm),
        ("top", top_cm),
        ("width", width_cm),
        ("height", height_cm),
    ):
        # All four are written, so that a place inherited from the layout stays what it was.
        setattr(found, name, getattr(found, name) if value is None else Cm(value))


def shift_shape(deck: Any, slide: int, shape: str, by_cm: Sequence[float]) -> None:
    """Drag a shape to the right and down."""
    found = shape_of(deck, slide, shape)
    left, top, width, height = found.left, found.top, found.width, found.height
    found.left, found.top = left + Cm(by_cm[0]), top + Cm(by_cm[1])
    found.width, found.height = width, height


def remove_shape(deck: Any, slide: int, shape: str) -> None:
    """Delete a shape."""
    found = shape_of(deck, slide, shape)._element
    found.getparent().remove(found)


def copy_shape(deck: Any, slide: int, shape: str, by_cm: Sequence[float]) -> None:
    """Paste a copy beside a shape, named 'Copy'."""
    found = shape_of(deck, slide, shape)._element
    added = copy.deepcopy(found)
    found.getparent().append(added)
    _renew(deck, slide, added, "Copy")
    shift_shape(deck, slide, "Copy", by_cm)


def recreate_shape(deck: Any, slide: int, shape: str, name: str | None = None) -> None:
    """Cut a shape and paste it: a new id, the top of the slide, and maybe another name."""
    found = shape_of(deck, slide, shape)._element
    holder = found.getparent()
    holder.remove(found)
    holder.append(found)
    _renew(deck, slide, found, name or shape)


def rename_shape(deck: Any, slide: int, shape: str, name: str) -> None:
    """Give a shape another name, which nobody sees on the slide."""
    shape_of(deck, slide, shape).name = name


def set_alt_text(deck: Any, slide: int, shape: str, text: str, field: str = "descr") -> None:
    """Write the alternative text of a shape, or its title with ``field="title"``."""
    shape_of(deck, slide, shape)._element.xpath(".//p:cNvPr")[0].set(field, text)


def crop_picture(deck: Any, slide: int, shape: str, right: float) -> None:
    """Cut off a share of a picture on its right side."""
    found = shape_of(deck, slide, shape)
    width = found.width
    found.crop_right = right
    found.width = round(width * (1 - right))


def _renew(deck: Any, slide: int, element: Any, name: str) -> None:
    known = slide_of(deck, slide)._element.xpath(".//p:cNvPr/@id")
    properties = element.xpath(".//p:cNvPr")[0]
    properties.set("id", str(max(int(each) for each in known) + 1))
    properties.set("name", name)
