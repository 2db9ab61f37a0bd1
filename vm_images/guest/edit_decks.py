"""Edit decks inside the application and save them.

Runs alone, without a desktop: ``python3 -m pptarena.vm_images.guest.edit_decks``. On standard input
each deck is preceded by its length (four bytes, big endian) and followed by its edits, a JSON list
with its own length. Each answer is a status byte, a length and data: 0 and the saved file, 1 and
the reason why the deck was refused, or 2 and the reason why an edit failed.
"""

import base64
import json
import resource
import struct
import sys
import tempfile
from pathlib import Path
from typing import Any, BinaryIO

import uno

from pptarena.vm_images.guest.become import become
from pptarena.vm_images.guest.deck_edits import EDITS
from pptarena.vm_images.guest.headless_office import (
    MEMORY_BYTES,
    PPTX_FILTER,
    headless_office,
    load_deck,
    named_value,
)

__all__ = ["edit_decks"]

_BECOME = "become"  # the edit whose argument is another deck, in base64


def edit_decks(source: BinaryIO, out: BinaryIO) -> None:
    """Open, edit and save each incoming deck, one after the other in one application.

    Raises:
        RuntimeError: If the application ends.
        TimeoutError: If it does not start.
    """
    with tempfile.TemporaryDirectory() as name, headless_office() as context:
        while (deck := _part(source)) is not None:
            status, answer = _answer(context, deck, _part(source) or b"[]", Path(name))
            out.write(struct.pack(">BI", status, len(answer)) + answer)
            out.flush()


def _part(source: BinaryIO) -> bytes | None:
    size = source.read(4)
    return source.read(struct.unpack(">I", size)[0]) if size else None


def _answer(context: Any, deck: bytes, edits: bytes, folder: Path) -> tuple[int, bytes]:
    try:
        document = load_deck(context, deck, folder / "deck.pptx", hidden=False)
    except ValueError as error:
        return 1, str(error).encode()
    try:
        for number, edit in enumerate(json.loads(edits), start=1):
            name, arguments = edit["edit"], edit["arguments"]
            try:
                if name == _BECOME:
                    _become_like(context, document, arguments, folder)
                else:
                    EDITS[name](document, **arguments)
            except Exception as error:  # noqa: BLE001 - whatever UNO raises is the answer
                return 2, f"edit {number} ({name}): {type(error).__name__}: {error}".encode()
        try:
            return 0, _saved(document, folder / "saved.pptx")
        except Exception as error:  # noqa: BLE001 - as above
            return 2, f"the edited deck could not be saved: {error}".encode()
    finally:
        _close(document)


def _close(document: Any) -> None:
    try:
        document.setModified(False)
        document.close(True)
    except Exception as error:
        raise RuntimeError("the application ended while it edited or saved a deck") from error


def _become_like(context: Any, document: Any, told: dict[str, Any], folder: Path) -> None:
    other = load_deck(context, base64.b64decode(told["deck"]), folder / "other.pptx")
    try:
        become(document, other, masters=told["masters"])
    finally:
        other.close(True)


def _saved(document: Any, target: Path) -> bytes:
    # The same call as for a document on the desktop: a copy, by the filter's name.
    document.storeToURL(
        uno.systemPathToFileUrl(str(target)), (named_value("FilterName", PPTX_FILTER),)
    )
    saved = target.read_bytes()
    target.unlink()
    return saved


def _main() -> int:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    try:
        edit_decks(sys.stdin.buffer, sys.stdout.buffer)
    except (RuntimeError, TimeoutError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(_main())
