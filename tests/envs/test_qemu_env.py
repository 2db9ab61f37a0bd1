"""The environment in virtual machines: checkpoints, forks and lost machines."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from pptx import Presentation

import pptarena
from pptarena.envs import PPTArenaEnv, actions
from pptarena.tasks import Task

pytestmark = [pytest.mark.image, pytest.mark.vm]
ENV_ID = f"{pptarena.__name__}:PPTArena-v0"
FORKS = 8
FORK_BYTES = 350 * 2**20


@pytest.fixture(scope="module")
def env(retitle_task: Task) -> Iterator[PPTArenaEnv]:
    env = PPTArenaEnv(task=retitle_task, machine="qemu", max_steps=200)
    yield env
    env.close()


def title_element(info: dict[str, Any]) -> int:
    slide_nodes, element = set(), 0
    for node in info["a11y"]["nodes"]:
        if node["role"] == "document presentation" or node["parent"] in slide_nodes:
            slide_nodes.add(node["index"])
            if node["element"] and "Harvest" in f"{node['name']} {node['text']}":
                element = int(node["element"])
    assert element, "the title is not on the screen"
    return element


def edit_title(env: PPTArenaEnv, text: str) -> dict[str, Any]:
    """Replace the title's text and leave the edit open."""
    _, info = env.last()
    for action in (
        actions.click(element=title_element(info)),
        actions.key("F2"),
        actions.key("ctrl+a"),
        actions.type_text(text),
    ):
        info = env.step(action)[4]
        assert not info["infra_error"]
        assert not info["action_error"]
    return info


def title(env: PPTArenaEnv) -> str:
    deck = Presentation(BytesIO(env.machine.save(commit_edit=True)))
    return str(deck.slides[0].shapes.title.text_frame.text)


def same(first: dict[str, Any], second: dict[str, Any]) -> bool:
    return all(np.array_equal(first[key], second[key]) for key in ("screenshot", "elements"))


def test_restore_returns_to_an_open_edit(env: PPTArenaEnv) -> None:
    env.reset(seed=0)
    saved_info = edit_title(env, "Summer")
    saved_obs, _ = env.last()
    assert saved_info["document"]["editing"]
    with env.checkpoint() as checkpoint:
        for number in range(3):
            env.step((actions.key("Escape"), actions.key("Page_Down"), actions.wait(1))[number % 3])
        assert env.last()[1]["score"] == 1.0, "the edit was not scored once it had ended"
        obs, info = env.restore(checkpoint)
    assert same(obs, saved_obs)
    assert info["a11y"] == saved_info["a11y"]
    assert (info["score"], info["rubric"]) == (saved_info["score"], saved_info["rubric"])
    assert info["document"] == saved_info["document"]
    _, reward, terminated, _, info = env.step(actions.done())
    assert terminated
    assert info["score"] == 1.0 == saved_info["score"] + reward


def test_eight_forks_run_independently(env: PPTArenaEnv) -> None:
    env.reset(seed=0)
    edit_title(env, "One")
    parent_obs, parent_info = env.last()
    forks = env.fork(FORKS)
    try:
        for fork in forks:
            obs, info = fork.last()
            assert same(obs, parent_obs)
            assert info["a11y"] == parent_info["a11y"]
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(_take_two_steps, forks, range(FORKS)))
            titles = list(pool.map(title, forks))
        assert titles == [f"One{number}" for number in range(FORKS)]
        for fork in forks:
            memory_bytes = fork.machine.memory_bytes()
            assert memory_bytes is not None
            assert memory_bytes <= FORK_BYTES, f"{memory_bytes / 2**20:.0f} MiB"
        assert title(env) == "One"
    finally:
        for fork in forks:
            fork.close()


def _take_two_steps(fork: PPTArenaEnv, number: int) -> None:
    for action in (actions.type_text(str(number)), actions.move(xy=(0.3, 0.4))):
        assert not fork.step(action)[4]["infra_error"]


def test_killed_machine_truncates_and_the_next_reset_works(env: PPTArenaEnv) -> None:
    env.reset(seed=0)
    os.kill(env.machine.pid, signal.SIGKILL)  # type: ignore[attr-defined]
    _, reward, terminated, truncated, info = env.step(actions.key("Page_Down"))
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert info["infra_error"]
    assert env.reset(seed=0)[1]["infra_error"] is None


def test_machines_in_separate_processes(retitle_task: Task) -> None:
    envs = gym.make_vec(
        ENV_ID, num_envs=2, vectorization_mode="async", machine="qemu", task=retitle_task
    )
    try:
        first, _ = envs.reset(seed=7)
        assert np.array_equal(first["screenshot"][0], first["screenshot"][1])
        envs.action_space.seed(7)
        for _ in range(4):
            _, _, _, _, info = envs.step(envs.action_space.sample())
            assert list(info["infra_error"]) == [None, None]
    finally:
        envs.close()
