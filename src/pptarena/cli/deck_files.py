"""Decks that a user names on the command line."""

from pathlib import Path

__all__ = ["deck_bytes"]


def deck_bytes(path: Path) -> bytes:
    """Return a .pptx file that can be read.

    Raises:
        DeckError: If it cannot; the message names the file.
    """
    from pptarena.decks import read_deck
    from pptarena.decks.package.files import named_errors, read_bytes

    data = read_bytes(path)
    with named_errors(path):
        read_deck(data)
    return data
