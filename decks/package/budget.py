"""How much of a deck is read: markup and shapes are counted, and hostile decks are refused."""

from collections.abc import Hashable

from pptarena.decks.package.dependencies import Seen
from pptarena.errors import DeckError

__all__ = ["MAX_COST", "MAX_SHAPES", "MAX_SHAPES_OF_PART", "Budget"]

MAX_COST = 1_500_000
"""How much markup of a deck is read, in units of about one tag or attribute.

Usual decks have 5,000 to 400,000 tags and attributes. Long texts count by their length, a part that
others refer to counts each time, and what takes longer to read counts for more (`Package.spend`):
a deck at this limit is read in seconds whatever it is made of.
"""

MAX_SHAPES = 12_500
"""Most shapes of a deck that are read, those of layouts and masters included."""

MAX_SHAPES_OF_PART = 5_000
"""Most shapes of one slide, layout or master."""


class Budget:
    """Counts the cost of what is read of one file.

    Facts that are shared are paid for once: when they are made, or when something that depends on
    them is used again.
    """

    def __init__(self) -> None:
        self._cost = self._shapes = 0
        self._paid: dict[Hashable, tuple[int, int]] = {}

    def spend(self, cost: int, part: str) -> None:
        """Count markup of a part; ``""`` if it is none of a part.

        Raises:
            DeckError: If it is more than any honest deck needs.
        """
        self._cost += cost
        self._check_cost(part)

    @staticmethod
    def require_shapes_of_part(count: int) -> None:
        """Check the number of shapes of one slide, layout or master; nothing is counted.

        Raises:
            DeckError: If it is more than any honest deck has.
        """
        if count > MAX_SHAPES_OF_PART:
            raise DeckError(
                f"expected at most {MAX_SHAPES_OF_PART} shapes on a slide, layout or master, "
                f"found {count}"
            )

    def add_shapes(self, count: int) -> None:
        """Count shapes.

        Raises:
            DeckError: If there are more than any honest deck has.
        """
        self._shapes += count
        self._check_shapes()

    def check(self) -> None:
        """Check that nothing was left out because too much had been counted before.

        Raises:
            DeckError: If something was.
        """
        self._check_cost("")
        self._check_shapes()

    def refund(self, key: Hashable) -> None:
        """Take back what was paid for shared facts, which are about to be made and counted."""
        cost, shapes = self._paid.get(key, (0, 0))
        self._cost -= cost
        self._shapes -= shapes

    def set_paid(self, key: Hashable, seen: Seen) -> None:
        """Note what making shared facts has cost; it is counted already."""
        self._paid[key] = seen.own_cost, seen.own_shapes

    def pay_again(self, seen: Seen) -> None:
        """Count what was looked at for facts that are used again.

        Raises:
            DeckError: If that is more than is allowed.
        """
        self._cost += seen.own_cost
        self._shapes += seen.own_shapes
        if not seen.shared.keys() <= self._paid.keys():
            for key, inner in seen.shared.items():
                self.pay_shared(key, inner)
        self.check()

    def pay_shared(self, key: Hashable, seen: Seen) -> None:
        """Count what was looked at for shared facts, unless they are paid for."""
        if key not in self._paid:
            self.set_paid(key, seen)
            self._cost += seen.own_cost
            self._shapes += seen.own_shapes
            for inner_key, inner in seen.shared.items():
                self.pay_shared(inner_key, inner)

    def _check_cost(self, part: str) -> None:
        if self._cost > MAX_COST:
            where = f", found more at {part!r}" if part else ", found more"
            raise DeckError(
                f"expected at most {MAX_COST} units of markup{where}; a unit is about one of the "
                "tags and attributes or 64 bytes of long text, text and cells count for more, and "
                "parts that are used again count again"
            )

    def _check_shapes(self) -> None:
        if self._shapes > MAX_SHAPES:
            raise DeckError(
                f"expected at most {MAX_SHAPES} shapes, those of layouts and masters included, "
                "found more"
            )
