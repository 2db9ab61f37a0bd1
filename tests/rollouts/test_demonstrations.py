"""Every task in the real application: its demonstration solves it; one of each deck is replayed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from pptarena.agents.demonstration import DemonstrationAgent
from pptarena.rollouts.env import make_env
from pptarena.rollouts.play import play
from pptarena.rollouts.replay import replay_episode
from pptarena.tasks import Task, list_tasks

pytestmark = pytest.mark.image
Env = gym.Env[Any, Any]
TASKS = list_tasks("starter")
REPLAYED = {task.deck: task.id for task in TASKS}  # the last of each deck


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Env]:
    env = make_env("sandbox")
    yield env
    env.close()


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_the_demonstration_scores_1_and_a_replay_does_too(
    sandbox: Env, task: Task, tmp_path: Path
) -> None:
    episode = play(
        sandbox,
        DemonstrationAgent(),
        agent_name="demonstration",
        task=task,
        seed=0,
        place=tmp_path / "episode",
        failed_place=tmp_path / "failed",
    )
    meta = episode.meta
    assert (meta.infra_error, meta.agent_error) == (None, None)
    assert meta.score == 1.0, (episode.folder / "rubric.json").read_text()
    assert meta.steps <= task.max_steps
    if task.id not in REPLAYED.values():
        return
    replay = replay_episode(sandbox, episode.folder)
    assert replay.same_score
    assert replay.identical, replay.first_difference
