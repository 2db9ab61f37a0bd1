"""Find a window by what an agent calls it."""

from collections.abc import Sequence

__all__ = ["find_title"]


def find_title(titles: Sequence[str], wanted: str) -> int | None:
    """Return the place of a title; an exact one goes before one that only contains the words.

    Case does not count. None if there is no such title.
    """
    folded = [title.casefold() for title in titles]
    wanted = wanted.casefold()
    if wanted in folded:
        return folded.index(wanted)
    return next((place for place, title in enumerate(folded) if wanted in title), None)
