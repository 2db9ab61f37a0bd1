"""Decks on the command line, and the renderer for their render check."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pptarena.rewards.judges.protocol import SlideRenderer

__all__ = ["deck_bytes", "required_renderer"]


def deck_bytes(path: Path) -> bytes:
    """Return the bytes of a .pptx file that can be read.

    Raises:
        DeckError: If it cannot be read; the message names the file.
    """
    from pptarena.decks import read_deck
    from pptarena.decks.package.files import prefix_errors, read_bytes

    data = read_bytes(path)
    with prefix_errors(path):
        read_deck(data)
    return data


def required_renderer() -> "SlideRenderer":
    """Return the image's application as the renderer of the render check.

    Raises:
        ImageError: If there is no image.
    """
    from pptarena.vm_images.image import require_image
    from pptarena.vm_images.office import shared_office

    require_image()
    return shared_office()
