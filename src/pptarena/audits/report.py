"""Results of an audit."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["AuditReport", "Row"]


@dataclass(frozen=True, slots=True)
class Row:
    """One attack or measurement.

    Attributes:
        name: What was tried.
        expected: The expected result, in words or as a bound.
        found: The observed result.
        held: Whether the result is as expected.
    """

    name: str
    expected: str
    found: str
    held: bool


@dataclass(frozen=True, slots=True)
class AuditReport:
    """All rows of one audit.

    Attributes:
        name: Name of the audit.
        rows: Results in order; an audit without rows does not hold.
        figures: Totals and durations by name, with the unit in the name.
    """

    name: str
    rows: tuple[Row, ...]
    figures: Mapping[str, float | int | str] = field(default_factory=dict)

    @property
    def held(self) -> bool:
        """Whether there is at least one row and every row is as expected."""
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
