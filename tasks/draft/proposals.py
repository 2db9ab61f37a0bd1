"""`Proposal`: a proposed task with its reviews, stored next to the task as ``proposal.json``."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, Self, get_args

from pptarena.errors import TaskError
from pptarena.files import atomic_write, read_text

__all__ = [
    "DECISIONS",
    "FILE",
    "UNPROVEN",
    "Decision",
    "Proposal",
    "Review",
    "refinements",
    "stored_proposals",
]

FILE: Final = "proposal.json"
"""Name of the record in the folder of a task."""

UNPROVEN: Final = "unproven"
"""Name of the folder with the records of proposals that could not be proven."""

Decision = Literal["keep", "refine", "reject"]
DECISIONS: Final[tuple[Decision, ...]] = get_args(Decision)
"""The decisions of a review."""


@dataclass(frozen=True, slots=True)
class Review:
    """One reviewer's decision on a proposed task.

    Attributes:
        by: Name of the reviewer.
        decision: One of `DECISIONS`.
        reason: Reason, such as "unclear"; equal reasons are counted together.
        part: What was refined: ``instruction`` or ``rubric``; empty for other decisions.
        before: The instruction or the rubric (as JSON) before the refinement.
        after: The same after it.
    """

    by: str
    decision: Decision
    reason: str = ""
    part: str = ""
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed task.

    Attributes:
        id: Id of the task.
        instruction: The instruction as proposed.
        difficulty: The difficulty as proposed.
        slide: Number of the slide that the task is about, from 1; None if unknown.
        by: The model that proposed it, or ``operators``.
        reason: Why it was proposed; may be empty.
        problem: Why it could not be proven; empty for a task that was kept.
        reviews: All reviews, the oldest first.
    """

    id: str
    instruction: str
    difficulty: str
    slide: int | None
    by: str
    reason: str = ""
    problem: str = ""
    reviews: tuple[Review, ...] = ()

    def reviewed(self, review: Review) -> Self:
        """Return the proposal with one more review."""
        return replace(self, reviews=(*self.reviews, review))

    def write(self, path: Path) -> None:
        """Write the record.

        Raises:
            OSError: If it cannot be written.
        """
        with atomic_write(path) as file:
            file.write((json.dumps(asdict(self), ensure_ascii=False, indent=1) + "\n").encode())

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a record.

        Raises:
            TaskError: If it is missing or malformed.
        """
        try:
            value: dict[str, Any] = json.loads(read_text(path))
            reviews = tuple(Review(**each) for each in value.pop("reviews"))
            return cls(**value, reviews=reviews)
        except (OSError, ValueError, TypeError, AttributeError, LookupError) as error:
            raise TaskError(f"{path}: expected the record of a proposed task: {error!r}") from error


def stored_proposals(folder: Path) -> Iterator[Proposal]:
    """Yield all proposals of a folder, also those that could not be proven, sorted by id.

    Raises:
        TaskError: If a record is malformed.
    """
    paths = [*folder.glob(f"*/{FILE}"), *folder.glob(f"{UNPROVEN}/*.json")]
    yield from sorted(map(Proposal.read, paths), key=lambda each: each.id)


def refinements(proposals: Iterable[Proposal], part: str) -> Counter[str]:
    """Return the number of refined tasks by reason.

    Args:
        proposals: The proposals.
        part: ``instruction`` or ``rubric``.
    """
    return Counter(
        reason
        for proposal in proposals
        for reason in {each.reason for each in proposal.reviews if each.part == part}
    )
