"""Settings of one run of an audit."""

from dataclasses import dataclass
from pathlib import Path

__all__ = ["AuditSettings"]


@dataclass(frozen=True, slots=True)
class AuditSettings:
    """What one run of an audit may use.

    Attributes:
        count: How many cases to try at most; None is the audit's own number.
        seed: Seed of everything that is drawn.
        decks: Folder of further .pptx files for audits that go over decks; None takes the
            packaged ones alone.
        machine: Kind of machine for audits that need one.
        operators: The only operators to try, for the audit of these; none means all.
        out: Folder for findings as they are made; audits that support it resume from it.
        processes: Number of processes, for audits that support several.
    """

    count: int | None = None
    seed: int = 0
    decks: Path | None = None
    machine: str = "sandbox"
    operators: tuple[str, ...] = ()
    out: Path | None = None
    processes: int = 2
