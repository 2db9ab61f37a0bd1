"""Decks made by others: facts or one clear error; nothing changes by saving again."""

import io
from pathlib import Path

import pytest
from pptx import Presentation

from pptarena.errors import DeckError
from pptarena.rewards import Deck, diff_decks, read_deck

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "decks"
DECKS = sorted(FOLDER.rglob("*.pptx"))

pytestmark = pytest.mark.skipif(not DECKS, reason="the shared decks are not there")


def _read(path: Path) -> Deck:
    try:
        return read_deck(path)
    except DeckError as error:
        # One clear error is a right answer too; anything else fails the test.
        pytest.skip(f"the deck cannot be read: {error}")


@pytest.mark.parametrize("path", DECKS, ids=lambda path: path.name)
def test_facts_can_be_read_twice(path: Path) -> None:
    deck = _read(path)
    assert diff_decks(deck, deck) == ()
    again = read_deck(path.read_bytes())
    assert diff_decks(deck, again) == ()
    assert again.slides == deck.slides


@pytest.mark.parametrize("path", DECKS, ids=lambda path: path.name)
def test_saving_again_changes_nothing(path: Path) -> None:
    deck = _read(path)
    file = io.BytesIO()
    Presentation(str(path)).save(file)
    changes = diff_decks(deck, read_deck(file.getvalue()))
    assert [change.text for change in changes] == []
