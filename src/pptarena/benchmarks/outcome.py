"""Outcomes of importing benchmark cases: a task, or the reason for refusing the case."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from pptarena.errors import DeckError, RubricError, TaskError

__all__ = ["Outcome", "RefusedError", "count_refusals", "outcomes"]


class RefusedError(TaskError):
    """A case that cannot be imported.

    Args:
        cause: The reason, worded the same for all cases of this type.
        details: Details for this case.
        expected: Whether the benchmark itself causes the refusal, not a damaged copy.
    """

    def __init__(self, cause: str, details: str = "", *, expected: bool = False) -> None:
        super().__init__(f"{cause}: {details}" if details else cause)
        self.cause = cause
        self.expected = expected


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of importing one case.

    Attributes:
        name: Name of the case in the benchmark.
        task: Id of the task written; empty if the case was refused.
        cause: The reason for refusal, worded the same for all cases of this type.
        problem: The reason with details for this case.
        expected: Whether the benchmark itself causes the refusal, not a damaged copy.
    """

    name: str
    task: str = ""
    cause: str = ""
    problem: str = ""
    expected: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return asdict(self)


def outcomes(cases: Iterable[tuple[str, Callable[[], str]]]) -> Iterator[Outcome]:
    """Import cases one after the other.

    Args:
        cases: Pairs of a name and a function that writes the task and returns its id.
    """
    for name, write in cases:
        try:
            yield Outcome(name, task=write())
        except RefusedError as error:
            yield Outcome(name, "", error.cause, str(error), error.expected)
        except DeckError as error:
            yield Outcome(name, "", "a deck cannot be read", str(error))
        except (TaskError, RubricError) as error:
            yield Outcome(name, "", "malformed", str(error))


def count_refusals(results: Iterable[Outcome]) -> dict[str, int]:
    """Return the number of refused cases by cause, most frequent first."""
    return dict(Counter(outcome.cause for outcome in results if not outcome.task).most_common())
