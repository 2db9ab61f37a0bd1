"""Record of the lookups in a package that facts depend on."""

from collections.abc import Hashable
from dataclasses import dataclass, field

__all__ = ["Seen"]


@dataclass(slots=True)
class Seen:
    """The lookups behind some facts; equal answers imply equal facts.

    Attributes:
        parts: Token of each part read as bytes; empty for a missing part.
        markup: Token of each part read as XML.
        present: Stored name of each part looked up by name only; None for a missing part.
        numbers: Position of each slide looked up by part name.
        shared: Lookups behind facts that are computed once per package, by key.
        own_cost: Cost in tags and attributes, without shared facts.
        own_shapes: Number of shapes read, without shared facts.
    """

    parts: dict[str, bytes] = field(default_factory=dict)
    markup: dict[str, bytes] = field(default_factory=dict)
    present: dict[str, str | None] = field(default_factory=dict)
    numbers: dict[str, int | None] = field(default_factory=dict)
    shared: dict[Hashable, "Seen"] = field(default_factory=dict)
    own_cost: int = 0
    own_shapes: int = 0
