"""Addresses in edits resolve to the same shapes as in rubrics."""

import pytest

from pptarena.decks import read_deck
from pptarena.decks.presentation import open_presentation
from pptarena.decks.selectors import find_shape, spec_of
from pptarena.edits.addresses import resolve_shape
from pptarena.tasks.deck_files import read_deck_file

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ["meridian", "negev"])
def test_addresses_resolve_as_in_rubrics(name: str) -> None:
    file = read_deck_file(name)
    presentation = open_presentation(file)
    count = 0
    for index, slide in enumerate(read_deck(file).slides):
        for shape in slide.shapes:
            address = spec_of(slide, shape)
            if address is None or address.startswith(("@picture", "@group", "@text_box")):
                continue  # slow to resolve for every shape
            expected = find_shape(slide, address)
            assert expected is not None
            resolved = resolve_shape(presentation, index, address)
            assert resolved.name == expected.name
            count += 1
    assert count > 50
