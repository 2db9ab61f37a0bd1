"""What an audit found."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["AuditReport", "Row"]


@dataclass(frozen=True, slots=True)
class Row:
    """One attack or one measurement.

    Attributes:
        name: What was tried.
        expected: What should be seen, in words or as a bound.
        found: What was seen.
        held: Whether it is as it should be.
    """

    name: str
    expected: str
    found: str
    held: bool


@dataclass(frozen=True, slots=True)
class AuditReport:
    """All rows of one audit.

    Attributes:
        name: The audit.
        rows: What was tried, in order; an audit without rows has shown nothing and does not hold.
        figures: Totals and times by name, with the unit in the name.
    """

    name: str
    rows: tuple[Row, ...]
    figures: Mapping[str, float | int | str] = field(default_factory=dict)

    @property
    def held(self) -> bool:
        """Whether every row is as it should be, and there is one."""
        return bool(self.rows) and all(row.held for row in self.rows)

    def to_json(self) -> dict[str, Any]:
        """Return the report as one JSON object."""
        return {
            "audit": self.name,
            "held": self.held,
            "figures": dict(self.figures),
            "rows": [
                {"name": r.name, "expected": r.expected, "found": r.found, "held": r.held}
                for r in self.rows
            ],
        }
