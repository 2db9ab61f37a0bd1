"""The environment on the real application."""

import os
import signal
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from tests.unwritable import unwritable

import pptarena
from pptarena.envs import PPTArenaEnv, actions, ppt_arena
from pptarena.envs.baseline import BaselineStore
from pptarena.envs.machines.process_tree import process_tree
from pptarena.envs.machines.sandbox import SandboxMachine
from pptarena.tasks import Task
from pptarena.vm_images.image import image_folder

pytestmark = pytest.mark.image
ENV_ID = f"{pptarena.__name__}:PPTArena-v0"


@pytest.fixture
def env() -> Iterator[PPTArenaEnv]:
    env = PPTArenaEnv(machine="sandbox")
    yield env
    env.close()


def office_pid(env: PPTArenaEnv) -> int:
    machine = env.machine
    assert isinstance(machine, SandboxMachine)
    assert machine.pid is not None
    for pid in process_tree(machine.pid):
        if Path(f"/proc/{pid}/comm").read_text().strip() == "soffice.bin":
            return pid
    raise AssertionError("no application in the machine")


def test_gymnasium_checker_raises_no_warning() -> None:
    env = gym.make(ENV_ID, machine="sandbox", task="meridian-hide-backup", look="never")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped, skip_render_check=True)
    env.close()


def test_two_machines_run_in_separate_processes() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "This process", DeprecationWarning)
        envs = gym.make_vec(
            ENV_ID,
            num_envs=2,
            vectorization_mode="async",
            vector_kwargs={"shared_memory": True},
            machine="sandbox",
            look="never",
        )
        try:
            envs.reset(seed=7)
            envs.action_space.seed(7)
            for _ in range(6):
                obs, _, _, _, info = envs.step(envs.action_space.sample())
                assert obs["screenshot"].shape == (2, 720, 1280, 3)
                assert list(info["infra_error"]) == [None, None]
        finally:
            envs.close()


def test_application_crash_ends_the_episode_and_the_next_reset_works(env: PPTArenaEnv) -> None:
    env.reset(seed=0)
    os.kill(office_pid(env), signal.SIGKILL)
    _, reward, terminated, truncated, info = env.step(actions.key("Page_Down"))
    assert (reward, terminated, truncated, info["score"]) == (0.0, True, False, 0.0)
    assert "application" in info["overload"]
    assert info["infra_error"] is None
    obs, info = env.reset(seed=0)
    assert info["infra_error"] is None
    assert obs["element_count"] > 20


def test_quitting_the_application_is_no_infrastructure_failure(env: PPTArenaEnv) -> None:
    _, before = env.reset(seed=0)
    env.step(actions.key("ctrl+q"))
    _, _, terminated, truncated, info = env.step(actions.wait(1))
    assert info["infra_error"] is None
    assert not terminated
    assert not truncated
    assert not info["document"]["open"]
    _, _, _, _, info = env.step(actions.open_program("impress"))
    assert info["infra_error"] is None
    assert info["action_error"] is None
    assert info["document"]["open"]
    assert info["document"]["revision"] > before["document"]["revision"], "it is scored again"


def test_element_boxes_match_the_screenshot(env: PPTArenaEnv) -> None:
    """The box of the page shape in the tree is the area of the slide on the screen."""
    obs, info = env.reset(seed=0, options={"task": "meridian-rename-tent"})
    page = next(n for n in info["a11y"]["nodes"] if n["name"].startswith("PageShape"))
    left, top, width, height = page["box"]
    pixels = obs["screenshot"].astype(int)
    middle_x, middle_y = left + width // 2, top + height // 2
    background = pixels[top - 8, middle_x]
    for x, y in ((left - 8, middle_y), (left + width + 8, middle_y), (middle_x, top - 8)):
        assert np.abs(pixels[y, x] - background).max() < 12, (
            "the background starts at the page's border"
        )
    assert np.abs(pixels[top + 8, middle_x] - background).max() > 40, (
        "the slide starts at the page's border"
    )


@pytest.mark.timeout(900)
def test_random_steps_cause_no_failure() -> None:
    env = PPTArenaEnv(machine="sandbox", look="never")  # many short episodes: nothing is rendered
    before = set(process_tree(os.getpid()))
    env.action_space.seed(11)
    env.reset(seed=11)
    failures: list[Any] = []
    for _ in range(60):
        _, reward, terminated, truncated, info = env.step(env.action_space.sample())
        assert np.isfinite(reward)
        if info["infra_error"]:
            failures.append(info["infra_error"])
        if terminated or truncated:
            env.reset()
    env.close()
    assert not failures
    assert set(process_tree(os.getpid())) <= before


@pytest.mark.parametrize("disk", ["read-only", "a file in the way"])
def test_episode_runs_without_a_writable_cache(
    disk: str, bold_task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    images = image_folder()
    (tmp_path / "disk").mkdir()
    with unwritable(disk, tmp_path / "disk") as folder:
        home = tmp_path / "home"
        home.mkdir()
        (home / "images").symlink_to(images)
        for name in ("baselines", "renders", "saves", "suites"):
            (home / name).symlink_to(folder)
        monkeypatch.setenv("PPTARENA_HOME", str(home))
        monkeypatch.setattr(ppt_arena, "_BASELINES", BaselineStore())
        env = PPTArenaEnv(task=bold_task, machine="sandbox")
        _, info = env.reset(seed=0)
        assert info["infra_error"] is None
        for action in (actions.key("Tab"), actions.key("ctrl+b"), actions.done()):
            *_, terminated, _, info = env.step(action)
            assert info["infra_error"] is None
        env.close()
    assert terminated
    assert info["rubric"]["looked"]
