"""Slides that a task may paint anew as a whole."""

from collections.abc import Sequence

from pptarena.decks.diff.change import Change

__all__ = ["repainted"]

_ASPECTS = frozenset(("background", "layout", "master"))


def repainted(
    changes: Sequence[Change], outside: Sequence[Change], slide_count: int
) -> set[int | None]:
    """Return the slides, from 1, whose whole surface may look otherwise.

    What can be seen of their shapes counts all the same.

    Args:
        changes: All changes.
        outside: Those that are not allowed.
        slide_count: Of the original: a change of a master is one of all slides.
    """
    wrong = {(change.slide, change.aspect, change.what) for change in outside}
    allowed = {
        change.slide
        for change in changes
        if change.shape_index is None
        and change.aspect in _ASPECTS
        and (change.slide, change.aspect, change.what) not in wrong
    }
    return {*range(1, slide_count + 1)} if None in allowed else allowed
