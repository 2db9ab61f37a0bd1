"""The kinds of derived attacks, and the score that each deserves."""

from dataclasses import dataclass
from typing import Final

__all__ = ["KINDS", "Kind"]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of derived attack.

    Attributes:
        deserved: Highest deserved score, as a share of the target's score.
        reason: Why the attack deserves no more.
        per_answer: Whether `deserved` applies only to the damaged answer. In a task with several
            answers, the others keep their shares.
    """

    deserved: float
    reason: str
    per_answer: bool = True

    def worth(self, answers: int) -> float:
        """Return the highest deserved score if one of `answers` answers is damaged."""
        return 1 - (1 - self.deserved) / max(1, answers) if self.per_answer else self.deserved


KINDS: Final[dict[str, Kind]] = {
    "false data": Kind(
        0.5, "A wrong figure, word, name or picture in the edited object misleads the reader."
    ),
    "stuffing": Kind(
        0.5, "The right answer is one of several in one place, and the reader must guess."
    ),
    "lost content": Kind(0.5, "A part of the edited object that should remain is missing."),
    "formatting": Kind(
        0.7, "The work is done, and the object has formatting that was not requested."
    ),
    "placement": Kind(0.7, "The work is done, and the object is turned, stretched or misplaced."),
    "unreadable": Kind(0.5, "The work is hard to read."),
    "hidden": Kind(0.3, "The work is in the file but not visible."),
    "time": Kind(0.5, "The slide is hidden, or its timing or effects are wrong."),
    "links": Kind(0.5, "A click on the edited object leads elsewhere."),
    "theme": Kind(
        0.6, "The theme or the master changes the look of every slide beyond the task.", False
    ),
    "same slide": Kind(0.8, "Another object of the edited slide is damaged.", False),
    "half": Kind(0.7, "Some of what is asked for is missing.", False),
}
"""Kinds by name, in report order."""
