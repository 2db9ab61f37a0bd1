"""Save decks with the image's office application; the results are cached by content."""

import hashlib
import struct
from collections.abc import Sequence

from pptarena.errors import ConfigError, DeckError, MachineError
from pptarena.paths import cache_home
from pptarena.vm_images.image import Image, require_image
from pptarena.vm_images.kept_files import KeptFiles
from pptarena.vm_images.office_program import run_office_program

__all__ = ["OfficeSaver"]

_FORMAT = 1  # increase it when equal decks would be saved differently


class OfficeSaver:
    """Opens a deck in the office application of the machine image and saves it unchanged.

    It runs without a desktop, in separate namespaces: no network, no access to files of the host. A
    deck takes some seconds the first time; results are cached under ``$PPTARENA_HOME/saves`` by the
    hash of deck and image, so that a deck always has the same result.

    Args:
        timeout_sec: Timeout for one deck.
        kept_decks: Number of decks in the cache.

    Raises:
        ConfigError: If a number is not positive.
    """

    def __init__(self, *, timeout_sec: float = 120.0, kept_decks: int = 500) -> None:
        if min(timeout_sec, kept_decks) <= 0:
            raise ConfigError("expected timeout_sec, kept_decks above 0")
        self._timeout_sec = timeout_sec
        self._kept_decks = kept_decks

    def save(self, deck: bytes) -> bytes:
        """Return a deck as the application saves it.

        Args:
            deck: The .pptx file.

        Raises:
            DeckError: If the application refuses the deck.
            HostError: If bubblewrap is missing or not allowed to create namespaces.
            ImageError: If there is no image.
            MachineError: If the application fails or takes too long.
        """
        (saved,) = self.save_all([deck])
        if isinstance(saved, Exception):
            raise saved
        return saved

    def save_all(self, decks: Sequence[bytes]) -> tuple[bytes | DeckError | MachineError, ...]:
        """Save several decks in one run of the application, which is faster than one run each.

        Args:
            decks: The .pptx files.

        Returns:
            For each deck the saved one, or the error that `save` would raise for it.

        Raises:
            HostError: If bubblewrap is missing or not allowed to create namespaces.
            ImageError: If there is no image.
        """
        image = require_image()
        kept = KeptFiles(cache_home() / "saves", self._kept_decks)
        keys = [hashlib.sha256(f"{_FORMAT} {image.hash} ".encode() + d).hexdigest() for d in decks]
        found: dict[str, bytes | DeckError | MachineError] = {}
        for key in keys:
            files = kept.get(key)
            if files is not None and len(files) == 1:
                found[key] = files[0]
        missing = {key: deck for key, deck in zip(keys, decks, strict=True) if key not in found}
        for key, saved in zip(missing, self._run(image, list(missing.values())), strict=True):
            found[key] = saved
            if isinstance(saved, bytes):
                kept.keep(key, [saved], ".pptx")
        return tuple(found[key] for key in keys)

    def _run(self, image: Image, decks: list[bytes]) -> list[bytes | DeckError | MachineError]:
        if not decks:
            return []
        data = b"".join(struct.pack(">I", len(deck)) + deck for deck in decks)
        limit_sec = self._timeout_sec * len(decks)
        try:
            return _split(
                run_office_program(image, "save_decks", (), data, limit_sec, "saved"), len(decks)
            )
        except MachineError as error:
            if len(decks) == 1:
                return [error]
        # A deck that crashes the application must not affect the others.
        return [self._run(image, [deck])[0] for deck in decks]


def _split(stream: bytes, count: int) -> list[bytes | DeckError | MachineError]:
    """Return the answers of a stream: each a status byte, a length and that many bytes."""
    answers: list[bytes | DeckError | MachineError] = []
    at = 0
    for _ in range(count):
        refused, size = struct.unpack_from(">BI", stream[at : at + 5].ljust(5, b"\xff"))
        answer = stream[at + 5 : at + 5 + size]
        if len(answer) != size or not size:
            raise MachineError("the deck could not be saved: the answer broke off")
        answers.append(DeckError(answer.decode("utf-8", "replace")) if refused else answer)
        at += 5 + size
    return answers
