"""Randomly damaged decks through the entire scorer.

The scorer must raise `DeckError` or return a score. Failures are any other exception, a score
outside 0 to 1, more than 5 s of CPU for reading, comparing or one score, more than 1 GiB of memory,
and a crashed process.
"""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from tests.security.damage import DAMAGES, BaseDeck, damaged
from tests.security.mutation_worker import Outcome, judge

from pptarena.rewards import Deck, read_deck
from pptarena.tasks import Task, get_task

COUNT = 2_000
ROOT = Path(__file__).parents[2]


@cache
def _base() -> tuple[BaseDeck, Deck, Task]:
    task = get_task("meridian-retitle-products")
    data = task.deck_bytes()
    return BaseDeck(data), read_deck(data), task


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_damaged_deck_is_rejected_or_scored(seed: int) -> None:
    base, original, task = _base()
    kind, data = damaged(base, seed)
    outcome, _ = judge(data, original, (task,))
    assert outcome in ("score", "refused"), kind


@pytest.mark.slow
def test_damage_covers_all_types_and_is_reproducible() -> None:
    base = _base()[0]
    first = [damaged(base, seed) for seed in range(30)]
    assert {kind for kind, _ in first} == set(DAMAGES)
    assert first[:5] == [damaged(base, seed) for seed in range(5)]


@pytest.mark.nightly
def test_thousands_of_damaged_decks_are_rejected_or_scored() -> None:
    """Set PPTARENA_TEST_DECKS to a folder to damage its decks, too."""
    command = [sys.executable, "-m", "tests.security.mutation_worker", "0", str(COUNT)]
    command += filter(None, [os.environ.get("PPTARENA_TEST_DECKS")])
    result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    outcomes = [Outcome(**json.loads(line)) for line in result.stdout.splitlines()]
    assert len(outcomes) == COUNT
    assert [each for each in outcomes if not each.is_acceptable] == []


@pytest.mark.parametrize(
    ("outcome", "seconds", "memory_mb", "is_acceptable"),
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
def test_only_scores_and_refusals_within_limits_pass(
    outcome: str, seconds: float, memory_mb: int, is_acceptable: bool
) -> None:
    assert Outcome(7, "numbers", outcome, seconds, memory_mb).is_acceptable is is_acceptable
