"""Map shapes to regions of a slide image."""

import math
from collections.abc import Iterable, Sequence

import numpy as np

from pptarena.decks import Box, Deck, Shape
from pptarena.decks.visibility.pictures import Flags, Pixels, Region
from pptarena.decks.visibility.shape_texts import texts_of

__all__ = ["Scale"]

_LEAST_PX = 2.0


class Scale:
    """Converts slide coordinates to pixels of a slide image.

    Args:
        deck: The deck.
        picture: The image of one of its slides.
    """

    def __init__(self, deck: Deck, picture: Pixels) -> None:
        self._size = picture.shape[1], picture.shape[0]
        self._px = float(self._size[0] / max(deck.width_emu, 1))

    @property
    def px_per_pt(self) -> float:
        """Pixels per point."""
        return self._px * 12_700

    def region(self, shape: Shape, *, with_text: bool = False) -> Region:
        """Return the image region of a shape, optionally with text outside its box."""
        lines = shape.line.width_pt * self.px_per_pt / 2 if shape.line.paint.kind != "none" else 0.0
        found = self._sides(shape.box, max(_LEAST_PX, lines))
        if with_text:
            for each in (area for *_, places in texts_of(shape) for area in places):
                own = Box(
                    round(each.left), round(each.top), round(each.right - each.left),
                    round(each.bottom - each.top), shape.box.rotation_deg,
                )  # fmt: skip
                sides = self._sides(own, _LEAST_PX)
                found = (*map(min, found[:2], sides[:2]), *map(max, found[2:], sides[2:]))
        return self._cut(found)

    def mask(self, regions: Iterable[Region], margin_px: int) -> Flags:
        """Return a mask of the image in which regions, extended by a margin, are True."""
        width, height = self._size
        found = np.zeros((height, width), bool)
        for left, top, right, bottom in regions:
            rows = slice(max(0, top - margin_px), bottom + margin_px)
            found[rows, max(0, left - margin_px) : right + margin_px] = True
        return found

    def _sides(self, box: Box, margin: float) -> Sequence[float]:
        angle = math.radians(box.rotation_deg)
        across, down = box.width / 2, box.height / 2
        wide = abs(across * math.cos(angle)) + abs(down * math.sin(angle))
        high = abs(across * math.sin(angle)) + abs(down * math.cos(angle))
        x, y = box.left + across, box.top + down
        return (
            (x - wide) * self._px - margin, (y - high) * self._px - margin,
            (x + wide) * self._px + margin, (y + high) * self._px + margin,
        )  # fmt: skip

    def _cut(self, sides: Sequence[float]) -> Region:
        width, height = self._size
        left, top = (min(max(0, math.floor(each)), most) for each, most in
                     zip(sides[:2], self._size, strict=True))  # fmt: skip
        right, bottom = min(width, math.ceil(sides[2])), min(height, math.ceil(sides[3]))
        return left, top, max(left, right), max(top, bottom)
