"""`SlideRoll`: which slide of the original deck stands where, while slides come and go."""

from pptarena.errors import MacroError

__all__ = ["SlideRoll"]


class SlideRoll:
    """Follows slides as they are deleted, moved, duplicated and inserted.

    Args:
        count: Number of slides of the original deck.
    """

    def __init__(self, count: int) -> None:
        self._origins: list[int | None] = list(range(count))

    def origin(self, position: int) -> int | None:
        """Return the index in the original of the slide at a position from 1.

        That of a copy is its model's; a slide that was inserted has none.

        Raises:
            MacroError: If there is no such slide.
        """
        self._require(position)
        return self._origins[position - 1]

    def delete(self, position: int) -> None:
        """Take note that a slide went."""
        self._require(position)
        del self._origins[position - 1]

    def insert(self, after: int, *, copy: bool = False) -> None:
        """Take note that a slide came behind a position, as a copy of the one there or new."""
        self._origins.insert(after, self.origin(after) if copy else None)

    def move(self, position: int, to: int) -> None:
        """Take note that a slide stands elsewhere."""
        self._require(position)
        self._require(to)
        self._origins.insert(to - 1, self._origins.pop(position - 1))

    def _require(self, position: int) -> None:
        if not 1 <= position <= len(self._origins):
            raise MacroError(
                f"expected a slide from 1 to {len(self._origins)}, as they stand by now, "
                f"got {position}"
            )
