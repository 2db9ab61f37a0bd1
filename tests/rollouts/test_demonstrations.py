"""The demonstration of every task in the real application, and a replay for each deck."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from tests.rollouts.playing import play_into

from pptarena.agents.demonstration import DemonstrationAgent
from pptarena.rollouts.env import make_env
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
def test_demonstration_and_its_replay_score_1(sandbox: Env, task: Task, tmp_path: Path) -> None:
    episode = play_into(tmp_path / "episode", sandbox, DemonstrationAgent(), task)
    meta = episode.meta
    assert (meta.infra_error, meta.agent_error) == (None, None)
    assert meta.score == 1.0, (episode.folder / "rubric.json").read_text()
    assert meta.steps <= task.max_steps
    if task.id not in REPLAYED.values():
        return
    replay = replay_episode(sandbox, episode.folder)
    assert replay.same_score
    assert replay.identical, replay.first_difference
