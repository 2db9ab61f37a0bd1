"""What goes wrong while calls are carried out."""

from pptarena.errors import TaskError

__all__ = ["CallError", "Refusal"]


class CallError(TaskError):
    """A call could not be carried out; the message begins with the call.

    Attributes:
        call: The call as it was written.
        reason: What was expected and what came.
    """

    def __init__(self, call: str, reason: str) -> None:
        super().__init__(f"{call}: {reason}")
        self.call = call
        self.reason = reason


class Refusal(ValueError):
    """Why one call cannot be carried out; the executor turns it into a `CallError`."""
