from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console
from tests.rollouts.playing import episode_meta

from pptarena.rollouts.episode import EpisodeMeta
from pptarena.rollouts.summary import summarise, summary_table

BASE = episode_meta(agent="demonstration")


def table_text(metas: list[EpisodeMeta]) -> str:
    console = Console(file=StringIO(), width=120)
    console.print(summary_table(summarise(metas)))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert isinstance(text, str)
    return text


def test_only_full_scores_are_successes() -> None:
    metas = [replace(BASE, score=score) for score in (1.0, 0.999, 0.5, 0.0)]
    row = summarise(metas)[-1]
    assert row.success_rate == 0.25
    assert row.mean_score == pytest.approx(2.499 / 4)


def test_rows_by_agent_difficulty_and_level_with_a_total() -> None:
    metas = [
        replace(BASE, difficulty="hard", level="L2", steps=10),
        replace(BASE, difficulty="easy", steps=2),
        replace(BASE, agent="random", difficulty="medium", score=0.0),
    ]
    rows = summarise(metas)
    assert [(row.agent, row.difficulty, row.level, row.mean_steps) for row in rows] == [
        ("demonstration", "easy", "all", 2),
        ("demonstration", "hard", "all", 10),
        ("demonstration", "all", "L1", 2),
        ("demonstration", "all", "L2", 10),
        ("demonstration", "all", "all", 6),
        ("random", "medium", "all", 4),
        ("random", "all", "L1", 4),
        ("random", "all", "all", 4),
    ]


def test_feasible_and_infeasible_tasks_have_separate_rates() -> None:
    metas = [
        BASE,
        replace(BASE, score=0.5),
        replace(BASE, feasible=False, end="fail"),
        replace(BASE, feasible=False, score=0.0),
        replace(BASE, feasible=False, score=0.0),
    ]
    row = summarise(metas)[-1]
    assert (row.success_rate, row.feasible_rate, row.infeasible_rate) == (0.4, 0.5, 1 / 3)
    assert "infeasible" in table_text(metas)
    assert "infeasible" not in table_text(metas[:2])
    assert summarise(metas[:2])[-1].infeasible_rate is None


def test_infrastructure_failures_are_excluded_from_the_means() -> None:
    failed = replace(BASE, score=None, steps=99, end="infra", infra_error="MachineLostError: gone")
    row = summarise([BASE, failed, failed])[-1]
    assert (row.episodes, row.infra_failed) == (1, 2)
    assert (row.success_rate, row.mean_score, row.mean_steps) == (1.0, 1.0, 4.0)
    assert "infra failed" in table_text([BASE, failed])
    assert "infra" not in table_text([BASE])


def test_unscored_episodes_are_counted_separately() -> None:
    row = summarise([BASE, replace(BASE, score=None)])[-1]
    assert (row.episodes, row.unscored, row.infra_failed, row.mean_score) == (1, 1, 0, 1.0)


def test_episodes_with_agent_errors_are_scored() -> None:
    row = summarise([BASE, replace(BASE, score=0.0, agent_error="no button")])[-1]
    assert (row.episodes, row.agent_errors, row.mean_score) == (2, 1, 0.5)


def test_means_need_scored_episodes() -> None:
    row = summarise([replace(BASE, score=None, infra_error="gone")])[-1]
    assert (row.episodes, row.success_rate, row.mean_score, row.mean_steps) == (0, None, None, None)
    assert summarise([]) == ()


def test_table_shows_the_figures() -> None:
    text = table_text([BASE, replace(BASE, score=0.5)])
    assert "success rate" in text
    for figure in ("0.50", "0.750", "4.0"):
        assert figure in text


def test_questions_and_refused_actions_have_optional_columns() -> None:
    metas = [replace(BASE, questions=2), replace(BASE, questions=1)]
    assert summarise(metas)[-1].questions == 3
    assert "questions" in table_text(metas)
    assert "questions" not in table_text([BASE])
    metas = [replace(BASE, refused=3), replace(BASE, refused=1), BASE]
    assert summarise(metas)[-1].refused_actions == 4
    failed = replace(BASE, refused=7, score=None, infra_error="MachineLostError: gone")
    assert summarise([*metas, failed])[-1].refused_actions == 4
    assert "refused actions" in table_text(metas)
    assert "refused actions" not in table_text([BASE])
