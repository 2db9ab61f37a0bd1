from random import Random

import pytest
from tests.tasks.generator.conftest import deck_generators

from pptarena.tasks.generator import OPERATORS, SPLITS
from pptarena.tasks.generator.splits import (
    is_held_out_composition,
    is_held_out_deck,
    is_held_out_operator,
    is_held_out_template,
)
from pptarena.tasks.generator.wording import templates_of


@pytest.mark.slow
def test_tasks_contain_at_most_one_held_out_part() -> None:
    splits = set()
    for generator in deck_generators():
        rng = Random(2)
        for _ in range(80):
            draft = generator.sample_draft(rng)
            if draft is None:
                continue
            held_out = {
                "test-deck": is_held_out_deck(generator.context.sha256),
                "test-operator": any(map(is_held_out_operator, draft.operators)),
                "test-composition": draft.kind != "one"
                and is_held_out_composition(draft.composition),
                "test-words": any(is_held_out_template(*item.template_id) for item in draft.items),
            }
            held_out_splits = [split for split, is_held_out in held_out.items() if is_held_out]
            assert held_out_splits == ([] if draft.split == "train" else [draft.split])
            splits.add(draft.split)
    assert splits >= {"train", "test-operator", "test-words"}
    assert splits <= set(SPLITS)


def test_a_minority_of_operators_and_templates_is_held_out() -> None:
    operators = [is_held_out_operator(name) for name in OPERATORS]
    templates = [
        is_held_out_template(o.name, f.id) for o in OPERATORS.values() for f in templates_of(o)
    ]
    for flags in (operators, templates):
        assert 0 < sum(flags) < len(flags) / 3
    # Every operator has a wording that is not held out.
    assert all(
        not all(is_held_out_template(each.name, template.id) for template in templates_of(each))
        for each in OPERATORS.values()
    )
