"""The changes that a gold deck requests, computed once per original and gold."""

from functools import cached_property, lru_cache

from pptarena.decks import Deck
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.compare import diff_matched
from pptarena.decks.diff.consequences import with_consequences
from pptarena.decks.match.decks import DeckMatch, match_decks
from pptarena.rewards.gold.parts import grouped, parts_of

__all__ = ["GoldPlan", "plan_of"]

_MAX_KEPT = 32  # vector environments score in turn, each with its own target


@lru_cache(maxsize=_MAX_KEPT)
def plan_of(original: Deck, gold: Deck) -> "GoldPlan":
    """Return the plan for an original and a gold; recent plans are cached."""
    return GoldPlan(original, gold)


class GoldPlan:
    """The changes that a gold deck requests.

    Args:
        original: The original deck, as saved unchanged by the application.
        gold: The gold deck, saved by the same application.
    """

    def __init__(self, original: Deck, gold: Deck) -> None:
        self.original = original
        self.gold = gold
        self.match = match_decks(original, gold)
        """The matching of the original with the gold."""
        self.changes = with_consequences(self.match, diff_matched(self.match))
        """The changes from the original to the gold, including side effects."""
        self.groups = grouped(parts_of(self.changes))
        """The changes grouped by edit."""

    @cached_property
    def back(self) -> DeckMatch:
        """The matching of the gold with the original."""
        return match_decks(self.gold, self.original)

    @cached_property
    def way(self) -> tuple[Change, ...]:
        """The changes from the gold to the original."""
        return self.left(self.back)

    def left(self, match: DeckMatch) -> tuple[Change, ...]:
        """Return all differences from the gold.

        A changed order is attributed to the gold's new slides if possible.
        """
        return diff_matched(match, frozenset(self.match.added))
