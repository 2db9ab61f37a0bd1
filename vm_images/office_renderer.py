"""Pictures of slides, made by the image's office application; kept by content."""

import hashlib
import struct

from pptarena.errors import ConfigError, MachineError
from pptarena.paths import cache_home
from pptarena.vm_images.image import require_image
from pptarena.vm_images.kept_files import KeptFiles
from pptarena.vm_images.office_program import run_office_program

__all__ = ["OfficeRenderer", "split_pictures"]

_FORMAT = 1  # counts up when the pictures of equal decks would differ


class OfficeRenderer:
    """Makes a PNG file of every slide in the office application of the machine image.

    It runs without a desktop, in namespaces of its own: no network, none of the host's files. One
    deck takes some seconds the first time; its pictures are kept under ``$PPTARENA_HOME/renders``
    by the hash of deck and image.

    Args:
        width_px: Width of the pictures; their height follows from the slides.
        timeout_sec: Longest time for one deck.
        max_slides: Decks with more slides are refused.
        kept_decks: Of how many decks pictures are kept, those used last.

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
            HostError: If bubblewrap is missing or not allowed to make namespaces.
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
    """Return the pictures of a stream in which the length of each comes first."""
    pictures, at = [], 0
    while at < len(stream):
        (size,) = struct.unpack_from(">I", stream.ljust(at + 4), at)
        picture = stream[at + 4 : at + 4 + size]
        if len(picture) != size:
            raise MachineError("the deck could not be rendered: the pictures broke off")
        pictures.append(picture)
        at += 4 + size
    return tuple(pictures)
