"""Pixels of the screen, through shared memory (mss with MIT-SHM)."""

from mss import MSS
from PIL import Image

__all__ = ["Screen"]


class Screen:
    """The whole screen of one X display.

    Args:
        display: Name of the display, such as ``":1"``.
    """

    def __init__(self, display: str) -> None:
        self._mss = MSS(display=display)
        area = self._mss.monitors[0]
        self.width_px, self.height_px = int(area["width"]), int(area["height"])
        self._area = area

    def image(self) -> Image.Image:
        """Return the screen as it is now, RGB."""
        shot = self._mss.grab(self._area)
        return Image.frombytes("RGB", (shot.width, shot.height), shot.bgra, "raw", "BGRX")

    def rgb(self) -> bytes:
        """Return the pixels row by row, three bytes each."""
        return self.image().tobytes()
