"""The addresses of edits mean the shapes that rubrics mean by the same words."""

import pytest

from pptarena.decks import read_deck
from pptarena.decks.presentation import open_presentation
from pptarena.decks.selectors import find_shape, spec_of
from pptarena.edits.addresses import resolve_shape
from pptarena.tasks.deck_files import read_deck_file

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ["meridian", "negev"])
def test_a_shape_is_the_one_that_a_rubric_means(name: str) -> None:
    file = read_deck_file(name)
    presentation = open_presentation(file)
    seen = 0
    for index, slide in enumerate(read_deck(file).slides):
        for shape in slide.shapes:
            words = spec_of(slide, shape)
            if words is None or words.startswith(("@picture", "@group", "@text_box")):
                continue  # these read the deck, which takes long for every shape
            meant = find_shape(slide, words)
            assert meant is not None
            found = resolve_shape(presentation, index, words)
            assert (found.name, found.has_text_frame) == (meant.name, found.has_text_frame)
            seen += 1
    assert seen > 50
