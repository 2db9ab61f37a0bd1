"""What scoring needs besides two decks: attachments, and the context of a turn."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from pptarena.decks import Deck, read_deck
from pptarena.decks.match.decks import match_decks
from pptarena.errors import DeckError
from pptarena.rewards.checking.view import View

__all__ = ["DECK_CHECKS", "FILE_CHECK", "CollectedFiles", "TurnContext"]


# Checks that need more than a pair of decks: a gold deck, rendered slides or raw files.
DECK_CHECKS = frozenset(("edit_judge", "gold_match", "judge", "python", "visual_judge"))
FILE_CHECK = "file_exists"
"""The only check that accepts files of any type; all others require a deck."""


@dataclass(frozen=True, slots=True)
class CollectedFiles:
    """The attachments by name. Files from a machine are untrusted.

    Attributes:
        now: The collected files; missing files have no entry.
        at_start: The files that existed when the task began.
    """

    now: Mapping[str, bytes]
    at_start: Mapping[str, bytes] = field(default_factory=lambda: MappingProxyType({}))

    def view(self, name: str, original: Deck, *, of_deck: bool) -> View:
        """Return the view of an attachment for a check.

        A deck is matched with its initial version, or with the task's original deck if there is
        none.

        Args:
            name: File name.
            original: Original deck of the task.
            of_deck: Whether the file must be a deck.

        Raises:
            DeckError: If the file is missing, or is not a readable deck.
        """
        content = self.now.get(name)
        if content is None:
            raise DeckError(f"there is no file {name} next to the deck")
        before = self._deck_at_start(name) if of_deck else None
        view = _matched_view(
            before or original, _read_attachment(name, content) if of_deck else original
        )
        view.file = content
        return view

    def view_at_start(self, name: str, *, of_deck: bool) -> View | None:
        """Return the view of an attachment's initial version, or None if it did not exist."""
        content = self.at_start.get(name)
        if content is None or not of_deck:
            return None
        deck = self._deck_at_start(name)
        return None if deck is None else _matched_view(deck, deck)

    def _deck_at_start(self, name: str) -> Deck | None:
        content = self.at_start.get(name)
        try:
            return None if content is None else _read_attachment(name, content)
        except DeckError:
            return None


def _read_attachment(name: str, content: bytes) -> Deck:
    try:
        return read_deck(content)
    except DeckError as error:
        raise DeckError(f"{name} cannot be read as a deck: {error}") from error


def _matched_view(original: Deck, current: Deck) -> View:
    return View(match_decks(original, current))


@dataclass(frozen=True, slots=True, eq=False)
class TurnContext:
    """Context of one turn of a multi-turn task.

    Attributes:
        first: The deck at the start of the first turn.
        reference: The target of the previous turns, for which the turn's rubric and scope were
            written. None for the first turn, or if unknown. Comparing with it reveals work of this
            turn that an earlier one did, and locates slides and shapes that an earlier turn renamed
            or moved.
        targets: Targets of this turn, the previous turn and the later turns. A result present in
            one of them counts as work, even if another turn requests it.
    """

    first: Deck
    reference: Deck | None = None
    targets: tuple[Deck, ...] = ()
