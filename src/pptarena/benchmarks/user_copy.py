"""A user's download of a benchmark; files outside its folder are never read."""

import json
from errno import EFBIG
from pathlib import Path
from typing import Any, Final

from pptarena.benchmarks.outcome import RefusedError
from pptarena.decks import read_deck
from pptarena.decks.package.files import MAX_FILE_BYTES
from pptarena.errors import DeckError, TaskError
from pptarena.files import read_file

__all__ = ["MAX_JSON_BYTES", "UserCopy", "text_of"]

MAX_JSON_BYTES: Final = 16 * 2**20
"""Maximum size in bytes of a JSON file."""

_LFS = b"version https://git-lfs"


class UserCopy:
    """A folder with third-party contents.

    Args:
        root: The folder.

    Raises:
        TaskError: If the folder does not exist.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.expanduser().resolve()
        if not self.root.is_dir():
            raise TaskError(f"{root}: expected the folder of your copy, there is none")

    def has(self, words: str) -> bool:
        """Return whether a file exists at a path relative to the folder."""
        path = self._path(words)
        return path is not None and path.is_file()

    def json(self, words: str) -> Any:
        """Return the contents of a JSON file.

        Raises:
            RefusedError: If the file cannot be read, or its path leads out of the folder.
        """
        data = self._read(words, MAX_JSON_BYTES, "a JSON file")
        try:
            return json.loads(data)
        except (ValueError, RecursionError) as error:
            raise RefusedError("a JSON file cannot be read", f"{words}: {error}") from error

    def deck(self, words: object, place: str) -> bytes:
        """Return a valid .pptx file.

        Args:
            words: Path relative to the folder.
            place: Purpose of the file, for error messages.

        Raises:
            RefusedError: If the file cannot be read, or its path leads out of the folder.
        """
        data = self.file(words, place)
        if data.startswith(_LFS):
            why = f"{place}: {words} stands for a file that was not fetched; try 'git lfs pull'"
            raise RefusedError("a deck is missing", why)
        try:
            read_deck(data)
        except DeckError as error:
            raise RefusedError("a deck cannot be read", f"{place}: {words}: {error}") from error
        return data

    def file(self, words: object, place: str) -> bytes:
        """Return the bytes of a file; arguments and errors are those of `deck`."""
        if not isinstance(words, str) or not words.strip():
            raise RefusedError("malformed", f"{place}: expected the path of a file, got {words!r}")
        return self._read(words, MAX_FILE_BYTES, place)

    def _read(self, words: str, most: int, place: str) -> bytes:
        path = self._path(words)
        if path is None:
            why = f"{place}: expected a path below {self.root.name!r}, got {words[:200]!r}"
            raise RefusedError("a path leads out of the copy", why)
        try:
            return read_file(path, most)
        except OSError as error:
            why = f"{place}: {words[:200]}: {error.strerror or error}"
            kind = "a file is too large" if error.errno == EFBIG else "a file is missing"
            raise RefusedError(kind, why) from error

    def _path(self, words: str) -> Path | None:
        """Return the resolved path; None if it leads out of the folder."""
        try:
            found = (self.root / words).resolve()
        except (OSError, ValueError, RuntimeError):  # an invalid path, or a symlink loop
            return None
        return found if found.is_relative_to(self.root) else None


def text_of(value: Any, key: str, default: str | None = None) -> str:
    """Return a string field of an object, stripped.

    Raises:
        RefusedError: If the value is not a string, or is missing or empty and has no default.
    """
    if not isinstance(value, dict):
        raise RefusedError("malformed", f"expected an object, got {str(value)[:60]!r}")
    found = value.get(key, default)
    if not isinstance(found, str) or (default is None and not found.strip()):
        raise RefusedError("malformed", f"{key}: expected a text, got {str(found)[:60]!r}")
    return found.strip()
