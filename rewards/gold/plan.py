"""What a gold deck asks for, worked out once for an original and a gold."""

from functools import cached_property, lru_cache

from pptarena.decks import Deck
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.compare import diff_matched
from pptarena.decks.diff.consequences import with_consequences
from pptarena.decks.match.decks import DeckMatch, match_decks
from pptarena.rewards.gold.parts import grouped, parts_of

__all__ = ["GoldPlan", "plan_of"]

_MAX_KEPT = 32  # environments of a vector score in turn, each with a target of its own


@lru_cache(maxsize=_MAX_KEPT)
def plan_of(original: Deck, gold: Deck) -> "GoldPlan":
    """Return what a gold deck asks for; the last few are remembered."""
    return GoldPlan(original, gold)


class GoldPlan:
    """What a gold deck asks for.

    Args:
        original: The deck before, as the application saves it unchanged.
        gold: The deck as it should be, saved by the same application.
    """

    def __init__(self, original: Deck, gold: Deck) -> None:
        self.original = original
        self.gold = gold
        self.match = match_decks(original, gold)
        """Which slide and shape of the original is which of the gold."""
        self.changes = with_consequences(self.match, diff_matched(self.match))
        """What the gold changes, each change with what it brings along."""
        self.groups = grouped(parts_of(self.changes))
        """The things that the gold changes, the same edit in several places together."""

    @cached_property
    def back(self) -> DeckMatch:
        """Which slide and shape of the gold is which of the original."""
        return match_decks(self.gold, self.original)

    @cached_property
    def way(self) -> tuple[Change, ...]:
        """How the original differs from the gold: the whole way that there is to go."""
        return self.left(self.back)

    def left(self, match: DeckMatch) -> tuple[Change, ...]:
        """Return all that differs from the gold, in one row.

        A changed order is put down to the gold's new slides where it can be.
        """
        return diff_matched(match, frozenset(self.match.added))
