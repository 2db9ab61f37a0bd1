"""Errors of executing calls."""

from pptarena.errors import TaskError

__all__ = ["CallError", "Refusal"]


class CallError(TaskError):
    """A call could not be executed; the message begins with the call.

    Attributes:
        call: Source text of the call.
        reason: The expected and the actual state or value.
    """

    def __init__(self, call: str, reason: str) -> None:
        super().__init__(f"{call}: {reason}")
        self.call = call
        self.reason = reason


class Refusal(ValueError):
    """A call cannot be executed; the executor converts this error to a `CallError`."""
