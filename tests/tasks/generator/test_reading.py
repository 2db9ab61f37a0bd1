import re
from functools import cache
from random import Random

import pytest
from tests.tasks.generator.conftest import deck_generators, sample_drafts
from tests.tasks.generator.operator_reader import Reader

from pptarena.tasks.generator import OPERATORS
from pptarena.tasks.generator.draft import Draft


def _assert_parsed(reader: Reader, draft: Draft) -> None:
    clauses = [(c.operator, c.locations, c.values) for c in reader.parse(draft.instruction)]
    assert clauses == [(i.template_id[0], *i.meaning) for i in draft.items], draft.instruction


@cache
def _readers() -> list[Reader]:
    return [Reader(generator.context, list(OPERATORS.values())) for generator in deck_generators()]


@pytest.mark.slow
def test_instructions_of_every_operator_are_parsed(operator: str) -> None:
    for generator, reader in zip(deck_generators()[:3], _readers(), strict=False):
        for held_out in (False, True):
            for draft in sample_drafts(generator, operator, 8, held_out_wording=held_out):
                _assert_parsed(reader, draft)


@pytest.mark.slow
def test_compositions_are_parsed() -> None:
    kinds = set()
    for generator, reader in zip(deck_generators(), _readers(), strict=True):
        rng = Random(11)
        for _ in range(120):
            draft = generator.sample_draft(rng)
            if draft is not None:
                _assert_parsed(reader, draft)
                kinds |= {draft.kind, *(item.joiner for item in draft.items)}
    assert {"one", "both", "for_each", "if", "copy_of", "then", "; otherwise "} <= kinds


@pytest.mark.slow
def test_different_locations_are_different_meanings() -> None:
    generator, reader = deck_generators()[0], _readers()[0]
    (slide_3,) = reader.parse("Hide slide 3.")
    (slide_4,) = reader.parse("Hide slide 4.")
    assert (slide_3.operator, slide_3.locations) == ("hide-slide", ((2, None),))
    assert slide_3.locations != slide_4.locations
    assert generator.context.deck.slides[2].index == 2


@pytest.mark.parametrize("text", ["Hide slide 300.", "Sing a song.", 'Hide the slide titled "?".'])
def test_other_texts_are_rejected(text: str) -> None:
    with pytest.raises(ValueError, match="0 ways"):
        _readers()[0].parse(text)


@pytest.mark.slow
def test_no_phrase_repeats_the_object() -> None:
    rng, phrases = Random(5), []
    for generator in deck_generators():
        names = [name for name in generator.composer.operators if not OPERATORS[name].deck_wide]
        for _ in range(150):
            part = generator.composer.sample_part(
                "copy_of", names, rng, held_out_wording=False, plain=False
            )
            phrases += [item.phrase for item in part.items] if part else []
    assert any(" the text of " in phrase for phrase in phrases)
    assert [each for each in phrases if re.search(r"\b(words?|text|line) the text of", each)] == []
