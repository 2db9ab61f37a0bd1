"""Settings of an audit run."""

from dataclasses import dataclass
from pathlib import Path

__all__ = ["AuditSettings"]


@dataclass(frozen=True, slots=True)
class AuditSettings:
    """Settings of an audit run.

    Attributes:
        count: Maximum number of cases; None for the audit's default.
        seed: Seed of all random choices.
        decks: Folder of additional .pptx files for audits that iterate over decks; None for the
            packaged decks only.
        machine: Machine type for audits that need one.
        operators: Operators to audit, for the audit of operators; empty for all.
        out: Folder for results as they are produced; audits that support it resume from it.
        processes: Number of processes, for audits that support several.
    """

    count: int | None = None
    seed: int = 0
    decks: Path | None = None
    machine: str = "sandbox"
    operators: tuple[str, ...] = ()
    out: Path | None = None
    processes: int = 2
