"""Which slide and which shape of one deck is which of another, worked out once."""

from collections.abc import Sequence
from functools import cached_property

from pptarena.decks import Deck
from pptarena.decks.match.shapes import ShapeMatch, group_leaves, match_shapes
from pptarena.decks.match.slides import match_slides
from pptarena.decks.read.recent import SameObjects
from pptarena.decks.saving import USUAL, Saving

__all__ = ["DeckMatch", "ShapeMatch", "group_leaves", "match_decks", "match_shapes"]

_matches: SameObjects[ShapeMatch] = SameObjects(1_000)


class DeckMatch:
    """Which slide and shape of one deck is which of another; all indexes count from 0.

    Args:
        original: The deck before.
        current: The deck now.
        pairs: Index in the original and index now of each slide that is in both.
        saving: The application that saved both.
    """

    def __init__(
        self,
        original: Deck,
        current: Deck,
        pairs: Sequence[tuple[int, int]],
        saving: Saving = USUAL,
    ) -> None:
        self.original = original
        self.current = current
        self.saving = saving
        self.pairs = tuple(sorted(pairs))
        self.to_current = dict(self.pairs)
        self._shapes: dict[int, ShapeMatch] = {}

    @cached_property
    def to_original(self) -> dict[int, int]:
        """Index in the original of each slide that was there."""
        return {now: before for before, now in self.pairs}

    @cached_property
    def removed(self) -> tuple[int, ...]:
        """Slides of the original that are gone."""
        count = len(self.original.slides)
        return tuple(i for i in range(count) if i not in self.to_current)

    @cached_property
    def added(self) -> tuple[int, ...]:
        """Slides of the current deck that the original did not have."""
        count = len(self.current.slides)
        return tuple(i for i in range(count) if i not in self.to_original)

    @cached_property
    def is_regrouped(self) -> bool:
        """Whether saving alone has put layouts under other masters."""
        return self.saving.is_regrouped(self.original, self.current, self.pairs)

    def shapes(self, index: int) -> ShapeMatch:
        """Return how the shapes of a slide are matched.

        Args:
            index: Of a slide of the original that is still there.
        """
        if index not in self._shapes:
            before = self.original.slides[index].shapes
            now = self.current.slides[self.to_current[index]].shapes
            self._shapes[index] = _matches.get((before, now), lambda: match_shapes(before, now))
        return self._shapes[index]


def match_decks(original: Deck, current: Deck, saving: Saving = USUAL) -> DeckMatch:
    """Return which slide of `original` is which of `current`, both saved by one application."""
    if original is current:
        return DeckMatch(original, current, [(i, i) for i in range(len(original.slides))], saving)
    pairs = match_slides(original.slides, current.slides)
    return DeckMatch(original, current, pairs, saving)
