"""Draw marks: a frame around every element and a plate with its number.

A plate is placed as close to its element as possible without covering another plate, so that every
number is legible.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

__all__ = ["draw_marks"]

_COLORS = ("#C62828", "#1565C0", "#2E7D32", "#6A1B9A", "#B35900", "#00695C", "#AD1457", "#37474F")
_CELL_PX = 64

Plate = tuple[int, int, int, int]


def draw_marks(
    screenshot: NDArray[np.uint8], boxes: NDArray[np.float32], font_px: int = 11
) -> NDArray[np.uint8]:
    """Return a screenshot with a frame and a number for each box.

    Args:
        screenshot: uint8 (height, width, 3) RGB; it is not modified.
        boxes: float (n, 4), left, top, right, bottom in [0, 1]; box i gets the number i + 1.
        font_px: Height of the numbers.

    Returns:
        uint8 (height, width, 3) RGB.
    """
    image = Image.fromarray(screenshot)
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(font_px)
    width, height = image.size
    plates = _Plates(width, height)
    corners = np.rint(boxes * np.array([width, height, width, height])).astype(int)
    colors = [_COLORS[index % len(_COLORS)] for index in range(len(corners))]
    for (left, top, right, bottom), color in zip(corners, colors, strict=True):
        draw.rectangle((left, top, max(left, right - 1), max(top, bottom - 1)), outline=color)
    # Small elements first: they have the fewest positions for a plate.
    order = sorted(range(len(corners)), key=lambda i: (_area(corners[i]), i))
    for index in order:
        text = str(index + 1)
        size = round(draw.textlength(text, font)) + 4, font_px + 3
        plate = plates.place(tuple(int(part) for part in corners[index]), size)
        draw.rectangle(plate, fill=colors[index])
        center = (plate[0] + plate[2]) / 2, (plate[1] + plate[3]) / 2
        draw.text(center, text, "white", font, anchor="mm")
    return np.array(image, np.uint8)


class _Plates:
    """The plates placed so far, indexed by screen cell to limit comparisons."""

    def __init__(self, width: int, height: int) -> None:
        self._extent = width, height
        self._cells: dict[tuple[int, int], list[Plate]] = {}

    def place(self, box: tuple[int, ...], size: tuple[int, int]) -> Plate:
        best, best_overlap = (0, 0, 0, 0), -1
        for left, top in _candidate_corners(box, size, self._extent):
            plate = left, top, left + size[0] - 1, top + size[1] - 1
            overlap = sum(_overlap(plate, other) for other in self._nearby(plate))
            if best_overlap < 0 or overlap < best_overlap:
                best, best_overlap = plate, overlap
            if overlap == 0:
                break
        for cell in _cells(best):
            self._cells.setdefault(cell, []).append(best)
        return best

    def _nearby(self, plate: Plate) -> set[Plate]:
        return {other for cell in _cells(plate) for other in self._cells.get(cell, ())}


def _candidate_corners(
    box: tuple[int, ...], size: tuple[int, int], extent: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """Yield upper left corners for a plate, best first: the corners, then positions further out."""
    left, top, right, bottom = box
    width, height = size
    candidates = [
        (left, top), (right - width, top), (left, bottom - height),
        (right - width, bottom - height), (left, top - height), (left, bottom),
        (right, top), (left - width, top),
    ]  # fmt: skip
    center = (left + right - width) // 2, (top + bottom - height) // 2
    for ring in range(1, 9):
        steps = range(-ring, ring + 1)
        candidates += [
            (center[0] + i * width, center[1] + j * height)
            for i in steps
            for j in steps
            if max(abs(i), abs(j)) == ring
        ]
    for x, y in candidates:
        yield (
            min(max(x, 0), max(0, extent[0] - width)),
            min(max(y, 0), max(0, extent[1] - height)),
        )


def _cells(plate: Plate) -> list[tuple[int, int]]:
    columns = range(plate[0] // _CELL_PX, plate[2] // _CELL_PX + 1)
    return [(x, y) for x in columns for y in range(plate[1] // _CELL_PX, plate[3] // _CELL_PX + 1)]


def _overlap(first: Plate, second: Plate) -> int:
    width = min(first[2], second[2]) - max(first[0], second[0]) + 1
    height = min(first[3], second[3]) - max(first[1], second[1]) + 1
    return width * height if width > 0 and height > 0 else 0


def _area(box: NDArray[np.int_]) -> int:
    return int((box[2] - box[0]) * (box[3] - box[1]))
