"""The standard of grading, written down before any attempt was scored."""

from enum import IntEnum

__all__ = ["Grade", "grade_of_score"]


class Grade(IntEnum):
    """How far an attempt came, as a fair reviewer says who knows only instruction and decks.

    Every separate request of the instruction counts the same; a request that concerns several
    places counts by the share of places. Side damage that somebody would have to repair costs one
    grade, and two where it outweighs what was gained. What nobody sees (runs, ids, the order of
    edits) and what the instruction leaves open costs nothing.
    """

    NONE = 0
    """Nothing asked for is achieved: no change, unrelated changes, the wrong object."""
    SOME = 1
    """Less than half is achieved, or the right thing in a wrong form or place, if it still is on
    the slide meant and seen by those it is for."""
    SIGNIFICANT = 2
    """At least half is achieved but not all, or all of it with notable damage or a flaw."""
    PERFECT = 3
    """All is achieved, by whatever route, and nothing else is harmed."""

    @property
    def label(self) -> str:
        """The grade in lower case."""
        return self.name.lower()


def grade_of_score(score: float) -> Grade:
    """Return the grade whose bin holds a score.

    The bins are those of the paper on PPTArena, table 1: 0, (0, 0.5), [0.5, 1) and 1.

    Args:
        score: From 0 to 1.
    """
    if score <= 0.0:
        return Grade.NONE
    if score >= 1.0:
        return Grade.PERFECT
    return Grade.SOME if score < 0.5 else Grade.SIGNIFICANT
