"""Render slides with the image's office application; the pictures are cached by content."""

import hashlib
import struct

from pptarena.errors import ConfigError, MachineError
from pptarena.paths import cache_home
from pptarena.vm_images.image import require_image
from pptarena.vm_images.kept_files import KeptFiles
from pptarena.vm_images.office_program import run_office_program

__all__ = ["OfficeRenderer", "split_pictures"]

_FORMAT = 1  # increase it when equal decks would be rendered differently


class OfficeRenderer:
    """Renders every slide as PNG in the office application of the machine image.

    It runs without a desktop, in separate namespaces: no network, no access to files of the host. A
    deck takes some seconds the first time; its pictures are cached under ``$PPTARENA_HOME/renders``
    by the hash of deck and image.

    Args:
        width_px: Width of the pictures; their height follows from the slides.
        timeout_sec: Timeout for one deck.
        max_slides: Decks with more slides are refused.
        kept_decks: Number of decks in the cache.

    Raises:
        ConfigError: If a number is not positive.
    """

    def __init__(
        self,
        width_px: int = 960,
        *,
        timeout_sec: float = 120.0,
        max_slides: int = 300,
        kept_decks: int = 500,
    ) -> None:
        if min(width_px, timeout_sec, max_slides, kept_decks) <= 0:
            raise ConfigError("expected width_px, timeout_sec, max_slides, kept_decks above 0")
        self._width_px = width_px
        self._timeout_sec = timeout_sec
        self._max_slides = max_slides
        self._kept_decks = kept_decks

    def render(self, deck: bytes) -> tuple[bytes, ...]:
        """Return a PNG file of every slide, hidden ones included, in the order of the show.

        Raises:
            DeckError: If the application refuses the deck.
            HostError: If bubblewrap is missing or not allowed to create namespaces.
            ImageError: If there is no image.
            MachineError: If the application fails or takes too long.
        """
        image = require_image()
        whole = hashlib.sha256(f"{_FORMAT} {image.hash} {self._width_px} ".encode() + deck)
        kept = KeptFiles(cache_home() / "renders", self._kept_decks)
        found = kept.get(whole.hexdigest())
        if found is None:
            limits = str(self._width_px), str(self._max_slides)
            timeout_sec = self._timeout_sec
            made = run_office_program(image, "export_slides", limits, deck, timeout_sec, "rendered")
            found = split_pictures(made)
            kept.keep(whole.hexdigest(), found, ".png")
        return found


def split_pictures(stream: bytes) -> tuple[bytes, ...]:
    """Return the pictures of a stream in which each is preceded by its length."""
    pictures, at = [], 0
    while at < len(stream):
        (size,) = struct.unpack_from(">I", stream.ljust(at + 4), at)
        picture = stream[at + 4 : at + 4 + size]
        if len(picture) != size:
            raise MachineError("the deck could not be rendered: the pictures broke off")
        pictures.append(picture)
        at += 4 + size
    return tuple(pictures)
