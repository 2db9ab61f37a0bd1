"""Problems for which PowerPoint would refuse or repair a deck."""

from dataclasses import dataclass
from typing import Literal

__all__ = ["Problem", "Severity"]

Severity = Literal["refused", "repaired", "unusual"]
"""Expected reaction of PowerPoint to a problem.

``refused``: the deck does not open. ``repaired``: PowerPoint offers a repair, which may remove
content, or opens the deck without that content. ``unusual``: the standard forbids it, but widely
used programs write it, and PowerPoint is not known to complain. These expectations were not
verified with a release of PowerPoint.
"""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """A reason for which PowerPoint would refuse or repair a deck.

    Attributes:
        part: Name of the part, without a leading slash.
        place: Path of the element, such as ``/sld[1]/cSld[1]``; empty for the part as a whole.
        reason: What is wrong, and what was expected.
        severity: Expected reaction of PowerPoint.
    """

    part: str
    place: str
    reason: str
    severity: Severity = "repaired"

    def __str__(self) -> str:
        return f"{self.part}{self.place}: {self.reason}"

    def to_json(self) -> dict[str, str]:
        """Return the problem as a JSON object."""
        return {
            "severity": self.severity,
            "part": self.part,
            "place": self.place,
            "reason": self.reason,
        }
