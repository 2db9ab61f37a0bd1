"""What a user has downloaded of a benchmark: nothing outside its folder is read."""

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
"""Most bytes of a JSON file that is read."""

_LFS = b"version https://git-lfs"


class UserCopy:
    """A folder that somebody else has filled.

    Args:
        root: The folder.

    Raises:
        TaskError: If it is none.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.expanduser().resolve()
        if not self.root.is_dir():
            raise TaskError(f"{root}: expected the folder of your copy, there is none")

    def has(self, words: str) -> bool:
        """Return whether a file lies at a path below the folder."""
        path = self._path(words)
        return path is not None and path.is_file()

    def json(self, words: str) -> Any:
        """Return what a JSON file holds.

        Raises:
            RefusedError: If it cannot be read, or its path leads out of the folder.
        """
        data = self._read(words, MAX_JSON_BYTES, "a JSON file")
        try:
            return json.loads(data)
        except (ValueError, RecursionError) as error:
            raise RefusedError("a JSON file cannot be read", f"{words}: {error}") from error

    def deck(self, words: object, place: str) -> bytes:
        """Return a .pptx file that can be read.

        Args:
            words: Its path below the folder.
            place: What it is for, for errors.

        Raises:
            RefusedError: If it cannot be read, or its path leads out of the folder.
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
        """Return the bytes of a file; arguments and errors as of `deck`."""
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
        """Return a path below the folder, links followed; None if it leads elsewhere."""
        try:
            found = (self.root / words).resolve()
        except (OSError, ValueError, RuntimeError):  # no path at all, or links in a ring
            return None
        return found if found.is_relative_to(self.root) else None


def text_of(value: Any, key: str, default: str | None = None) -> str:
    """Return a text of an object, without blanks around it.

    Raises:
        RefusedError: If it is missing without a default, empty without one, or no text.
    """
    if not isinstance(value, dict):
        raise RefusedError("malformed", f"expected an object, got {str(value)[:60]!r}")
    found = value.get(key, default)
    if not isinstance(found, str) or (default is None and not found.strip()):
        raise RefusedError("malformed", f"{key}: expected a text, got {str(found)[:60]!r}")
    return found.strip()
