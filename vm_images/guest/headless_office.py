"""The office application without a desktop, for programs that open a deck, do one thing and end."""

import contextlib
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uno
from com.sun.star.beans import PropertyValue

__all__ = ["MEMORY_BYTES", "PPTX_FILTER", "headless_office", "load_deck", "named_value"]

MEMORY_BYTES = 4 * 2**30  # of address space, for the program and the application
PPTX_FILTER = "Impress MS PowerPoint 2007 XML"

_PROGRAM = "/usr/lib/libreoffice/program/soffice.bin"
_WANTS_RESTART = 81  # exit code after changes to its profile
_OPTIONS = ("--headless", "--invisible", "--norestore", "--nologo", "--nodefault", "--nolockcheck")
_PIPE = "pptarena-headless"
_START_SEC = 60.0


@contextlib.contextmanager
def headless_office() -> Iterator[Any]:
    """Start the application; yields its context and kills it in the end.

    Raises:
        TimeoutError: If the application does not come up.
    """
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


def load_deck(context: Any, deck: bytes, path: Path, *, hidden: bool = True) -> Any:
    """Open a deck and return the document.

    Args:
        context: Of the application.
        deck: The .pptx file.
        path: Where the file is written for the application to read.
        hidden: Whether it has no window; commands need one.

    Raises:
        ValueError: If the application refuses the deck.
    """
    path.write_bytes(deck)
    desktop = context.ServiceManager.createInstanceWithContext(
        "com.sun.star.frame.Desktop", context
    )
    # Without the filter's name a broken deck would be opened as a text file.
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
    """Return one option as the application takes it."""
    made = PropertyValue()
    made.Name, made.Value = name, value
    return made


def _launch() -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [_PROGRAM, *_OPTIONS, f"--accept=pipe,name={_PIPE};urp;"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
