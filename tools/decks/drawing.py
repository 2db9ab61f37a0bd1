"""A canvas for the decks' pictures: drawn at high resolution, then scaled down for smooth lines."""

from collections.abc import Sequence
from typing import Any

from PIL import Image, ImageDraw, ImageFont

__all__ = ["Canvas", "Point"]

Point = tuple[float, float]
_SCALE = 3


class Canvas:
    """A picture of `width` by `height` units; all coordinates are in these units."""

    def __init__(self, width: int, height: int, color: str = "#ffffff") -> None:
        self.width, self.height = width, height
        self._image = Image.new("RGB", (width * _SCALE, height * _SCALE), color)
        self._draw = ImageDraw.Draw(self._image)

    def image(self) -> Image.Image:
        """Return the picture at two pixels per unit."""
        return self._image.resize((self.width * 2, self.height * 2), Image.Resampling.LANCZOS)

    def line(self, points: Sequence[Point], color: str, width: float = 2) -> None:
        """Draw a line through points."""
        scaled_points = [_scaled(point) for point in points]
        self._draw.line(scaled_points, color, round(width * _SCALE), joint="curve")

    def polygon(self, points: Sequence[Point], color: str) -> None:
        """Fill a polygon."""
        self._draw.polygon([_scaled(point) for point in points], color)

    def circle(
        self, center: Point, radius: float, color: str | None, edge: str = "", width: float = 2
    ) -> None:
        """Draw a circle with fill color `color` and outline color `edge`."""
        self.ellipse(center, (radius, radius), color, edge, width)

    def ellipse(
        self, center: Point, radii: Point, color: str | None, edge: str = "", width: float = 2
    ) -> None:
        """Draw an axis-aligned ellipse."""
        (x, y), (radius_x, radius_y) = center, radii
        corners = [*_scaled((x - radius_x, y - radius_y)), *_scaled((x + radius_x, y + radius_y))]
        self._draw.ellipse(corners, color, edge or None, round(width * _SCALE) if edge else 0)

    def box(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        color: str | None,
        *,
        radius: float = 0,
        edge: str = "",
        width: float = 2,
    ) -> None:
        """Draw a rectangle, with rounded corners if `radius` is above 0."""
        corners = [*_scaled((left, top)), *_scaled((right, bottom))]
        outline: dict[str, Any] = {"outline": edge, "width": round(width * _SCALE)} if edge else {}
        self._draw.rounded_rectangle(corners, radius * _SCALE, color, **outline)

    def arrow(self, start: Point, end: Point, color: str, width: float = 3) -> None:
        """Draw a straight arrow."""
        self.line([start, end], color, width)
        dx, dy = end[0] - start[0], end[1] - start[1]
        length = (dx**2 + dy**2) ** 0.5
        head_x, head_y = dx / length * 12, dy / length * 12
        base = (end[0] - head_x, end[1] - head_y)
        side = (-head_y * 0.55, head_x * 0.55)
        wings = [(base[0] + sign * side[0], base[1] + sign * side[1]) for sign in (1, -1)]
        self.polygon([end, *wings], color)

    def text(
        self, position: Point, text: str, size: int, color: str = "#2c3e50", anchor: str = "mm"
    ) -> None:
        """Draw a text; `anchor` as in PIL, ``"mm"`` is the center."""
        font = ImageFont.load_default(size * _SCALE)
        self._draw.multiline_text(
            _scaled(position),
            text,
            color,
            font,
            anchor=anchor,
            align="center" if anchor[0] == "m" else "left",
        )


def _scaled(point: Point) -> Point:
    return point[0] * _SCALE, point[1] * _SCALE
