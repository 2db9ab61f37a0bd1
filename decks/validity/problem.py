"""`Problem`: one reason for which PowerPoint would refuse or repair a deck."""

from dataclasses import dataclass
from typing import Literal

__all__ = ["Problem", "Severity"]

Severity = Literal["refused", "repaired", "unusual"]
"""What PowerPoint is expected to do with a deck that has a problem.

``refused``: it does not open the deck. ``repaired``: it offers a repair, which may remove content,
or opens the deck without that content. ``unusual``: the standard forbids it, but programs that many
people use write it, and PowerPoint is not known to complain. No release of PowerPoint was run to
confirm it.
"""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """A reason for which PowerPoint would refuse or repair a deck.

    Attributes:
        part: Name of the part, without a leading slash.
        place: Path of the element, such as ``/sld[1]/cSld[1]``; empty for the part as a whole.
        reason: What is wrong, and what was expected.
        severity: What PowerPoint is expected to do about it.
    """

    part: str
    place: str
    reason: str
    severity: Severity = "repaired"

    def __str__(self) -> str:
        return f"{self.part}{self.place}: {self.reason}"

    def to_json(self) -> dict[str, str]:
        """Return it as JSON."""
        return {
            "severity": self.severity,
            "part": self.part,
            "place": self.place,
            "reason": self.reason,
        }
