"""`Problem`: one reason for which PowerPoint would refuse or repair a deck."""

from dataclasses import dataclass

__all__ = ["Problem"]


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """A reason for which PowerPoint would refuse or repair a deck.

    Attributes:
        part: Name of the part, without a leading slash.
        place: Path of the element, such as ``/sld[1]/cSld[1]``; empty for the part as a whole.
        reason: What is wrong, and what was expected.
    """

    part: str
    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.part}{self.place}: {self.reason}"

    def to_json(self) -> dict[str, str]:
        """Return it as JSON."""
        return {"part": self.part, "place": self.place, "reason": self.reason}
