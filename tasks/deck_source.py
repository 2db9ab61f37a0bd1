"""Sources of decks: the package, a file, or memory."""

import hashlib
import re
from pathlib import Path
from typing import TypeAlias

from pptarena.decks.package.files import read_bytes
from pptarena.errors import DeckError, TaskError
from pptarena.tasks.allowed_folders import require_inside
from pptarena.tasks.deck_files import deck_names, read_deck_file

__all__ = ["DeckSource", "deck_label", "file_name", "find_deck", "read_source"]

DeckSource: TypeAlias = str | Path | bytes
"""A packaged deck's name (or a path, if it ends in ``.pptx``), a path, or the .pptx contents."""

_SUFFIX = ".pptx"
_MAX_STEM_CHARS = 60


def find_deck(name: str, folder: Path, location: str) -> DeckSource:
    """Return the deck that a task file names.

    Args:
        name: A path relative to the folder, ending in ``.pptx``, or a packaged deck's name. A path
            outside the folder is rejected unless it is allowed (`pptarena.tasks.allowed_folders`).
        folder: Folder of the task file.
        location: Name of the field, for errors.

    Raises:
        TaskError: If the file does not exist or is outside the folder, or no packaged deck has that
            name.
    """
    if not _is_path(name):
        if name not in deck_names():
            names = ", ".join(deck_names())
            raise TaskError(
                f"{location}: expected one of {names}, or a path that ends in .pptx, got {name!r}"
            )
        return name
    try:
        path = (folder / name).resolve()
    except (OSError, ValueError, RuntimeError) as error:  # an invalid path, or a cycle of links
        raise TaskError(f"{location}: expected the path of a .pptx file, got {name!r}") from error
    require_inside(path, folder, location)
    if not path.is_file():
        raise TaskError(f"{location}: expected a .pptx file, there is none at {path}")
    return path


def read_source(source: DeckSource, location: str) -> bytes:
    """Return the .pptx file of a deck.

    Args:
        source: Source of the deck.
        location: Name of the field or purpose of the deck, for errors.

    Raises:
        TaskError: If it cannot be read; the message names the file.
    """
    if isinstance(source, bytes):
        return source
    if isinstance(source, str) and not _is_path(source):
        return read_deck_file(source)
    try:
        return read_bytes(Path(source))
    except DeckError as error:
        raise TaskError(f"{location}: {error}") from error


def deck_label(source: DeckSource) -> str:
    """Return a deck's label in lists: its name, its path, or a hash of its contents."""
    if isinstance(source, bytes):
        return f"sha256:{hashlib.sha256(source).hexdigest()[:12]}"
    return str(source)


def file_name(source: DeckSource) -> str:
    """Return the name of the deck's file inside a machine.

    Characters that some file system or window title does not support are replaced.
    """
    stem = "deck" if isinstance(source, bytes) else str(source)
    if isinstance(source, Path) or _is_path(stem):
        stem = Path(stem).stem
    safe = re.sub(r"[^A-Za-z0-9 ._-]", "_", stem)[:_MAX_STEM_CHARS].strip(" .")
    return f"{safe or 'deck'}{_SUFFIX}"


def _is_path(name: str) -> bool:
    return name.lower().endswith(_SUFFIX)
