"""How much of a shape's marks is gone from its place on a slide."""

from collections.abc import Sequence

import numpy as np

from pptarena.decks import Box, Shape, Slide
from pptarena.decks.visibility.picture_places import Scale
from pptarena.decks.visibility.pictures import Flags

__all__ = ["lost_marks"]


def lost_marks(
    shape: Shape, slide: Slide, free: Sequence[Shape], found: Sequence[Flags], scale: Scale
) -> float:
    """Return the share of a shape's marks that are gone from its place.

    Args:
        shape: Of the original.
        slide: The slide it is on.
        free: Shapes that may change, whose places do not count.
        found: Where there are marks, before and now.
        scale: Of the pictures that they were found on.
    """
    others = [
        other for other in slide.shapes
        if other.index > shape.index and other.group != shape.index and _holds(shape.box, other.box)
    ]  # fmt: skip
    aside = scale.mask([scale.region(each, with_text=True) for each in (*free, *others)], 5)
    left, top, right, bottom = scale.region(shape)
    place = np.s_[top:bottom, left:right]
    own = found[0][place] & ~aside[place]
    return float((own & found[1][place]).sum() / max(1, own.sum()))


def _holds(outer: Box, inner: Box) -> bool:
    """Return whether something stands wholly on something else, such as words on a panel."""
    across = outer.left <= inner.left and inner.right <= outer.right
    return across and outer.top <= inner.top and inner.bottom <= outer.bottom
