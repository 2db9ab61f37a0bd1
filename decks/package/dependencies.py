"""What was asked of a package while facts were read, with the answers."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from pptarena.decks.package.relationships import part_key

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
    _all: "tuple[frozenset[str], Mapping[str, int | None]] | None" = None

    def add(self, other: "Seen") -> None:
        """Take up what was asked for a part of the same facts."""
        self.parts.update(other.parts)
        self.markup.update(other.markup)
        self.present.update(other.present)
        self.numbers.update(other.numbers)
        self.shared.update(other.shared)
        self.own_cost += other.own_cost
        self.own_shapes += other.own_shapes

    def everything(self) -> tuple[frozenset[str], Mapping[str, int | None]]:
        """Return the keys (`part_key`) of all parts that were asked for, and the positions.

        Those of shared things are among them. It is worked out once: nothing may be added later.
        """
        if self._all is None:
            inner = [each.everything() for each in self.shared.values()]
            names = frozenset(map(part_key, (*self.parts, *self.markup, *self.present)))
            numbers = dict(self.numbers)
            for _, asked in inner:
                numbers.update(asked)
            self._all = names.union(*(each for each, _ in inner)), numbers
        return self._all
