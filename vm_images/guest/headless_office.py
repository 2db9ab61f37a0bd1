"""The office application without a desktop, for programs that process decks and exit."""

import contextlib
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uno
from com.sun.star.beans import PropertyValue

from pptarena.vm_images.guest.home_folder import reset_home

__all__ = ["MEMORY_BYTES", "PPTX_FILTER", "headless_office", "load_deck", "named_value"]

MEMORY_BYTES = 4 * 2**30  # of address space, for program and application
PPTX_FILTER = "Impress MS PowerPoint 2007 XML"

_PROGRAM = "/usr/lib/libreoffice/program/soffice.bin"
_RESTART_CODE = 81  # exit code after changes to its profile
_OPTIONS = ("--headless", "--invisible", "--norestore", "--nologo", "--nodefault", "--nolockcheck")
_PIPE = "pptarena-headless"
_START_SEC = 60.0


@contextlib.contextmanager
def headless_office() -> Iterator[Any]:
    """Start the application, yield its UNO context, and kill it on exit.

    The application uses the same profile as on a desktop. With an empty profile, LibreOffice would
    start twice and test its drawing, which takes 1.5 s.

    Raises:
        TimeoutError: If the application does not start.
    """
    reset_home(Path(os.environ["HOME"]))
    process = _launch()
    try:
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext(
            "com.sun.star.bridge.UnoUrlResolver", local
        )
        deadline = time.monotonic() + _START_SEC
        while True:
            if process.poll() == _RESTART_CODE:
                process = _launch()
            try:
                context = resolver.resolve(f"uno:pipe,name={_PIPE};urp;StarOffice.ComponentContext")
                break
            except Exception as error:
                if time.monotonic() > deadline or process.poll() not in (None, _RESTART_CODE):
                    raise TimeoutError(f"the application did not start: {error}") from error
                time.sleep(0.02)  # the pipe appears without any event to wait for
        yield context
    finally:
        process.kill()
        process.wait()


def load_deck(context: Any, deck: bytes, path: Path, *, hidden: bool = True) -> Any:
    """Open a deck and return the document.

    Args:
        context: UNO context of the application.
        deck: The .pptx file.
        path: Path to write the file to, for the application to read.
        hidden: Whether to open it without a window; commands need one.

    Raises:
        ValueError: If the application refuses the deck.
    """
    path.write_bytes(deck)
    desktop = context.ServiceManager.createInstanceWithContext(
        "com.sun.star.frame.Desktop", context
    )
    # Without an explicit filter, a broken deck would open as a text file.
    options = (named_value("Hidden", hidden), named_value("FilterName", PPTX_FILTER))
    url = uno.systemPathToFileUrl(str(path))
    try:
        document = desktop.loadComponentFromURL(url, "_blank", 0, options)
    except Exception as error:
        raise ValueError(f"the application cannot open the deck: {error}") from error
    if document is None or not hasattr(document, "getDrawPages"):
        raise ValueError("the application does not read this file as a presentation")
    return document


def named_value(name: str, value: Any) -> Any:
    """Return a UNO PropertyValue."""
    property_value = PropertyValue()
    property_value.Name, property_value.Value = name, value
    return property_value


def _launch() -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [_PROGRAM, *_OPTIONS, f"--accept=pipe,name={_PIPE};urp;"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
