"""What becomes of the cases of a benchmark: a task each, or a reason why not."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from pptarena.errors import DeckError, RubricError, TaskError

__all__ = ["Outcome", "RefusedError", "counted", "outcomes"]


class RefusedError(TaskError):
    """A case that does not become a task.

    Args:
        cause: Why, in the words that all cases of this kind share.
        why: The same of this one case.
        expected: Whether this is so in every copy: nothing is missing or broken.
    """

    def __init__(self, cause: str, why: str = "", *, expected: bool = False) -> None:
        super().__init__(f"{cause}: {why}" if why else cause)
        self.cause = cause
        self.expected = expected


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one case.

    Attributes:
        name: The case, as the benchmark calls it.
        task: Id of the task that was written; empty if it was refused.
        cause: Why it was refused, in the words that all cases of this kind share.
        problem: The same of this one case.
        expected: Whether it is refused from every copy: nothing is missing or broken.
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
        cases: The name of each, and what writes its task and returns the task's id.
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


def counted(found: Iterable[Outcome]) -> dict[str, int]:
    """Return how many cases were refused for each cause, the most frequent first."""
    return dict(Counter(each.cause for each in found if not each.task).most_common())
