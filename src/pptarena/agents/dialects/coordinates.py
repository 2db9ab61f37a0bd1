"""Coordinate systems: how the numbers of a model map to a point on the screen."""

import math
from dataclasses import dataclass
from typing import Protocol

from pptarena.agents.dialects.base import Point, Screen, Size
from pptarena.errors import DialectError

__all__ = ["Grid", "Pixels", "Shares", "Thousandths", "fit_within", "smart_resize"]


class Grid(Protocol):
    """A coordinate system."""

    def read(self, x: float, y: float, screen: Screen) -> Point:
        """Return the point in [0, 1] for two numbers of the model.

        Raises:
            DialectError: If it is not on the screen.
        """
        ...

    def write(self, point: Point, screen: Screen) -> tuple[float, float]:
        """Return the numbers for a point in [0, 1]."""
        ...


class Pixels:
    """Pixels of the picture that the model received."""

    def read(self, x: float, y: float, screen: Screen) -> Point:
        """Return the center of a pixel; the far edge belongs to the last pixel."""
        wide, high = screen.shown
        _require(0 <= x <= wide and 0 <= y <= high, x, y, f"a picture of {wide} x {high} pixels")
        return (min(x, wide - 1) + 0.5) / wide, (min(y, high - 1) + 0.5) / high

    def write(self, point: Point, screen: Screen) -> tuple[int, int]:
        """Return the pixel that contains a point."""
        x, y = (
            min(int(part * size), size - 1) for part, size in zip(point, screen.shown, strict=True)
        )
        return x, y


@dataclass(frozen=True)
class Thousandths:
    """Thousandths of the width and the height, independent of the size of the picture.

    Attributes:
        last: The largest number that the model writes, 999 or 1000.
    """

    last: int = 1000

    def read(self, x: float, y: float, screen: Screen) -> Point:
        """Return a point."""
        _require(0 <= x <= 1000 and 0 <= y <= 1000, x, y, "0 to 1000")
        return x / 1000, y / 1000

    def write(self, point: Point, screen: Screen) -> tuple[int, int]:
        """Return the nearest whole numbers."""
        x, y = (min(round(part * 1000), self.last) for part in point)
        return x, y


class Shares:
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
    wide, high = size
    new = [max(factor, round(side / factor) * factor) for side in size]
    if new[0] * new[1] > max_pixels:
        shrink = math.sqrt(wide * high / max_pixels)
        new = [max(factor, math.floor(side / shrink / factor) * factor) for side in size]
    elif new[0] * new[1] < min_pixels:
        grow = math.sqrt(min_pixels / (wide * high))
        new = [math.ceil(side * grow / factor) * factor for side in size]
    return new[0], new[1]


def fit_within(size: Size, longest: int, max_pixels: int) -> Size:
    """Return a size scaled down, if necessary, to a maximum side length and area in pixels."""
    wide, high = size
    scale = min(1.0, longest / max(size), math.sqrt(max_pixels / (wide * high)))
    return max(1, int(wide * scale)), max(1, int(high * scale))


def _require(inside: bool, x: float, y: float, where: str) -> None:
    if not inside:  # also true for NaN
        raise DialectError(f"expected a point within {where}, got ({x:g}, {y:g})")
