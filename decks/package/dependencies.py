"""What was asked of a package while facts were read, with the answers."""

from collections.abc import Hashable
from dataclasses import dataclass, field

__all__ = ["Seen"]


@dataclass(slots=True)
class Seen:
    """Everything that facts depend on: they are the same wherever the answers are the same.

    Attributes:
        parts: Token of each part whose bytes were asked for, empty for one that is missing.
        markup: The same for parts that were asked for as XML.
        present: Name under which each part is stored that was asked for by name only; None for
            one that is missing.
        numbers: Position of each slide that was asked for by the name of its part.
        shared: What was looked at for things that are made once for a package, by their key.
        own_cost: What was looked at, in tags and attributes, without that for shared things.
        own_shapes: Number of shapes that were read, without those of shared things.
    """

    parts: dict[str, bytes] = field(default_factory=dict)
    markup: dict[str, bytes] = field(default_factory=dict)
    present: dict[str, str | None] = field(default_factory=dict)
    numbers: dict[str, int | None] = field(default_factory=dict)
    shared: dict[Hashable, "Seen"] = field(default_factory=dict)
    own_cost: int = 0
    own_shapes: int = 0
