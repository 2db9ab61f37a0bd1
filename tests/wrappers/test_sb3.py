"""Training with stable-baselines3."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from tests.each_case import each_case

import pptarena
from pptarena.envs.machines.fake import FakeMachine
from pptarena.errors import ConfigError
from pptarena.wrappers import LearnerConfig, learner_env, make_sb3

pytestmark = pytest.mark.slow

pytest.importorskip("stable_baselines3")

FAKE: dict[str, Any] = {"machine": "fake", "width_px": 320, "height_px": 240, "max_steps": 8}


@pytest.mark.parametrize(
    "config",
    [
        LearnerConfig(),
        LearnerConfig(actions="grid"),
        LearnerConfig(screenshot_px=None, name_size=0, instruction_size=0, goal=1.0, done=False),
    ],
    ids=["som", "grid", "bare"],
)
@pytest.mark.filterwarnings("ignore:.*:UserWarning")
def test_env_checkers_of_both_libraries_pass(config: LearnerConfig) -> None:
    from gymnasium.utils.env_checker import check_env as check_gymnasium
    from stable_baselines3.common.env_checker import check_env as check_sb3

    env = learner_env(config, **FAKE)
    check_sb3(env)
    check_gymnasium(env, skip_render_check=True)
    env.close()


@pytest.mark.parametrize("processes", [False, True], ids=["dummy", "subproc"])
def test_masks_reach_the_learner(processes: bool) -> None:
    env = make_sb3(2, processes=processes, seed=1, task="meridian-hide-backup", **FAKE)
    observation = env.reset()
    masks = np.stack(env.env_method("action_masks"))
    assert isinstance(observation, dict)
    assert masks[:, :128].sum(1).tolist() == observation["element_count"].tolist()
    assert masks[:, :128].any()
    rng = np.random.default_rng(0)
    for _ in range(10):
        masks = np.stack(env.env_method("action_masks"))
        choice = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        _, rewards, _, infos = env.step(choice)
        assert all(info["action_error"] is None for info in infos)
        assert rewards.shape == (2,)
    env.close()


def test_seed_determines_the_tasks() -> None:
    ids = []
    for _ in range(2):
        env = make_sb3(2, seed=5, **FAKE)
        env.reset()
        ids.append([each.task.id for each in env.get_attr("unwrapped")])
        env.close()
    assert ids[0] == ids[1]


@each_case(
    "arguments, message",
    [
        ({"seed": -1}, "expected seed to be a whole number from 0, got -1"),
        ({"seed": "x"}, "expected seed to be a whole number from 0, got 'x'"),
        ({"config": {}}, "config: expected a LearnerConfig or None, got {}"),
        ({"machine": FakeMachine(), "processes": True}, "give its kind, not a machine"),
        ({"machine": "fakee", "processes": True}, "machine 'fakee' not found"),
    ],
)
def test_invalid_arguments_are_rejected(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make_sb3(2, **{**FAKE, **arguments})


@each_case("size", [5, (5,), "ab", (1, 2, 3)])
def test_screenshot_size_must_be_a_pair(size: Any) -> None:
    with pytest.raises(ConfigError, match=r"screenshot_px: expected \(width, height\) or None"):
        LearnerConfig(screenshot_px=size)


def test_script_needs_no_main_guard(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(
        "import pptarena\n"
        "def answer(task, question): return 'yes'\n"
        "env = pptarena.make_sb3(2, machine='fake', answer=answer, processes=True)\n"
        "print(len(env.reset()['elements']))\n"
        "env.close()\n"
    )
    result = subprocess.run(
        [sys.executable, script], capture_output=True, check=False, text=True, timeout=120
    )
    assert result.stdout == "2\n", result.stderr


class OneKey(gym.Wrapper[Any, Any, Any, Any]):
    """Rewards one action only, which a learner finds quickly."""

    def step(self, action: Any) -> Any:
        observation, _, terminated, truncated, info = self.env.step(action)
        return observation, float(action == 3), terminated, truncated, info

    def action_masks(self) -> Any:
        return self.env.get_wrapper_attr("action_masks")()


def test_maskable_ppo_learns() -> None:
    contrib = pytest.importorskip("sb3_contrib")
    from stable_baselines3.common.vec_env import DummyVecEnv

    small = LearnerConfig(marks=8, pointer=("move",), screenshot_px=None, keys=("Escape",))

    def make_env() -> Any:
        return OneKey(learner_env(small, task="meridian-hide-backup", **FAKE))

    vector = DummyVecEnv([make_env])
    model = contrib.MaskablePPO(
        "MultiInputPolicy", vector, n_steps=64, batch_size=32, learning_rate=3e-3, seed=0
    )
    model.learn(768)
    observation = vector.reset()
    masks = np.stack(vector.env_method("action_masks"))
    action, _ = model.predict(observation, deterministic=True, action_masks=masks)
    assert action == [3]
    vector.close()


def test_public_name_and_argument_errors() -> None:
    assert pptarena.make_sb3 is make_sb3
    with pytest.raises(AttributeError, match="nothing"):
        pptarena.nothing  # noqa: B018
    with pytest.raises(ConfigError, match="num_envs"):
        make_sb3(0)
    with pytest.raises(ConfigError, match="actions"):
        LearnerConfig(actions="talk")  # type: ignore[arg-type]


def _with_make_vec_env() -> Any:
    from stable_baselines3.common.env_util import make_vec_env

    return make_vec_env("PPTArena-v0", n_envs=2, env_kwargs=FAKE)


def _with_dummy() -> Any:
    from stable_baselines3.common.vec_env import DummyVecEnv

    return DummyVecEnv([lambda: gym.make("PPTArena-v0", **FAKE)])


def _with_ppo() -> Any:
    from stable_baselines3 import PPO

    return PPO("MultiInputPolicy", gym.make("PPTArena-v0", **FAKE))


def _with_documents() -> Any:
    from stable_baselines3 import PPO

    return PPO("MultiInputPolicy", gym.make("PPTArenaDoc-v0"))


@pytest.mark.parametrize("make", [_with_make_vec_env, _with_dummy, _with_ppo, _with_documents])
def test_plain_environment_points_to_make_sb3(make: Any) -> None:
    with pytest.raises(ConfigError, match=r"Make the environment with pptarena\.make_sb3"):
        make()


def test_text_spaces_have_no_shape() -> None:
    with gym.make("PPTArena-v0", **FAKE) as env:
        spaces: tuple[Any, Any] = env.observation_space, env.action_space
        for space in (spaces[0]["instruction"], spaces[1]["text"]):
            assert not hasattr(space, "shape")
            assert getattr(space, "shape", None) is None
            assert space.contains(space.sample())
