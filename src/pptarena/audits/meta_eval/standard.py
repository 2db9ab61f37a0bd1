"""The grading standard, fixed before any submission was scored."""

from enum import IntEnum

__all__ = ["Grade", "grade_of_score"]


class Grade(IntEnum):
    """Grade of a fair reviewer who knows only the instruction and the decks.

    Every separate request of an instruction has the same weight; a request about several places
    counts by the share of places. Side damage that needs repair costs one grade, or two if it
    outweighs the gain. Invisible properties (runs, ids, the order of edits) and whatever the
    instruction leaves open cost nothing.
    """

    NONE = 0
    """No request is fulfilled: no change, unrelated changes, or the wrong object."""
    SOME = 1
    """Less than half is achieved, or the right thing in a wrong form or place.

    The latter only if the result is on the right slide and visible to its audience.
    """
    SIGNIFICANT = 2
    """At least half but not all is achieved, or all of it with notable damage or a flaw."""
    PERFECT = 3
    """Everything is achieved, by any route, without damage."""

    @property
    def label(self) -> str:
        """The grade in lower case."""
        return self.name.lower()


def grade_of_score(score: float) -> Grade:
    """Return the grade whose bin contains a score.

    The bins are those of the PPTArena paper, table 1: 0, (0, 0.5), [0.5, 1) and 1.

    Args:
        score: A score from 0 to 1.
    """
    if score <= 0.0:
        return Grade.NONE
    if score >= 1.0:
        return Grade.PERFECT
    return Grade.SOME if score < 0.5 else Grade.SIGNIFICANT
