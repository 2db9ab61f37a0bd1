"""`SlideRoll`: maps current slide positions to slides of the original deck."""

from pptarena.errors import MacroError

__all__ = ["SlideRoll"]


class SlideRoll:
    """Tracks slides as they are deleted, moved, duplicated and inserted.

    Args:
        count: Number of slides of the original deck.
    """

    def __init__(self, count: int) -> None:
        self._origins: list[int | None] = list(range(count))

    def origin(self, position: int) -> int | None:
        """Return the 0-based index in the original deck of the slide at a 1-based position.

        A copy has the index of its source; an inserted slide has None.

        Raises:
            MacroError: If there is no such slide.
        """
        self._require(position)
        return self._origins[position - 1]

    def delete(self, position: int) -> None:
        """Record that a slide was deleted."""
        self._require(position)
        del self._origins[position - 1]

    def insert(self, after: int, *, copy: bool = False) -> None:
        """Record that a slide, or a copy of the one there, was inserted after a position."""
        self._origins.insert(after, self.origin(after) if copy else None)

    def move(self, position: int, to: int) -> None:
        """Record that a slide was moved."""
        self._require(position)
        self._require(to)
        self._origins.insert(to - 1, self._origins.pop(position - 1))

    def _require(self, position: int) -> None:
        if not 1 <= position <= len(self._origins):
            raise MacroError(
                f"expected a slide from 1 to {len(self._origins)}, as they stand by now, "
                f"got {position}"
            )
