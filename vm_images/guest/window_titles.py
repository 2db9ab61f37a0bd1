"""Find a window by title."""

from collections.abc import Sequence

__all__ = ["find_title"]


def find_title(titles: Sequence[str], wanted: str) -> int | None:
    """Return the index of a title; an exact match takes precedence over a partial one.

    Matching ignores case. Returns None if no title matches.
    """
    folded = [title.casefold() for title in titles]
    wanted = wanted.casefold()
    if wanted in folded:
        return folded.index(wanted)
    return next((place for place, title in enumerate(folded) if wanted in title), None)
