"""Files of an episode about its turns: the decks at their ends, and how they ended."""

from collections.abc import Callable, Sequence

from pptarena.errors import UnscoredError

__all__ = ["ENDS", "turn_file", "turn_files"]

ENDS = "ends.json"
"""File of an imported result: the list of ``"done"`` or ``"fail"`` for each turn."""


def turn_file(turn: int) -> str:
    """Return the file name, without suffix, of the deck at the end of a turn, from 1."""
    return f"turn_{turn}"


def turn_files(decks: Callable[[], Sequence[bytes]]) -> dict[str, bytes]:
    """Return the files of an episode's turns by name; empty if they were not stored."""
    try:
        return {f"{turn_file(turn)}.pptx": deck for turn, deck in enumerate(decks(), 1)}
    except UnscoredError:
        return {}  # recomputing the score reports the missing files
