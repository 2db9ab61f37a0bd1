"""The deck that speed is measured on: large, with some of everything, and edits of it."""

import pytest

from pptarena.cli import speed_deck
from pptarena.rewards import diff_decks, read_deck

pytestmark = pytest.mark.slow


def test_speed_deck_has_its_documented_contents() -> None:
    data = speed_deck.speed_deck()
    deck = read_deck(data)
    assert 10e6 < len(data) < 12e6
    assert len(deck.slides) == speed_deck.SLIDES
    shapes = [shape for slide in deck.slides for shape in slide.shapes]
    kinds = {
        name for name in ("picture", "table", "chart") if any(getattr(s, name) for s in shapes)
    }
    assert kinds == {"picture", "table", "chart"}
    assert sum(len(slide.animations) for slide in deck.slides) > 50
    assert all(slide.notes for slide in deck.slides)
    assert diff_decks(deck, read_deck(speed_deck.speed_deck())) == ()


def test_every_edit_is_different() -> None:
    data = speed_deck.speed_deck()
    deck = read_deck(data)
    texts = set()
    for number in range(6):
        changes = diff_decks(deck, read_deck(speed_deck.edit_deck(data, number)))
        assert 1 <= len(changes) <= 10
        texts.add(tuple(change.text for change in changes))
    assert len(texts) == 6
