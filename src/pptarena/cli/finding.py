"""What a look at this computer found."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Check", "Finding", "Status"]


class Status(StrEnum):
    """How grave a finding is: only FAILED keeps machines from running."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


@dataclass(frozen=True)
class Finding:
    """The outcome of one check.

    Attributes:
        name: What was looked at.
        status: How it is.
        detail: What was found.
        mend: The command that mends it; ``""`` if there is nothing to mend.
    """

    name: str
    status: Status
    detail: str
    mend: str = ""


Check = Callable[[], Finding]
