"""Coordinate systems, which map the numbers of a model to points on the screen."""

import math
from dataclasses import dataclass
from typing import Protocol

from pptarena.agents.dialects.base import Point, Screen, Size
from pptarena.errors import DialectError

__all__ = ["Fractions", "Grid", "Pixels", "Thousandths", "fit_within", "smart_resize"]


class Grid(Protocol):
    """A coordinate system."""

    def read(self, x: float, y: float, screen: Screen) -> Point:
        """Return the point in [0, 1] for two numbers of the model.

        Raises:
            DialectError: If the point is not on the screen.
        """
        ...

    def write(self, point: Point, screen: Screen) -> tuple[float, float]:
        """Return the numbers for a point in [0, 1]."""
        ...


class Pixels:
    """Pixels of the picture that the model received."""

    def read(self, x: float, y: float, screen: Screen) -> Point:
        """Return the center of a pixel; the far edge belongs to the last pixel."""
        width, height = screen.image_size
        _require(
            0 <= x <= width and 0 <= y <= height, x, y, f"a picture of {width} x {height} pixels"
        )
        return (min(x, width - 1) + 0.5) / width, (min(y, height - 1) + 0.5) / height

    def write(self, point: Point, screen: Screen) -> tuple[int, int]:
        """Return the pixel that contains a point."""
        x, y = (
            min(int(fraction * size), size - 1)
            for fraction, size in zip(point, screen.image_size, strict=True)
        )
        return x, y


@dataclass(frozen=True)
class Thousandths:
    """Thousandths of the width and the height, independent of the size of the picture.

    Attributes:
        max_value: The largest number that the model writes, 999 or 1000.
    """

    max_value: int = 1000

    def read(self, x: float, y: float, screen: Screen) -> Point:
        """Return a point."""
        _require(0 <= x <= 1000 and 0 <= y <= 1000, x, y, "0 to 1000")
        return x / 1000, y / 1000

    def write(self, point: Point, screen: Screen) -> tuple[int, int]:
        """Return the nearest whole numbers."""
        x, y = (min(round(fraction * 1000), self.max_value) for fraction in point)
        return x, y


class Fractions:
    """Fractions of the width and the height, from 0 to 1, with four digits."""

    def read(self, x: float, y: float, screen: Screen) -> Point:
        """Return a point."""
        _require(0 <= x <= 1 and 0 <= y <= 1, x, y, "0 to 1")
        return x, y

    def write(self, point: Point, screen: Screen) -> tuple[float, float]:
        """Return the fractions with four digits."""
        return round(point[0], 4), round(point[1], 4)


def smart_resize(size: Size, factor: int, min_pixels: int, max_pixels: int) -> Size:
    """Return the size to which the image processors of Qwen's vision models scale a picture.

    Both sides become multiples of `factor`, the area stays within the bounds, and the aspect ratio
    is kept as far as possible. Source: Qwen2-VL (arXiv 2409.12191) and its processor.

    Args:
        size: Width and height in pixels.
        factor: 28 for Qwen2.5-VL, 32 for Qwen3-VL.
        min_pixels: Minimum area.
        max_pixels: Maximum area.
    """
    width, height = size
    scaled = [max(factor, round(side / factor) * factor) for side in size]
    if scaled[0] * scaled[1] > max_pixels:
        shrink = math.sqrt(width * height / max_pixels)
        scaled = [max(factor, math.floor(side / shrink / factor) * factor) for side in size]
    elif scaled[0] * scaled[1] < min_pixels:
        grow = math.sqrt(min_pixels / (width * height))
        scaled = [math.ceil(side * grow / factor) * factor for side in size]
    return scaled[0], scaled[1]


def fit_within(size: Size, max_side_px: int, max_pixels: int) -> Size:
    """Return a size scaled down, if necessary, to a maximum side length and area in pixels."""
    width, height = size
    scale = min(1.0, max_side_px / max(size), math.sqrt(max_pixels / (width * height)))
    return max(1, int(width * scale)), max(1, int(height * scale))


def _require(is_inside: bool, x: float, y: float, bounds: str) -> None:
    if not is_inside:  # also true for NaN
        raise DialectError(f"expected a point within {bounds}, got ({x:g}, {y:g})")
