from random import Random

from tests.tasks.grow.conftest import growers

from pptarena.tasks.grow import OPERATORS, SPLITS
from pptarena.tasks.grow.splits import (
    is_held_out_composition,
    is_held_out_deck,
    is_held_out_frame,
    is_held_out_operator,
)
from pptarena.tasks.grow.wording import frames_of


def test_a_task_has_one_thing_at_most_that_is_held_out() -> None:
    seen = set()
    for grower in growers():
        rng = Random(2)
        for _ in range(80):
            draft = grower.draft(rng)
            if draft is None:
                continue
            held_out = {
                "test-deck": is_held_out_deck(grower.ground.sha256),
                "test-operator": any(map(is_held_out_operator, draft.operators)),
                "test-composition": draft.kind != "one"
                and is_held_out_composition(draft.composition),
                "test-words": any(is_held_out_frame(*item.frame) for item in draft.items),
            }
            which = [split for split, is_so in held_out.items() if is_so]
            assert which == ([] if draft.split == "train" else [draft.split])
            seen.add(draft.split)
    assert seen >= {"train", "test-operator", "test-words"}
    assert seen <= set(SPLITS)


def test_something_of_each_sort_is_held_out_and_most_is_not() -> None:
    operators = [is_held_out_operator(name) for name in OPERATORS]
    frames = [is_held_out_frame(o.name, f.id) for o in OPERATORS.values() for f in frames_of(o)]
    for drawn in (operators, frames):
        assert 0 < sum(drawn) < len(drawn) / 3
    # A task of any operator can be worded in a way that is not held out.
    assert all(
        not all(is_held_out_frame(each.name, frame.id) for frame in frames_of(each))
        for each in OPERATORS.values()
    )
