import re
from functools import cache
from random import Random

import pytest
from tests.tasks.grow.conftest import drawn, growers
from tests.tasks.grow.operator_reader import Reader

from pptarena.tasks.grow import OPERATORS
from pptarena.tasks.grow.draft import Draft


def _is_read_back(reader: Reader, draft: Draft) -> None:
    found = [(c.operator, c.places, c.values) for c in reader.read(draft.instruction)]
    assert found == [(i.frame[0], *i.meaning) for i in draft.items], draft.instruction


@cache
def _readers() -> list[Reader]:
    return [Reader(grower.ground, list(OPERATORS.values())) for grower in growers()]


@pytest.mark.slow
def test_every_operator_is_read_back(operator: str) -> None:
    for grower, reader in zip(growers()[:3], _readers(), strict=False):
        for words in (False, True):
            for draft in drawn(grower, operator, 8, words=words):
                _is_read_back(reader, draft)


@pytest.mark.slow
def test_compositions_are_read_back() -> None:
    kinds = set()
    for grower, reader in zip(growers(), _readers(), strict=True):
        rng = Random(11)
        for _ in range(120):
            draft = grower.draft(rng)
            if draft is not None:
                _is_read_back(reader, draft)
                kinds |= {draft.kind, *(item.joiner for item in draft.items)}
    assert {"one", "both", "for_each", "if", "copy_of", "then", "; otherwise "} <= kinds


@pytest.mark.slow
def test_another_place_is_another_meaning() -> None:
    grower, reader = growers()[0], _readers()[0]
    (one,) = reader.read("Hide slide 3.")
    (two,) = reader.read("Hide slide 4.")
    assert (one.operator, one.places) == ("hide-slide", ((2, None),))
    assert one.places != two.places
    assert grower.ground.deck.slides[2].index == 2


@pytest.mark.parametrize("text", ["Hide slide 300.", "Sing a song.", 'Hide the slide titled "?".'])
def test_what_nobody_grew_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="0 ways"):
        _readers()[0].read(text)


def test_no_sentence_doubles_the_words() -> None:
    rng, said = Random(5), []
    for grower in growers():
        names = [name for name in grower.composer.operators if not OPERATORS[name].whole]
        for _ in range(150):
            part = grower.composer.part("copy_of", names, rng, held_out_words=False, plain=False)
            said += [item.phrase for item in part.items] if part else []
    assert any(" the text of " in phrase for phrase in said)
    assert [each for each in said if re.search(r"\b(words?|text|line) the text of", each)] == []
