"""Episodes with human help are summarized separately."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from tests.rollouts.playing import play_into

from pptarena.envs import actions
from pptarena.rollouts.compare import Contender, compare, comparison_tables
from pptarena.rollouts.episode import EpisodeMeta, StoredEpisode
from pptarena.rollouts.help_summary import help_rows, help_table
from pptarena.tasks import Task

HELP = {"interventions": 2, "human_steps": 3, "human_sec": 9.0, "hints": 1, "answers": 0}


@pytest.fixture
def meta(
    env: gym.Env[Any, Any], task: Task, script: Callable[..., Any], tmp_path: Path
) -> EpisodeMeta:
    """An episode without help."""
    return play_into(tmp_path / "episode", env, script(actions.done()), task, "a").meta


def test_help_is_summarized_by_agent(meta: EpisodeMeta) -> None:
    helped = replace(meta, help=HELP, score=1.0, steps=6)
    metas = [meta, helped, replace(helped, score=0.5), replace(meta, agent="b")]
    (row,) = help_rows([*metas, replace(helped, score=None)])
    assert (row.agent, row.episodes) == ("a", 2)
    assert (row.success_helped, row.success_alone) == (0.5, 0.0)
    assert (row.interventions, row.human_sec, row.human_share) == (2.0, 9.0, 0.5)
    assert (row.hints, row.answers) == (2, 0)
    assert help_table([row]).row_count == 1
    assert not help_rows([meta])


def test_comparison_excludes_helped_episodes(meta: EpisodeMeta, tmp_path: Path) -> None:
    def contender(name: str, *metas: EpisodeMeta) -> Contender:
        return Contender(
            name, tmp_path, name, tuple(StoredEpisode(tmp_path, each) for each in metas)
        )

    other = replace(meta, task="another-task")
    unaided = [contender("a", meta, other), contender("b", meta, other)]
    helped = contender("a (helped)", replace(meta, help=HELP, score=1.0))
    comparison = compare([*unaided, helped])
    assert [each.name for each in comparison.standings] == ["a", "b"]
    assert len(comparison.tasks) == 2
    assert [row.agent for row in comparison.help] == ["a"]
    titles = [str(table.title) for table in comparison_tables(comparison)]
    assert titles[-1] == str(help_table(comparison.help).title)
    assert len(titles) == 5  # agents, success by group, endings, differences, help
    assert compare([helped]).standings[0].total.score.mean == 1.0
