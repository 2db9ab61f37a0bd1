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

from pptarena.agents.base import Agent
from pptarena.agents.random_agent import RandomAgent
from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.envs.machines.fake import FakeMachine
from pptarena.errors import MachineLostError, StoreError
from pptarena.rollouts.env import make_env
from pptarena.rollouts.play import play
from pptarena.rollouts.replay import replay_episode, tree_similarity
from pptarena.tasks import Task

Env = gym.Env[Any, Any]


@pytest.fixture
def record(env: Env, task: Task, tmp_path: Path) -> Callable[..., Path]:
    """Play the small task and return the folder."""

    def play_agent(agent: Agent, seed: int = 0) -> Path:
        place = tmp_path / f"seed-{seed}"
        play(
            env,
            agent,
            agent_name="agent",
            task=task,
            seed=seed,
            place=place,
            failed_place=tmp_path / "failed",
        )
        return place

    return play_agent


def change(file: Path, **values: object) -> None:
    data = json.loads(file.read_text()) | values
    file.write_text(json.dumps(data))


def test_a_solution_replays_to_the_same_score(
    env: Env,
    task: Task,
    record: Callable[..., Path],
    script: Callable[..., Agent],
    solution: Sequence[Action],
) -> None:
    replay = replay_episode(env, record(script(*solution)), lambda task_id: task)
    assert (replay.recorded_score, replay.score, replay.same_score) == (1.0, 1.0, True)
    assert replay.tree_similarity == (1.0, 1.0, 1.0, 1.0)
    assert replay.first_score_difference is None
    assert replay.first_tree_difference is None
    assert replay.pixel_difference == (0.0,) * 4
    assert replay.first_difference == ""
    assert replay.identical


def test_other_pixels_are_found_and_placed(
    env: Env,
    task: Task,
    record: Callable[..., Path],
    script: Callable[..., Agent],
    solution: Sequence[Action],
) -> None:
    folder = record(script(*solution))
    with Image.open(folder / "step_001.png") as picture:
        changed = picture.convert("RGB")
    changed.putpixel((5, 5), (1, 2, 3))
    changed.save(folder / "step_001.png")
    replay = replay_episode(env, folder, lambda task_id: task)
    size = changed.width * changed.height
    assert replay.pixel_difference[1] == round(1 / size, 9)
    assert (replay.first_pixel_difference, replay.first_difference) == (1, "step 1: pixels")
    assert replay.same_score
    assert not replay.identical


@pytest.mark.slow
def test_a_tree_whose_places_differ_is_another_tree(
    env: Env,
    task: Task,
    record: Callable[..., Path],
    script: Callable[..., Agent],
    solution: Sequence[Action],
) -> None:
    folder = record(script(*solution))
    file = folder / "step_001.json"
    tree = json.loads(file.read_text())
    tree["nodes"][-1]["box"][0] += 1
    file.write_text(json.dumps(tree))
    replay = replay_episode(env, folder, lambda task_id: task)
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


def test_a_difference_is_found_and_placed(
    env: Env,
    task: Task,
    record: Callable[..., Path],
    script: Callable[..., Agent],
    solution: Sequence[Action],
) -> None:
    folder = record(script(*solution))
    lines = (folder / "traj.jsonl").read_text().splitlines()
    lines[1] = lines[1].replace("ctrl+b", "ctrl+i")
    (folder / "traj.jsonl").write_text("\n".join(lines))
    replay = replay_episode(env, folder, lambda task_id: task)
    assert not replay.same_score
    assert replay.first_score_difference == 1
    assert replay.to_json()["same_score"] is False


def test_an_episode_without_a_score_is_refused(
    env: Env, task: Task, record: Callable[..., Path], script: Callable[..., Agent]
) -> None:
    folder = record(script(actions.done()))
    change(folder / "meta.json", score=None)
    with pytest.raises(StoreError, match="no score to compare with"):
        replay_episode(env, folder, lambda task_id: task)


def test_actions_beyond_the_end_are_an_error(
    env: Env, task: Task, record: Callable[..., Path], script: Callable[..., Agent]
) -> None:
    folder = record(script(actions.done()))
    line = (folder / "traj.jsonl").read_text()
    (folder / "traj.jsonl").write_text(line + line)
    with pytest.raises(StoreError, match="ended before action"):
        replay_episode(env, folder, lambda task_id: task)


def test_a_lost_machine_is_no_difference(
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


def node(index: int, parent: int, name: str, text: str = "") -> dict[str, Any]:
    return {"index": index, "parent": parent, "role": "label", "name": name, "text": text}


def test_trees_are_compared_by_what_they_say_and_how_deep() -> None:
    tree = {"nodes": [node(0, -1, "a"), node(1, 0, "b"), node(2, 0, "c")]}
    moved = {"nodes": [node(0, -1, "a"), node(1, 0, "c"), node(2, 0, "b")]}
    deeper = {"nodes": [node(0, -1, "a"), node(1, 0, "b"), node(2, 1, "c")]}
    edited = {"nodes": [node(0, -1, "a"), node(1, 0, "b"), node(2, 0, "c", "new")]}
    assert tree_similarity(tree, moved) == 1.0
    assert tree_similarity(tree, deeper) == pytest.approx(2 / 3)
    assert tree_similarity(tree, edited) == pytest.approx(2 / 3)
    assert tree_similarity(tree, {"nodes": []}) == 0.0
    assert tree_similarity({"nodes": []}, {"nodes": []}) == 1.0


def test_a_replay_has_the_wording_of_the_record(
    env: Env, task: Task, tmp_path: Path, script: Callable[..., Agent]
) -> None:
    task = replace(task, paraphrases=("Bold, please.", "A bold title."))
    place, failed = tmp_path / "episode", tmp_path / "failed"
    with closing(make_env("fake", look="never", wording="any")) as drawing:
        agent = script(actions.done())
        for seed in range(9):  # until another wording than the first is drawn
            episode = play(
                drawing,
                agent,
                agent_name="a",
                task=task,
                seed=seed,
                place=place,
                failed_place=failed,
            )
            if episode.meta.wording != 1:
                break
            shutil.rmtree(episode.folder)
    assert episode.meta.instruction == task.worded(episode.meta.wording).instruction
    assert episode.meta.env_options["wording"] == "any"
    replay_episode(env, episode.folder, lambda task_id: task)
    assert env.unwrapped.task.instruction == episode.meta.instruction  # type: ignore[attr-defined]
