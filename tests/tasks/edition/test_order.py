"""Reordering of slides by id."""

import pytest

from pptarena.decks.package.package import Package
from pptarena.errors import TaskError
from pptarena.tasks.deck_source import read_source
from pptarena.tasks.edition.order import PRESENTATION, reorder_slides, slide_ids

DECK = read_source("ledger", "deck")


def test_slides_are_swapped() -> None:
    part = Package(DECK).read(PRESENTATION)
    ids = slide_ids(DECK)
    xml = reorder_slides(part, {ids[1]: ids[3], ids[3]: ids[1]}).decode()
    positions = [xml.index(f'id="{id}"') for id in ids]
    assert positions[3] < positions[2] < positions[1] < positions[4]
    assert reorder_slides(part, {}) == part


def test_unknown_slide_id_is_rejected() -> None:
    with pytest.raises(TaskError, match="ids 9999"):
        reorder_slides(Package(DECK).read(PRESENTATION), {"9999": "256"})
