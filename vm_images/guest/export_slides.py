"""Turn a deck into one picture per slide: the deck on standard input, PNG files on standard output.

Runs alone, without a desktop: ``python3 -m pptarena.vm_images.guest.export_slides 960 300``. Each
picture is preceded by its length, four bytes, big end first. Hidden slides are pictured too.
"""

import contextlib
import resource
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import uno
from com.sun.star.beans import PropertyValue

__all__ = ["export_slides"]

_PROGRAM = "/usr/lib/libreoffice/program/soffice.bin"
_WANTS_RESTART = 81  # exit code after changes to its profile
_OPTIONS = ("--headless", "--invisible", "--norestore", "--nologo", "--nodefault", "--nolockcheck")
_PIPE = "pptarena-export"
_START_SEC = 60.0
_MEMORY_BYTES = 4 * 2**30
_PPTX_FILTER = "Impress MS PowerPoint 2007 XML"


def export_slides(deck: bytes, width_px: int, most: int, out: BinaryIO) -> None:
    """Write a picture of every slide.

    Args:
        deck: The .pptx file.
        width_px: Width of each picture; the height follows the slide's.
        most: Largest number of slides.
        out: Where the pictures go.

    Raises:
        ValueError: If the application refuses the deck, or if it has too many slides.
        TimeoutError: If the application does not come up.
    """
    with tempfile.TemporaryDirectory() as name, _application() as context:
        folder = Path(name)
        document = _load(context, deck, folder / "deck.pptx")
        pages = document.getDrawPages()
        if pages.getCount() > most:
            raise ValueError(f"expected at most {most} slides, got {pages.getCount()}")
        services = context.ServiceManager
        for index in range(pages.getCount()):
            page, target = pages.getByIndex(index), folder / "slide.png"
            height_px = max(1, round(width_px * page.Height / page.Width))
            size = _property("PixelWidth", width_px), _property("PixelHeight", height_px)
            exporter = services.createInstanceWithContext(
                "com.sun.star.drawing.GraphicExportFilter", context
            )
            exporter.setSourceDocument(page)
            exporter.filter(
                (
                    _property("MediaType", "image/png"),
                    _property("URL", uno.systemPathToFileUrl(str(target))),
                    _property("FilterData", uno.Any("[]com.sun.star.beans.PropertyValue", size)),
                )
            )
            picture = target.read_bytes()
            target.unlink()
            out.write(struct.pack(">I", len(picture)) + picture)
        out.flush()


@contextlib.contextmanager
def _application() -> Iterator[Any]:
    """Start the application; yields its context and kills it in the end."""
    process = _launch()
    try:
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext(
            "com.sun.star.bridge.UnoUrlResolver", local
        )
        deadline = time.monotonic() + _START_SEC
        while True:
            if process.poll() == _WANTS_RESTART:
                process = _launch()
            try:
                context = resolver.resolve(f"uno:pipe,name={_PIPE};urp;StarOffice.ComponentContext")
                break
            except Exception as error:
                if time.monotonic() > deadline or process.poll() not in (None, _WANTS_RESTART):
                    raise TimeoutError(f"the application did not come up: {error}") from error
                time.sleep(0.02)  # the pipe appears without any event to wait for
        yield context
    finally:
        process.kill()
        process.wait()


def _launch() -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [_PROGRAM, *_OPTIONS, f"--accept=pipe,name={_PIPE};urp;"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _load(context: Any, deck: bytes, path: Path) -> Any:
    path.write_bytes(deck)
    desktop = context.ServiceManager.createInstanceWithContext(
        "com.sun.star.frame.Desktop", context
    )
    # Without the filter's name a broken deck would be opened as a text file.
    options = (_property("Hidden", True), _property("FilterName", _PPTX_FILTER))
    url = uno.systemPathToFileUrl(str(path))
    try:
        document = desktop.loadComponentFromURL(url, "_blank", 0, options)
    except Exception as error:
        raise ValueError(f"the application cannot open the deck: {error}") from error
    if document is None or not hasattr(document, "getDrawPages"):
        raise ValueError("the application does not read this file as a presentation")
    return document


def _property(name: str, value: Any) -> Any:
    made = PropertyValue()
    made.Name, made.Value = name, value
    return made


def _main() -> int:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    width_px, most = (int(word) for word in sys.argv[1:3])
    try:
        export_slides(sys.stdin.buffer.read(), width_px, most, sys.stdout.buffer)
    except (ValueError, TimeoutError) as error:
        sys.stderr.write(f"{error}\n")
        return 3 if isinstance(error, ValueError) else 1
    return 0


if __name__ == "__main__":
    sys.exit(_main())
