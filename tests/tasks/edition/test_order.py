"""Slides that change places by their ids."""

import pytest

from pptarena.decks.package.package import Package
from pptarena.errors import TaskError
from pptarena.tasks.deck_source import read_source
from pptarena.tasks.edition.order import PRESENTATION, reordered, slide_ids

DECK = read_source("ledger", "deck")


def test_slides_change_places() -> None:
    part = Package(DECK).read(PRESENTATION)
    ids = slide_ids(DECK)
    made = reordered(part, {ids[1]: ids[3], ids[3]: ids[1]}).decode()
    places = [made.index(f'id="{id}"') for id in ids]
    assert places[3] < places[2] < places[1] < places[4]
    assert reordered(part, {}) == part


def test_a_slide_that_is_not_there_is_refused() -> None:
    with pytest.raises(TaskError, match="not in the deck: 9999"):
        reordered(Package(DECK).read(PRESENTATION), {"9999": "256"})
