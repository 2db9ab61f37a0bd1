"""Decks named on the command line, and the render check that scores them visually."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pptarena.rewards.looks import Looker

__all__ = ["deck_bytes", "office_looker"]


def deck_bytes(path: Path) -> bytes:
    """Return the bytes of a .pptx file that can be read.

    Raises:
        DeckError: If it cannot be read; the message names the file.
    """
    from pptarena.decks import read_deck
    from pptarena.decks.package.files import named_errors, read_bytes

    data = read_bytes(path)
    with named_errors(path):
        read_deck(data)
    return data


def office_looker() -> "Looker":
    """Return the render check: it compares an original and a deck as the image renders them.

    Raises:
        ImageError: If there is no image.
    """
    from pptarena.rewards.looks import Looks
    from pptarena.vm_images.image import require_image
    from pptarena.vm_images.office import shared_office

    require_image()
    return partial(Looks, shared_office())
