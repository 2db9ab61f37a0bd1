"""Read the bytes of a deck."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from pptarena.errors import DeckError
from pptarena.files import read_file

__all__ = ["MAX_FILE_BYTES", "DeckPath", "named_errors", "read_bytes"]

MAX_FILE_BYTES = 256 * 2**20

DeckPath: TypeAlias = str | os.PathLike[str]
"""Path of a .pptx file."""


def read_bytes(source: bytes | DeckPath) -> bytes:
    """Return a deck's bytes, from memory or from a file.

    Args:
        source: The .pptx file itself or its path.

    Raises:
        DeckError: If it is not a regular file, cannot be read, or is larger than `MAX_FILE_BYTES`.
    """
    if not isinstance(source, str | os.PathLike):
        if len(source) > MAX_FILE_BYTES:
            raise DeckError(f"the file is larger than {MAX_FILE_BYTES} bytes")
        return source if isinstance(source, bytes) else bytes(source)
    try:
        return read_file(Path(source), MAX_FILE_BYTES)
    except OSError as error:
        raise DeckError(f"{source} cannot be read: {error.strerror or error}") from error


@contextmanager
def named_errors(source: object) -> Iterator[None]:
    """Prefix the message of each `DeckError` with the deck's path.

    Args:
        source: The path; for other values, such as bytes, errors are not changed.
    """
    try:
        yield
    except DeckError as error:
        message = str(error)
        if not isinstance(source, str | os.PathLike) or message.startswith(str(source)):
            raise
        verb = " is" if message.startswith("not a ") else ":"
        raise DeckError(f"{source}{verb} {message}") from error
