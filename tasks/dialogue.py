"""Earlier exchanges that a task continues from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pptarena.errors import TaskError
from pptarena.problems import Problems
from pptarena.tasks.fields import Fields

__all__ = ["Exchange", "load_dialogue"]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One earlier request that was carried out.

    Attributes:
        user: The request.
        assistant: The reply, such as the calls that carried it out.
    """

    user: str
    assistant: str

    def to_json(self) -> dict[str, str]:
        """Return the exchange as a JSON object."""
        return {"user": self.user, "assistant": self.assistant}


def load_dialogue(value: Sequence[Any], location: str = "dialogue") -> tuple[Exchange, ...]:
    """Read a dialogue from JSON.

    Raises:
        TaskError: If some exchanges are malformed; each problem begins with its location.
    """
    problems = Problems(TaskError)
    exchanges = problems.read_each(
        value, lambda index, each: _exchange(each, f"{location}/{index}")
    )
    problems.finish()
    return exchanges


def _exchange(value: Any, location: str) -> Exchange:
    fields, problems = Fields(value, location), Problems(TaskError)
    exchange = Exchange(
        user=problems.read(lambda: fields.take("user", str).strip()),
        assistant=problems.read(lambda: fields.take("assistant", str).strip()),
    )
    problems.read(fields.finish)
    problems.finish()
    if not exchange.user:
        raise TaskError(f"{location}: expected a text in 'user', got none")
    return exchange
