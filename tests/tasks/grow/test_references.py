from collections import Counter

import pytest
from tests.tasks.grow.conftest import growers

from pptarena.tasks.grow.references import quotable


@pytest.mark.slow
def test_names_are_true_of_one_thing() -> None:
    for grower in growers():
        names = grower.ground.references
        for index, known in names.slide_names.items():
            assert all(names.slides[name] == index for name in known)
        for name, (slide, shape) in names.places.items():
            assert not grower.ground.deck.slides[slide].shapes[shape].hidden, name
        assert set(names.slides) & set(names.places) == set()


def test_two_slides_of_one_title_are_not_named_by_it() -> None:
    for grower in growers():
        titles = Counter(slide.title for slide in grower.ground.deck.slides)
        for title, count in titles.items():
            if count > 1:
                assert f'the slide titled "{title}"' not in grower.ground.references.slides


def test_people_would_name_them_so() -> None:
    names = growers()[0].ground.references
    assert names.slides["the last slide"] == len(growers()[0].ground.deck.slides) - 1
    assert names.places["the title of slide 3"][0] == 2
    assert any(name.endswith("from the left") for name in names.shapes[9])


def test_what_cannot_stand_in_quotation_marks() -> None:
    assert quotable("Costs in 2026")
    assert not any(map(quotable, ("", " a", "a\nb", 'say "a"', "x" * 71)))
