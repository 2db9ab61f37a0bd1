"""What was said before a task begins, where it goes on from something."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pptarena.errors import TaskError
from pptarena.tasks.fields import Fields

__all__ = ["Exchange", "load_dialogue"]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request that was carried out before.

    Attributes:
        user: What was asked for.
        assistant: What was answered, such as the calls that did it.
    """

    user: str
    assistant: str

    def to_json(self) -> dict[str, str]:
        """Return it as a JSON object."""
        return {"user": self.user, "assistant": self.assistant}


def load_dialogue(value: Sequence[Any], place: str = "dialogue") -> tuple[Exchange, ...]:
    """Read a dialogue from JSON.

    Raises:
        TaskError: If an exchange is malformed; the message begins with its place.
    """
    found = []
    for index, each in enumerate(value):
        fields = Fields(each, f"{place}/{index}")
        exchange = Exchange(fields.take("user", str).strip(), fields.take("assistant", str).strip())
        fields.finish()
        if not exchange.user:
            raise TaskError(f"{place}/{index}: expected a text in 'user', got none")
        found.append(exchange)
    return tuple(found)
