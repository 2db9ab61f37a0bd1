"""The clipboard of Windows."""

import io
from typing import Any

from pptarena.vm_images.windows.system import System

__all__ = ["Clipboard"]

_MAX_CHARS = 2000
_FILE_HEADER_BYTES = 14  # BITMAPFILEHEADER, which a bitmap on the clipboard lacks


class Clipboard:
    """Text and pictures on the clipboard; read again only if it has changed.

    Args:
        system: Windows.
    """

    def __init__(self, system: System) -> None:
        self._system = system
        self._number = -1
        self._text = ""

    def text(self) -> str:
        """Return the text on the clipboard; "" for none or for other content."""
        number = self._system.clipboard_number()
        if number != self._number:
            self._text = self._system.clipboard_text().replace("\r\n", "\n")[:_MAX_CHARS]
            self._number = number
        return self._text

    def put_text(self, text: str) -> None:
        """Put text on the clipboard."""
        self._system.set_clipboard(text.replace("\r\n", "\n").replace("\n", "\r\n"), None)

    def put_image(self, image: Any) -> None:
        """Put a picture (`PIL.Image.Image`) on the clipboard."""
        buffer = io.BytesIO()
        image.convert("RGB").save(buffer, "BMP")
        self._system.set_clipboard(None, buffer.getvalue()[_FILE_HEADER_BYTES:])

    def clear(self) -> None:
        """Empty the clipboard."""
        self._system.set_clipboard(None, None)
