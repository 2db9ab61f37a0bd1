"""Packaged decks, built by ``tools/decks``."""

from functools import cache
from pathlib import Path

from pptarena.errors import TaskError

__all__ = ["deck_names", "read_deck_file"]

_FOLDER = Path(__file__).parent / "decks"


def deck_names() -> tuple[str, ...]:
    """Return the names of all packaged decks, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.pptx")))


@cache
def read_deck_file(name: str) -> bytes:
    """Return the .pptx file of a packaged deck.

    Raises:
        TaskError: If no deck has that name, or it cannot be read.
    """
    try:
        return (_FOLDER / f"{name}.pptx").read_bytes()
    except OSError as error:
        raise TaskError(f"the deck {name!r} cannot be read: {error}") from error
