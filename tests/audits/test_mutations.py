"""Damaged decks through the whole scorer; `pptarena audit mutations` tries 2,000 of them."""

from functools import cache

import pytest

from pptarena.audits.damage import DAMAGES, BaseDeck, damaged
from pptarena.audits.mutation_worker import Found, judge
from pptarena.audits.mutations import figures, row_of
from pptarena.rewards import Deck, read_deck
from pptarena.tasks import Task, get_task


@cache
def _base() -> tuple[BaseDeck, Deck, Task]:
    task = get_task("meridian-retitle-products")
    data = task.deck_bytes()
    return BaseDeck(data), read_deck(data), task


@pytest.mark.parametrize("seed", range(30))
def test_a_damaged_deck_is_refused_or_scored(seed: int) -> None:
    base, original, task = _base()
    kind, data = damaged(base, seed)
    outcome, _ = judge(data, original, (task,))
    assert outcome in ("score", "refused"), kind


def test_every_kind_of_damage_is_drawn_and_repeats() -> None:
    base = _base()[0]
    first = [damaged(base, seed) for seed in range(30)]
    assert {kind for kind, _ in first} == set(DAMAGES)
    assert first[:5] == [damaged(base, seed) for seed in range(5)]


@pytest.mark.parametrize(
    ("outcome", "seconds", "memory_mb", "held"),
    [
        ("score", 0.1, 90, True),
        ("refused", 4.9, 1000, True),
        ("score", 5.1, 90, False),
        ("refused", 0.1, 1100, False),
        ("ValueError: x", 0.1, 90, False),
        ("hung", 60.0, 0, False),
        ("died", 0.0, 0, False),
    ],
)
def test_all_but_a_score_or_a_refusal_fails(
    outcome: str, seconds: float, memory_mb: int, held: bool
) -> None:
    row = row_of(Found(7, "numbers", outcome, seconds, memory_mb))
    assert row.held is held
    assert figures((row,))["failed"] == int(not held)
