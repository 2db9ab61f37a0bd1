"""Save decks with the application: files on standard input, files on standard output.

Runs alone, without a desktop: ``python3 -m pptarena.vm_images.guest.save_decks``. Each input file
is preceded by its length (four bytes, big endian). Each answer is a status byte, a length and data:
0 and the saved file, or 1 and the reason why the deck was refused.
"""

import resource
import struct
import sys
import tempfile
from pathlib import Path
from typing import Any, BinaryIO

import uno

from pptarena.vm_images.guest.headless_office import (
    MEMORY_BYTES,
    PPTX_FILTER,
    headless_office,
    load_deck,
    named_value,
)

__all__ = ["save_decks"]


def save_decks(source: BinaryIO, out: BinaryIO) -> None:
    """Open and save each incoming deck, one after the other in one application.

    Args:
        source: Source of the decks; processing ends with it.
        out: Receives the answers.

    Raises:
        TimeoutError: If the application does not start.
    """
    with tempfile.TemporaryDirectory() as name, headless_office() as context:
        while size := source.read(4):
            deck = source.read(struct.unpack(">I", size)[0])
            try:
                status, answer = 0, _saved(context, deck, Path(name))
            except ValueError as error:
                status, answer = 1, str(error).encode()
            out.write(struct.pack(">BI", status, len(answer)) + answer)
            out.flush()


def _saved(context: Any, deck: bytes, folder: Path) -> bytes:
    document = load_deck(context, deck, folder / "deck.pptx")
    target = folder / "saved.pptx"
    # The same call as for a document on the desktop: a copy, by the filter's name.
    document.storeToURL(
        uno.systemPathToFileUrl(str(target)), (named_value("FilterName", PPTX_FILTER),)
    )
    saved = target.read_bytes()
    target.unlink()
    document.close(True)
    return saved


def _main() -> int:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    try:
        save_decks(sys.stdin.buffer, sys.stdout.buffer)
    except TimeoutError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(_main())
