"""Which changes that a scope allows no target of the task explains."""

from collections.abc import Sequence

from pptarena.decks import Deck
from pptarena.decks.diff.change import Change
from pptarena.decks.match.decks import DeckMatch
from pptarena.rewards.scope.scope import Scope

__all__ = ["unasked_changes"]


def unasked_changes(
    match: DeckMatch, scope: Scope, targets: Sequence[Deck], outside: Sequence[Change]
) -> tuple[Change, ...]:
    """Return the changes within a scope that no target has: damage beside the work.

    Args:
        match: The original and the deck now.
        scope: The part of the deck that may change.
        targets: Decks with the goal reached; without any, nothing is returned.
        outside: The changes that the scope does not allow; they are not returned again.
    """
    return ()
