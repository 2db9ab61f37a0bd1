"""Getting at the bytes of a deck."""

from pathlib import Path
from stat import S_ISREG

from pptarena.errors import DeckError

__all__ = ["MAX_FILE_BYTES", "read_bytes"]

MAX_FILE_BYTES = 256 * 2**20


def read_bytes(source: bytes | Path) -> bytes:
    """Return a deck's bytes, from memory or from a file.

    Raises:
        DeckError: If the file cannot be read or is larger than is allowed.
    """
    if not isinstance(source, Path):
        if len(source) > MAX_FILE_BYTES:
            raise DeckError(f"the file is larger than {MAX_FILE_BYTES} bytes")
        return source if isinstance(source, bytes) else bytes(source)
    try:
        known = source.stat()
        if not S_ISREG(known.st_mode):
            raise DeckError(f"{source} cannot be read: it is no file")
        if known.st_size > MAX_FILE_BYTES:
            raise DeckError(f"{source} is larger than {MAX_FILE_BYTES} bytes")
        return source.read_bytes()
    except OSError as error:
        raise DeckError(f"{source} cannot be read: {error.strerror or error}") from error
