"""Limits on the amount of markup and shapes read from a deck, as protection from hostile files."""

from collections.abc import Hashable
from dataclasses import dataclass, field

from pptarena.errors import DeckError

__all__ = ["MAX_COST", "MAX_SHAPES", "MAX_SHAPES_PER_PART", "Budget", "Lookups"]

MAX_COST = 1_500_000
"""Maximum amount of markup read from a deck, in units of about one tag or attribute.

Usual decks have 5,000 to 400,000 tags and attributes. Long texts count by length, a part counts
each time it is referred to, and content that takes longer to read counts more (`Package.spend`):
any deck within this limit is read in seconds.
"""

MAX_SHAPES = 12_500
"""Maximum number of shapes read from a deck, including layouts and masters."""

MAX_SHAPES_PER_PART = 5_000
"""Maximum number of shapes on one slide, layout or master."""


@dataclass(slots=True)
class Lookups:
    """The recorded lookups that facts depend on; equal answers imply equal facts.

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
    shared: dict[Hashable, "Lookups"] = field(default_factory=dict)
    own_cost: int = 0
    own_shapes: int = 0


class Budget:
    """Counts the cost of reading one file; methods that charge raise `DeckError` beyond the limits.

    Shared facts are charged once: when they are computed, or when facts that depend on them are
    reused.
    """

    def __init__(self) -> None:
        self._cost = self._shapes = 0
        self._charged: dict[Hashable, tuple[int, int]] = {}

    def spend(self, cost: int, part: str = "") -> None:
        """Charge the cost of markup in a part."""
        self._cost += cost
        self._check(part)

    def add_shapes(self, count: int) -> None:
        """Count the shapes of one slide, layout or master."""
        if count > MAX_SHAPES_PER_PART:
            raise DeckError(
                f"expected at most {MAX_SHAPES_PER_PART} shapes on a slide, layout or master, "
                f"found {count}"
            )
        self._shapes += count
        self._check()

    def refund(self, key: Hashable) -> None:
        """Refund the charge for shared facts that are about to be computed and charged."""
        cost, shapes = self._charged.get(key, (0, 0))
        self._cost -= cost
        self._shapes -= shapes

    def record_charge(self, key: Hashable, lookups: Lookups) -> None:
        """Record the cost of computing shared facts, which is charged already."""
        self._charged[key] = lookups.own_cost, lookups.own_shapes

    def charge_again(self, lookups: Lookups) -> None:
        """Charge the recorded cost of reused facts, and of shared facts not charged yet."""
        self._charge(lookups)
        self.check()

    def check(self) -> None:
        """Raise `DeckError` if parts were skipped because the budget was exhausted."""
        self._check()

    def _check(self, part: str = "") -> None:
        if self._cost > MAX_COST:
            place = f", found more at {part!r}" if part else ", found more"
            raise DeckError(
                f"expected at most {MAX_COST} units of markup{place}; a unit is about one of the "
                "tags and attributes or 64 bytes of long text, runs and table cells count more, "
                "and a part counts each time it is used"
            )
        if self._shapes > MAX_SHAPES:
            raise DeckError(
                f"expected at most {MAX_SHAPES} shapes, including layouts and masters, found more"
            )

    def _charge(self, lookups: Lookups) -> None:
        self._cost += lookups.own_cost
        self._shapes += lookups.own_shapes
        if lookups.shared.keys() <= self._charged.keys():
            return
        for key, inner in lookups.shared.items():
            if key not in self._charged:
                self.record_charge(key, inner)
                self._charge(inner)
