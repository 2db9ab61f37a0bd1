"""Screenshots through mss, on X with shared memory (MIT-SHM)."""

from mss import MSS
from PIL import Image

__all__ = ["Screen"]


class Screen:
    """The entire screen.

    Args:
        display: Name of the X display, such as ``":1"``; None on systems without names.
    """

    def __init__(self, display: str | None) -> None:
        self._mss = MSS(display=display)
        area = self._mss.monitors[0]
        self.width_px, self.height_px = int(area["width"]), int(area["height"])
        self._area = area

    def image(self) -> Image.Image:
        """Return the current screen as an RGB image."""
        shot = self._mss.grab(self._area)
        return Image.frombytes("RGB", (shot.width, shot.height), shot.raw, "raw", "BGRX")

    def crop(self, left: int, top: int, width: int, height: int) -> Image.Image:
        """Return a region of the screen; pixels outside the screen are black."""
        return self.image().crop((left, top, left + width, top + height))

    def rgb(self) -> bytes:
        """Return the RGB pixels row by row, three bytes each."""
        return self.image().tobytes()
