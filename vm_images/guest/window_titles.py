"""Find a window by title."""

from collections.abc import Sequence

__all__ = ["find_title"]


def find_title(titles: Sequence[str], target: str) -> int | None:
    """Return the index of a title; an exact match takes precedence over a partial one.

    Matching ignores case. Returns None if no title matches.
    """
    normalized = [title.casefold() for title in titles]
    target = target.casefold()
    if target in normalized:
        return normalized.index(target)
    return next((index for index, title in enumerate(normalized) if target in title), None)
