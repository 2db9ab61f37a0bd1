import json
import shutil
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from PIL import Image
from tests.rollouts.playing import play_into

from pptarena.agents.base import Agent
from pptarena.agents.random_agent import RandomAgent
from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.envs.machines.fake import FakeMachine
from pptarena.errors import MachineLostError, StoreError
from pptarena.rollouts.env import make_env
from pptarena.rollouts.replay import replay_episode, tree_similarity
from pptarena.tasks import Task

Env = gym.Env[Any, Any]


@pytest.fixture
def record(env: Env, task: Task, tmp_path: Path) -> Callable[..., Path]:
    """Play the small task and return the folder."""

    def play_agent(agent: Agent, seed: int = 0) -> Path:
        return play_into(tmp_path / f"seed-{seed}", env, agent, task, seed=seed).folder

    return play_agent


@pytest.fixture
def solved(
    record: Callable[..., Path], script: Callable[..., Agent], solution: Sequence[Action]
) -> Path:
    """The folder of an episode that solves the task."""
    return record(script(*solution))


def test_solution_replays_identically(env: Env, task: Task, solved: Path) -> None:
    replay = replay_episode(env, solved, lambda task_id: task)
    assert (replay.recorded_score, replay.score, replay.same_score) == (1.0, 1.0, True)
    assert replay.tree_similarity == (1.0, 1.0, 1.0, 1.0)
    assert replay.first_score_difference is None
    assert replay.first_tree_difference is None
    assert replay.pixel_difference == (0.0,) * 4
    assert replay.first_difference == ""
    assert replay.identical


def test_changed_pixels_are_located(env: Env, task: Task, solved: Path) -> None:
    with Image.open(solved / "step_001.png") as image:
        changed = image.convert("RGB")
    changed.putpixel((5, 5), (1, 2, 3))
    changed.save(solved / "step_001.png")
    replay = replay_episode(env, solved, lambda task_id: task)
    size = changed.width * changed.height
    assert replay.pixel_difference[1] == round(1 / size, 9)
    assert (replay.first_pixel_difference, replay.first_difference) == (1, "step 1: pixels")
    assert replay.same_score
    assert not replay.identical


@pytest.mark.slow
def test_changed_box_is_a_difference_of_the_trees(env: Env, task: Task, solved: Path) -> None:
    file = solved / "step_001.json"
    tree = json.loads(file.read_text())
    tree["nodes"][-1]["box"][0] += 1
    file.write_text(json.dumps(tree))
    replay = replay_episode(env, solved, lambda task_id: task)
    assert replay.tree_similarity[1] == 1.0
    assert (replay.same_trees[1], replay.first_difference) == (False, "step 1: tree")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_random_episodes_replay_without_their_elements(
    env: Env, task: Task, record: Callable[..., Path], seed: int
) -> None:
    replay = replay_episode(env, record(RandomAgent(), seed), lambda task_id: task)
    assert replay.same_score
    assert set(replay.tree_similarity) == {1.0}


def test_score_difference_is_located(env: Env, task: Task, solved: Path) -> None:
    lines = (solved / "traj.jsonl").read_text().splitlines()
    lines[1] = lines[1].replace("ctrl+b", "ctrl+i")
    (solved / "traj.jsonl").write_text("\n".join(lines))
    replay = replay_episode(env, solved, lambda task_id: task)
    assert not replay.same_score
    assert replay.first_score_difference == 1
    assert replay.to_json()["same_score"] is False


def test_unusable_records_and_lost_machines_are_errors(
    env: Env,
    task: Task,
    record: Callable[..., Path],
    script: Callable[..., Agent],
    machine: FakeMachine,
) -> None:
    folder = record(script(actions.done()))
    machine.fail_next("lost")
    with pytest.raises(MachineLostError, match="action 0"):
        replay_episode(env, folder, lambda task_id: task)
    line = (folder / "traj.jsonl").read_text()
    (folder / "traj.jsonl").write_text(line + line)
    with pytest.raises(StoreError, match="ended before action"):
        replay_episode(env, folder, lambda task_id: task)
    meta = json.loads((folder / "meta.json").read_text())
    (folder / "meta.json").write_text(json.dumps(meta | {"score": None}))
    with pytest.raises(StoreError, match="no score to compare with"):
        replay_episode(env, folder, lambda task_id: task)


def node(index: int, parent: int, name: str, text: str = "") -> dict[str, Any]:
    return {"index": index, "parent": parent, "role": "label", "name": name, "text": text}


def test_trees_are_compared_by_text_and_depth() -> None:
    tree = {"nodes": [node(0, -1, "a"), node(1, 0, "b"), node(2, 0, "c")]}
    moved = {"nodes": [node(0, -1, "a"), node(1, 0, "c"), node(2, 0, "b")]}
    deeper = {"nodes": [node(0, -1, "a"), node(1, 0, "b"), node(2, 1, "c")]}
    edited = {"nodes": [node(0, -1, "a"), node(1, 0, "b"), node(2, 0, "c", "new")]}
    assert tree_similarity(tree, moved) == 1.0
    assert tree_similarity(tree, deeper) == pytest.approx(2 / 3)
    assert tree_similarity(tree, edited) == pytest.approx(2 / 3)
    assert tree_similarity(tree, {"nodes": []}) == 0.0
    assert tree_similarity({"nodes": []}, {"nodes": []}) == 1.0


def test_replay_uses_the_recorded_wording(
    env: Env, task: Task, tmp_path: Path, script: Callable[..., Agent]
) -> None:
    task = replace(task, paraphrases=("Bold, please.", "A bold title."))
    with closing(make_env("fake", look="never", wording="any")) as any_wording:
        agent = script(actions.done())
        for seed in range(9):  # until another wording than the first is sampled
            episode = play_into(tmp_path / "episode", any_wording, agent, task, seed=seed)
            if episode.meta.wording != 1:
                break
            shutil.rmtree(episode.folder)
    assert episode.meta.instruction == task.worded(episode.meta.wording).instruction
    assert episode.meta.env_options["wording"] == "any"
    replay_episode(env, episode.folder, lambda task_id: task)
    assert env.unwrapped.task.instruction == episode.meta.instruction  # type: ignore[attr-defined]
