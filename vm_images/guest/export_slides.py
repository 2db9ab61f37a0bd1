"""Render a deck to one PNG per slide: the deck on standard input, the images on standard output.

Runs alone, without a desktop: ``python3 -m pptarena.vm_images.guest.export_slides 960 300``. Each
image is preceded by its length (four bytes, big endian). Hidden slides are included.
"""

import resource
import struct
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import uno

from pptarena.vm_images.guest.headless_office import (
    MEMORY_BYTES,
    headless_office,
    load_deck,
    named_value,
)

__all__ = ["export_slides", "pictures_of"]


def export_slides(deck: bytes, width_px: int, most: int, out: BinaryIO) -> None:
    """Write an image of every slide.

    Args:
        deck: The .pptx file.
        width_px: Width of each image; the height follows from the slide's aspect ratio.
        most: Maximum number of slides.
        out: Receives the images.

    Raises:
        ValueError: If the application refuses the deck, or if it has too many slides.
        TimeoutError: If the application does not start.
    """
    with tempfile.TemporaryDirectory() as name, headless_office() as context:
        folder = Path(name)
        document = load_deck(context, deck, folder / "deck.pptx")
        for picture in pictures_of(context, document, width_px, most, folder):
            out.write(struct.pack(">I", len(picture)) + picture)
        out.flush()


def pictures_of(
    context: Any, document: Any, width_px: int, most: int, folder: Path
) -> Iterator[bytes]:
    """Yield a PNG file of every slide of an open document.

    Args:
        context: UNO context of the application.
        document: The presentation.
        width_px: Width of each image; the height follows from the slide's aspect ratio.
        most: Maximum number of slides.
        folder: Folder that the application may write to.

    Raises:
        ValueError: If the document has too many slides.
    """
    pages = document.getDrawPages()
    if pages.getCount() > most:
        raise ValueError(f"expected at most {most} slides, got {pages.getCount()}")
    exporter = context.ServiceManager.createInstanceWithContext(
        "com.sun.star.drawing.GraphicExportFilter", context
    )
    target = folder / "slide.png"
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


def _main() -> int:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    width_px, most = (int(word) for word in sys.argv[1:3])
    try:
        export_slides(sys.stdin.buffer.read(), width_px, most, sys.stdout.buffer)
    except (ValueError, TimeoutError) as error:
        sys.stderr.write(f"{error}\n")
        return 3 if isinstance(error, ValueError) else 1
    return 0


if __name__ == "__main__":
    sys.exit(_main())
