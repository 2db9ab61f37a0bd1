from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pptarena.rollouts.episode import EpisodeMeta, StoredEpisode
from pptarena.rollouts.report.figures import figure_rows
from pptarena.rollouts.summary import summarise


@pytest.fixture
def meta(run: Callable[..., StoredEpisode]) -> Callable[..., EpisodeMeta]:
    """A function that replaces fields of a real episode's meta."""
    real = run("random").meta
    return lambda **changes: replace(real, **changes)


@pytest.fixture
def metas(meta: Callable[..., EpisodeMeta]) -> tuple[EpisodeMeta, ...]:
    return (
        meta(task="a", score=1.0, steps=4, edit_types=("text", "slides")),
        meta(task="a", score=0.0, steps=6, edit_types=("text", "slides")),
        meta(task="b", score=0.5, steps=11, difficulty="hard", edit_types=("text",)),
        meta(task="b", score=None, difficulty="hard", edit_types=("text",)),
        meta(task="c", score=None, infra_error="lost", difficulty="hard", edit_types=("text",)),
        meta(agent="other", task="a", score=0.25, agent_error="gave up", edit_types=("text",)),
    )


def test_means_are_over_the_scored_episodes(metas: tuple[EpisodeMeta, ...]) -> None:
    rows = {(row.agent, row.kind, row.value): row for row in figure_rows(metas)}
    total = rows["random", "all", ""]
    assert (total.score.mean, total.success.mean, total.steps.mean) == (0.5, 1 / 3, 7.0)
    assert (total.tasks, total.episodes, total.unscored, total.infra_failed) == (2, 3, 1, 1)
    # Both tasks have a mean score of 0.5, so only the steps have an interval.
    assert total.score.low is None
    assert (total.steps.low, total.steps.high) == (5.0, 11.0)
    assert rows["random", "difficulty", "hard"].score.why_none == "one task only"
    assert rows["random", "edit type", "slides"].score.mean == 0.5
    assert rows["random", "edit type", "text"].episodes == 3
    assert rows["other", "all", ""].agent_errors == 1


def test_figures_equal_those_of_the_summary(metas: tuple[EpisodeMeta, ...]) -> None:
    def key(row: Any, value: str) -> tuple[Any, ...]:
        problems = row.unscored, row.infra_failed, row.agent_errors
        return row.agent, value, row.episodes, *problems

    figures = [row for row in figure_rows(metas) if row.kind in ("all", "difficulty", "level")]
    by_key = {key(row, row.value or "all"): row for row in figures}
    for other in summarise(metas):
        value = other.difficulty if other.level == "all" else other.level
        row = by_key.pop(key(other, value))
        assert row.score.mean == other.mean_score
        assert row.success.mean == other.success_rate
        assert row.steps.mean == other.mean_steps
    assert not by_key


def test_unscored_agent_has_rows(meta: Callable[..., EpisodeMeta]) -> None:
    row = figure_rows([meta(score=None, infra_error="lost")])[0]
    assert (row.episodes, row.tasks, row.infra_failed, row.score.mean) == (0, 0, 1, None)


def test_levels_and_feasibility_are_groups(meta: Callable[..., EpisodeMeta]) -> None:
    metas = [
        meta(task="a", score=1.0, level="L1", questions=2),
        meta(task="b", score=0.0, level="L2"),
        meta(task="c", score=1.0, level="L2", feasible=False),
    ]
    rows = {(row.kind, row.value): row for row in figure_rows(metas)}
    assert rows["level", "L1"].success.mean == 1.0
    assert rows["level", "L2"].success.mean == 0.5
    assert rows["feasibility", "feasible"].success.mean == 0.5
    assert rows["feasibility", "infeasible"].success.mean == 1.0
    assert rows["all", ""].questions == 2
    groups = {row.kind for row in figure_rows(metas[:2])}
    assert groups == {"all", "difficulty", "level", "edit type"}
