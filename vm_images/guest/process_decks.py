"""Save, render and edit decks with the application, one after the other.

Runs alone, without a desktop: ``python3 -m pptarena.vm_images.guest.process_decks``. On standard
input each request consists of two lengths (four bytes each, big endian), a JSON object and a deck.
The object's ``do`` is ``save``, ``render`` (with ``width_px`` and ``max_slides``) or ``edit`` (with
``target``, the deck to match in base64, ``origins`` and ``slides``; see `apply_differences`). On
standard output each answer is a status byte, a length and data: 0 and the result, 1 and the reason
why the application refuses the deck, or 2 and the reason why an edit failed. The result of
``render`` is a PNG file of each slide, preceded by its length.
"""

import base64
import json
import resource
import struct
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import uno

from pptarena.vm_images.guest.apply_differences import apply_differences
from pptarena.vm_images.guest.headless_office import (
    MEMORY_BYTES,
    PPTX_FILTER,
    headless_office,
    load_deck,
    named_value,
)

__all__ = ["process_decks"]

_REFUSED, _EDIT_FAILED = 1, 2


class _EditFailedError(Exception):
    """An edit failed, or the edited deck could not be saved."""


def process_decks(source: BinaryIO, out: BinaryIO) -> None:
    """Answer requests until the source ends.

    Args:
        source: Source of the requests.
        out: Receives the answers.

    Raises:
        RuntimeError: If the application ends.
        TimeoutError: If it does not start.
    """
    with tempfile.TemporaryDirectory() as name, headless_office() as context:
        while sizes := source.read(8):
            request, deck = (source.read(size) for size in struct.unpack(">II", sizes))
            try:
                status, answer = 0, _answer(context, json.loads(request), deck, Path(name))
            except ValueError as error:
                status, answer = _REFUSED, str(error).encode()
            except _EditFailedError as error:
                status, answer = _EDIT_FAILED, str(error).encode()
            out.write(struct.pack(">BI", status, len(answer)) + answer)
            out.flush()


def _answer(context: Any, request: dict[str, Any], deck: bytes, folder: Path) -> bytes:
    # Commands need a window.
    hidden = request["do"] != "edit"
    document = load_deck(context, deck, folder / "deck.pptx", hidden=hidden)
    try:
        if request["do"] == "render":
            width_px, max_slides = request["width_px"], request["max_slides"]
            pictures = _render(context, document, width_px, max_slides, folder / "slide.png")
            return b"".join(struct.pack(">I", len(picture)) + picture for picture in pictures)
        if request["do"] == "edit":
            return _apply_edit(context, document, request, folder)
        return _save(document, folder / "saved.pptx")
    finally:
        _close(document)


def _save(document: Any, target: Path) -> bytes:
    # The same call as for a document on the desktop: a copy, by the filter's name.
    document.storeToURL(
        uno.systemPathToFileUrl(str(target)), (named_value("FilterName", PPTX_FILTER),)
    )
    saved = target.read_bytes()
    target.unlink()
    return saved


def _render(
    context: Any, document: Any, width_px: int, max_slides: int, target: Path
) -> Iterator[bytes]:
    pages = document.getDrawPages()
    if pages.getCount() > max_slides:
        raise ValueError(f"expected at most {max_slides} slides, got {pages.getCount()}")
    exporter = context.ServiceManager.createInstanceWithContext(
        "com.sun.star.drawing.GraphicExportFilter", context
    )
    for index in range(pages.getCount()):
        page = pages.getByIndex(index)
        height_px = max(1, round(width_px * page.Height / page.Width))
        size = named_value("PixelWidth", width_px), named_value("PixelHeight", height_px)
        exporter.setSourceDocument(page)
        exporter.filter(
            (
                named_value("MediaType", "image/png"),
                named_value("URL", uno.systemPathToFileUrl(str(target))),
                named_value("FilterData", uno.Any("[]com.sun.star.beans.PropertyValue", size)),
            )
        )
        yield target.read_bytes()
        target.unlink()


def _apply_edit(context: Any, document: Any, request: dict[str, Any], folder: Path) -> bytes:
    try:
        other = load_deck(context, base64.b64decode(request["target"]), folder / "target.pptx")
        try:
            apply_differences(document, other, request["origins"], request["slides"])
        finally:
            other.close(True)
        return _save(document, folder / "saved.pptx")
    except Exception as error:
        raise _EditFailedError(f"{type(error).__name__}: {error}") from error


def _close(document: Any) -> None:
    try:
        document.setModified(False)
        document.close(True)
    except Exception as error:
        raise RuntimeError("the application ended while it processed a deck") from error


def _main() -> int:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    try:
        process_decks(sys.stdin.buffer, sys.stdout.buffer)
    except (RuntimeError, TimeoutError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(_main())
