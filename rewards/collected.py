"""Files beside the deck, as they were at first and as they were collected from the machine."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from pptarena.decks import Deck, read_deck
from pptarena.decks.match.decks import match_decks
from pptarena.errors import DeckError
from pptarena.rewards.checking.view import View

__all__ = ["FILE_CHECK", "CollectedFiles"]

FILE_CHECK = "file_exists"
"""The check that looks at a file of any kind; all others want a deck."""


@dataclass(frozen=True, slots=True)
class CollectedFiles:
    """What lies beside the deck, by name; nobody vouches for what a machine sent.

    Attributes:
        now: The files that were collected; one that is missing is not there.
        at_start: The files that lay there when the task began.
    """

    now: Mapping[str, bytes]
    at_start: Mapping[str, bytes] = field(default_factory=lambda: MappingProxyType({}))

    def view(self, name: str, original: Deck, *, of_deck: bool) -> View:
        """Return what a check sees of a file.

        A deck is matched with what the file was at first, or else with the task's original deck.

        Args:
            name: The name of the file.
            original: The deck of the task as it was.
            of_deck: Whether the file has to be a deck.

        Raises:
            DeckError: If there is no such file, or it is no deck that can be read.
        """
        content = self.now.get(name)
        if content is None:
            raise DeckError(f"there is no file {name} next to the deck")
        before = self._deck_at_start(name) if of_deck else None
        view = _view(before or original, _deck(name, content) if of_deck else original)
        view.file = content
        return view

    def view_at_start(self, name: str, *, of_deck: bool) -> View | None:
        """Return what a check sees of a file as it was at first; None if there was none."""
        content = self.at_start.get(name)
        if content is None or not of_deck:
            return None
        deck = self._deck_at_start(name)
        return None if deck is None else _view(deck, deck)

    def _deck_at_start(self, name: str) -> Deck | None:
        content = self.at_start.get(name)
        try:
            return None if content is None else _deck(name, content)
        except DeckError:
            return None


def _deck(name: str, content: bytes) -> Deck:
    try:
        return read_deck(content)
    except DeckError as error:
        raise DeckError(f"{name} cannot be read as a deck: {error}") from error


def _view(original: Deck, current: Deck) -> View:
    return View(match_decks(original, current))
