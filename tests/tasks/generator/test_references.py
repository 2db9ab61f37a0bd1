from collections import Counter

import pytest
from tests.tasks.generator.conftest import deck_generators

from pptarena.tasks.generator.references import quotable


@pytest.mark.slow
def test_names_are_unambiguous() -> None:
    for generator in deck_generators():
        names = generator.context.references
        for index, slide_names in names.slide_names.items():
            assert all(names.slides[name] == index for name in slide_names)
        for name, (slide, shape) in names.locations.items():
            assert not generator.context.deck.slides[slide].shapes[shape].hidden, name
        assert set(names.slides) & set(names.locations) == set()


def test_repeated_titles_are_no_names() -> None:
    for generator in deck_generators():
        titles = Counter(slide.title for slide in generator.context.deck.slides)
        for title, count in titles.items():
            if count > 1:
                assert f'the slide titled "{title}"' not in generator.context.references.slides


def test_names_are_natural() -> None:
    names = deck_generators()[0].context.references
    assert names.slides["the last slide"] == len(deck_generators()[0].context.deck.slides) - 1
    assert names.locations["the title of slide 3"][0] == 2
    assert any(name.endswith("from the left") for name in names.shapes[9])


def test_unquotable_texts() -> None:
    assert quotable("Costs in 2026")
    assert not any(map(quotable, ("", " a", "a\nb", 'say "a"', "x" * 71)))
