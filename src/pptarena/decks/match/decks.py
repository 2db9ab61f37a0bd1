"""Match slides and shapes of two decks, with cached results."""

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
    """Pairs of corresponding slides and shapes of two decks; all indexes count from 0.

    Args:
        original: The original deck.
        current: The current deck.
        pairs: Original index and current index of each slide that is in both decks.
        saving: The application that saved both decks.

    Attributes:
        pairs: The pairs, sorted.
        to_current: Current index of each slide, by original index.
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
        """Original index of each current slide that existed before."""
        return {now: before for before, now in self.pairs}

    @cached_property
    def removed(self) -> tuple[int, ...]:
        """Indexes of original slides that no longer exist."""
        count = len(self.original.slides)
        return tuple(i for i in range(count) if i not in self.to_current)

    @cached_property
    def added(self) -> tuple[int, ...]:
        """Indexes of current slides that did not exist before."""
        count = len(self.current.slides)
        return tuple(i for i in range(count) if i not in self.to_original)

    @cached_property
    def is_regrouped(self) -> bool:
        """Whether saving alone moved layouts to other masters."""
        return self.saving.is_regrouped(self.original, self.current, self.pairs)

    def shapes(self, index: int) -> ShapeMatch:
        """Return the pairs of corresponding shapes on a slide.

        Args:
            index: Index of an original slide that still exists.
        """
        if index not in self._shapes:
            before = self.original.slides[index].shapes
            now = self.current.slides[self.to_current[index]].shapes
            self._shapes[index] = _matches.get((before, now), lambda: match_shapes(before, now))
        return self._shapes[index]


def match_decks(original: Deck, current: Deck, saving: Saving = USUAL) -> DeckMatch:
    """Return the pairs of corresponding slides of two decks saved by the same application."""
    if original is current:
        return DeckMatch(original, current, [(i, i) for i in range(len(original.slides))], saving)
    pairs = match_slides(original.slides, current.slides)
    return DeckMatch(original, current, pairs, saving)
