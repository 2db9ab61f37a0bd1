"""Multi-turn tasks reward work in any honest order, and penalize damage in any order."""

from typing import Any

import pytest
from tests.scorer.turn_damage import RENAMED
from tests.scorer.turn_orders import play_task, plays_of

from pptarena.tasks import Task, get_task, list_tasks

pytestmark = pytest.mark.slow

TASKS = list_tasks("all#turns")
QUICK = ("field-handout", "onboard-first-day")


def tasks(*quick_ids: str) -> list[Any]:
    """Return all multi-turn tasks; those not named run only nightly."""
    return [
        pytest.param(task, id=task.id, marks=() if task.id in quick_ids else pytest.mark.nightly)
        for task in TASKS
    ]


@pytest.mark.parametrize("task", tasks(*QUICK))
def test_honest_orders_score_the_work_done_at_each_turn_end(task: Task) -> None:
    plays = [play for play in plays_of(task) if play.is_honest]
    results = play_task(task, plays)
    assert {each.play.name for each in results} == {play.name for play in plays}
    assert results[0].score == pytest.approx(1.0)
    low = {each.play.name: each for each in results if each.score < 0.95 * each.fair}
    assert not low
    high = {each.play.name: each for each in results if each.score > each.fair + 0.05}
    assert not high


@pytest.mark.parametrize("task", tasks("onboard-first-day"))
def test_damage_in_first_turn_is_charged(task: Task) -> None:
    plays = [play for play in plays_of(task) if play.damage not in (None, RENAMED)]
    results = {each.play.name: each for each in play_task(task, plays)}
    assert len(results) >= len(plays) / 2
    for name, each in results.items():
        if each.play.repaired:
            assert each.score >= results[name.removesuffix(", taken back")].score - 1e-9, name
        else:
            assert each.score < each.fair - 0.01, name


def test_renamed_shapes_are_found_in_later_turns() -> None:
    task = get_task("ledger-corrections")
    plays = [play for play in plays_of(task) if play.damage is RENAMED and not play.repaired]
    for each in play_task(task, plays):
        assert each.turns[1:] == (1.0, 1.0), each.play.name
