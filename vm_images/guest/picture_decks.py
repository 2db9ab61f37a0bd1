"""Render decks to images, one after the other in one application that stays open.

Runs alone, without a desktop: ``python3 -m pptarena.vm_images.guest.picture_decks 640 300``. Each
input file is preceded by its length (four bytes, big endian). Each answer is a status byte, a
length and data: 0 and the images, each preceded by its length, or 1 and the reason why the deck was
refused.
"""

import contextlib
import resource
import struct
import sys
import tempfile
from pathlib import Path
from typing import Any, BinaryIO

from pptarena.vm_images.guest.export_slides import pictures_of
from pptarena.vm_images.guest.headless_office import MEMORY_BYTES, headless_office, load_deck

__all__ = ["picture_decks"]


def picture_decks(source: BinaryIO, out: BinaryIO, width_px: int, most: int) -> None:
    """Render each incoming deck and answer with the images of its slides.

    Args:
        source: Source of the decks; processing ends with it.
        out: Receives the answers.
        width_px: Width of each image; the height follows from the slides' aspect ratio.
        most: Maximum number of slides.

    Raises:
        TimeoutError: If the application does not start.
    """
    with tempfile.TemporaryDirectory() as name, headless_office() as context:
        while size := source.read(4):
            deck = source.read(struct.unpack(">I", size)[0])
            try:
                status, answer = 0, _pictures(context, deck, width_px, most, Path(name))
            except ValueError as error:
                status, answer = 1, str(error).encode()
            out.write(struct.pack(">BI", status, len(answer)) + answer)
            out.flush()


def _pictures(context: Any, deck: bytes, width_px: int, most: int, folder: Path) -> bytes:
    document = load_deck(context, deck, folder / "deck.pptx")
    try:
        found = pictures_of(context, document, width_px, most, folder)
        return b"".join(struct.pack(">I", len(each)) + each for each in found)
    finally:
        with contextlib.suppress(Exception):  # the error to report is the first one
            document.close(True)


def _main() -> int:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    width_px, most = (int(word) for word in sys.argv[1:3])
    try:
        picture_decks(sys.stdin.buffer, sys.stdout.buffer, width_px, most)
    except TimeoutError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(_main())
