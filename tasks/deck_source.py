"""Sources of decks: the package, a file, or memory."""

import hashlib
import re
from pathlib import Path
from typing import TypeAlias

from pptarena.decks.package.files import read_bytes
from pptarena.errors import DeckError, TaskError
from pptarena.tasks.deck_files import deck_names, read_deck_file
from pptarena.tasks.outside import require_inside

__all__ = ["DeckSource", "deck_label", "file_name", "find_deck", "read_source"]

DeckSource: TypeAlias = str | Path | bytes
"""A packaged deck's name (or a path, if it ends in ``.pptx``), a path, or the .pptx contents."""

_SUFFIX = ".pptx"
_MAX_STEM_CHARS = 60


def find_deck(words: str, folder: Path, place: str) -> DeckSource:
    """Return the deck that a task file names.

    Args:
        words: A path relative to the folder, ending in ``.pptx``, or a packaged deck's name. A path
            outside the folder is rejected unless it is allowed (`pptarena.tasks.outside`).
        folder: Folder of the task file.
        place: Name of the field, for errors.

    Raises:
        TaskError: If the file does not exist or is outside the folder, or no packaged deck has that
            name.
    """
    if not _is_path(words):
        if words not in deck_names():
            known = ", ".join(deck_names())
            raise TaskError(
                f"{place}: expected one of {known}, got {words!r}; the path of a file ends in .pptx"
            )
        return words
    try:
        path = (folder / words).resolve()
    except (OSError, ValueError, RuntimeError) as error:  # an invalid path, or a cycle of links
        raise TaskError(f"{place}: expected the path of a .pptx file, got {words!r}") from error
    require_inside(path, folder, place)
    if not path.is_file():
        raise TaskError(f"{place}: expected a .pptx file, there is none at {path}")
    return path


def read_source(source: DeckSource, place: str) -> bytes:
    """Return the .pptx file of a deck.

    Args:
        source: Source of the deck.
        place: Purpose of the deck, for errors.

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
        raise TaskError(f"{place}: {error}") from error


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
    plain = re.sub(r"[^A-Za-z0-9 ._-]", "_", stem)[:_MAX_STEM_CHARS].strip(" .")
    return f"{plain or 'deck'}{_SUFFIX}"


def _is_path(words: str) -> bool:
    return words.lower().endswith(_SUFFIX)
