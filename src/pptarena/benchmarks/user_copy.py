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

__all__ = ["MAX_JSON_BYTES", "UserCopy", "read_text_field"]

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
            raise TaskError(f"{root}: expected the folder of your copy, found none")

    def has(self, path: str) -> bool:
        """Return whether a file exists at a path relative to the folder."""
        file = self._path(path)
        return file is not None and file.is_file()

    def json(self, path: str) -> Any:
        """Return the contents of a JSON file.

        Raises:
            RefusedError: If the file cannot be read, or its path leads out of the folder.
        """
        data = self._read(path, MAX_JSON_BYTES, "a JSON file")
        try:
            return json.loads(data)
        except (ValueError, RecursionError) as error:
            raise RefusedError("a JSON file cannot be read", f"{path}: {error}") from error

    def deck(self, path: object, label: str) -> bytes:
        """Return a valid .pptx file.

        Args:
            path: Path relative to the folder.
            label: Purpose of the file, for error messages.

        Raises:
            RefusedError: If the file cannot be read, or its path leads out of the folder.
        """
        data = self.file(path, label)
        if data.startswith(_LFS):
            details = f"{label}: {path} is a Git LFS pointer; fetch it with 'git lfs pull'"
            raise RefusedError("a deck is missing", details)
        try:
            read_deck(data)
        except DeckError as error:
            raise RefusedError("a deck cannot be read", f"{label}: {path}: {error}") from error
        return data

    def file(self, path: object, label: str) -> bytes:
        """Return the bytes of a file; arguments and errors are those of `deck`."""
        if not isinstance(path, str) or not path.strip():
            raise RefusedError("malformed", f"{label}: expected the path of a file, got {path!r}")
        return self._read(path, MAX_FILE_BYTES, label)

    def _read(self, path: str, max_bytes: int, label: str) -> bytes:
        file = self._path(path)
        if file is None:
            details = f"{label}: expected a path below {self.root.name!r}, got {path[:200]!r}"
            raise RefusedError("a path leads out of the copy", details)
        try:
            return read_file(file, max_bytes)
        except OSError as error:
            details = f"{label}: {path[:200]}: {error.strerror or error}"
            cause = "a file is too large" if error.errno == EFBIG else "a file is missing"
            raise RefusedError(cause, details) from error

    def _path(self, path: str) -> Path | None:
        """Return the resolved path; None if it leads out of the folder."""
        try:
            resolved = (self.root / path).resolve()
        except (OSError, ValueError, RuntimeError):  # an invalid path, or a symlink loop
            return None
        return resolved if resolved.is_relative_to(self.root) else None


def read_text_field(value: Any, key: str, default: str | None = None) -> str:
    """Return a string field of an object, stripped.

    Raises:
        RefusedError: If the value is not a string, or is missing or empty and has no default.
    """
    if not isinstance(value, dict):
        raise RefusedError("malformed", f"expected an object, got {str(value)[:60]!r}")
    text = value.get(key, default)
    if not isinstance(text, str) or (default is None and not text.strip()):
        raise RefusedError("malformed", f"{key}: expected a text, got {str(text)[:60]!r}")
    return text.strip()
