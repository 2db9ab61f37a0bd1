"""The vector environment on the fake machine."""

import os
from contextlib import closing
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.error import AlreadyPendingCallError, NoAsyncCallError, ResetNeeded
from gymnasium.vector import AsyncVectorEnv, AutoresetMode
from gymnasium.wrappers import TransformAction

from pptarena.envs import PPTArenaEnv
from pptarena.envs.actions import click, done, type_text, wait
from pptarena.envs.machines.fake import FakeMachine
from pptarena.envs.vector import PPTArenaVectorEnv, ppt_arena_vector
from pptarena.errors import ConfigError
from pptarena.rewards.judges import JudgeConfig
from pptarena.tasks import list_tasks

pytestmark = pytest.mark.slow

SMALL: dict[str, Any] = {"machine": "fake", "width_px": 320, "height_px": 240}
TASKS = [task.id for task in list_tasks("starter")]
WAITS = [wait(0), wait(0)]


def test_make_vec() -> None:
    envs = gym.make_vec("pptarena:PPTArena-v0", num_envs=2, autoreset_mode="SameStep", **SMALL)
    with closing(envs):
        assert isinstance(envs, AsyncVectorEnv)
        assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
        assert repr(envs) == "PPTArenaVectorEnv(PPTArena-v0, num_envs=2)"
        assert envs.spec is not None
    with closing(gym.make_vec(envs.spec)) as again:
        assert isinstance(again, PPTArenaVectorEnv)
        assert again.num_envs == 2
    with closing(gym.make_vec(f"PPTArena/{TASKS[0]}-v0", num_envs=1, **SMALL)) as one:
        assert isinstance(one, PPTArenaVectorEnv)
        assert one.reset(seed=0)[1]["task_id"].tolist() == [TASKS[0]]


def test_resets_steps_and_attributes(factory: Any) -> None:
    envs = factory.vector(2, render_mode="rgb_array")
    for call in (lambda: envs.step(WAITS), envs.render):
        with pytest.raises(ResetNeeded):
            call()
    obs, infos = envs.reset(seed=11)
    assert envs.np_random_seed == (11, 12)
    assert obs in envs.observation_space
    assert isinstance(obs["instruction"], tuple)
    assert np.array_equal(envs.render()[1], obs["screenshot"][1])
    assert [task.id for task in envs.get_attr("task")] == infos["task_id"].tolist()
    assert envs.step(envs.action_space.sample())[0] in envs.observation_space
    for count in (1, 3):
        with pytest.raises(ValueError, match=f"expected 2 actions, got {count}"):
            envs.step([wait(0)] * count)
    with pytest.raises(ValueError, match="length"):
        envs.reset(seed=[1, 2, 3])
    for mask in ([True, False], np.array([1, 0]), np.array([True]), np.array([False, False])):
        with pytest.raises((TypeError, ValueError), match="reset_mask"):
            envs.reset(options={"reset_mask": mask})
    later = envs.step(tuple(WAITS))[0]
    assert not np.shares_memory(obs["screenshot"], later["screenshot"])
    envs.reset(seed=np.int64(7))
    assert envs.np_random_seed == (7, 8)
    envs.set_attr("note", ["a", "b"])
    assert envs.get_attr("note") == ("a", "b")
    with pytest.raises(ValueError, match="1"):
        envs.set_attr("note", [1])


def test_partial_reset_leaves_the_others_alone(factory: Any) -> None:
    envs = factory.vector(3, "Disabled", copy=False)
    before = envs.reset(seed=0)[0]["screenshot"].copy()
    options = {"reset_mask": np.array([False, True, False]), "task": TASKS[3]}
    obs, infos = envs.reset(options=options)
    assert infos["_task_id"].tolist() == [False, True, False]
    assert infos["task_id"][1] == TASKS[3]
    assert np.array_equal(obs["screenshot"][[0, 2]], before[[0, 2]])
    assert "reset_mask" in options, "the caller's options were changed"
    assert np.shares_memory(
        obs["screenshot"], envs.step([wait(0), done(), wait(0)])[0]["screenshot"]
    )
    with pytest.raises(ResetNeeded, match="reset_mask"):
        envs.step([wait(0)] * 3)
    envs.reset(options={"reset_mask": np.array([False, True, False])})
    envs.step([wait(0)] * 3)


def test_send_and_recv_equal_step(factory: Any) -> None:
    def comparable(reply: Any) -> Any:
        return reply[0]["screenshot"].tobytes(), *map(float, reply[1:4]), reply[4]["task_id"]

    def alone(number: int) -> list[Any]:
        envs = factory.vector(1, max_steps=3)
        envs.reset(seed=number)
        replies = []
        for _ in range(9):
            *arrays, infos = envs.step([type_text("x")])
            screenshot = arrays[0]["screenshot"][0].tobytes()
            replies.append(
                (screenshot, *(float(each[0]) for each in arrays[1:]), infos["task_id"][0])
            )
        return replies

    envs = factory.vector(2, max_steps=3)
    envs.reset(seed=0)
    replies: dict[int, list[Any]] = {0: [], 1: []}
    envs.send({0: type_text("x"), 1: type_text("x")})
    while min(map(len, replies.values())) < 9:
        for index, reply in envs.recv().items():
            replies[index].append(comparable(reply))
            envs.send({index: type_text("x")})
    assert replies[0][:9] == alone(0)
    assert replies[1][:9] == alone(1)


def test_results_are_received_once(factory: Any) -> None:
    envs = factory.vector(2)
    with pytest.raises(NoAsyncCallError, match="no action was sent"):
        envs.recv()
    envs.send({0: wait(0)})
    with pytest.raises(ResetNeeded):
        envs.recv()
    assert len(envs.get_attr("render_mode")) == 2, "nothing is outstanding after the exception"
    envs.reset(seed=0)
    with pytest.raises(ValueError, match="indices from 0 to 1 as keys, got 2"):
        envs.send({2: wait(0)})
    envs.send({1: wait(0)})
    for call in (lambda: envs.send({1: wait(0)}), lambda: envs.step(WAITS), envs.render):
        with pytest.raises(AlreadyPendingCallError):
            call()
    envs.send({0: wait(0)})
    assert sorted(envs.recv(least=9)) == [0, 1]
    with pytest.raises(NoAsyncCallError):
        envs.recv()
    assert envs.step(WAITS)[4]["infra_error"].tolist() == [None, None]
    same_step = factory.vector(1, "SameStep")
    same_step.reset(seed=0)
    with pytest.raises(ConfigError, match="NextStep"):
        same_step.send({0: wait(0)})


def test_wrappers_apply_to_every_environment(factory: Any) -> None:
    def only_clicks(env: gym.Env[Any, Any]) -> gym.Env[Any, Any]:
        return TransformAction(env, lambda n: click(element=int(n)), spaces.Discrete(40))

    envs = factory.vector(2, env_wrappers=[only_clicks], max_episode_steps=2)
    assert envs.single_action_space == spaces.Discrete(40)
    envs.reset(seed=0)
    assert not envs.step(np.array([1, 2]))[3].any()
    assert envs.step(np.array([1, 2]))[3].all(), "the time limit is inside"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": 0}, "num_envs"),
        ({"machine": FakeMachine()}, "name of a kind"),
        ({"machine": "fake", "render_mode": "human"}, "human"),
        ({"machine": "fake", "answer": "person"}, "prompt"),
        ({"machine": "fake", "step_deadline_sec": -1}, "step deadline"),
        ({"machine": "fake", "reset_wait_sec": float("nan")}, "reset deadline"),
        ({"machine": "fake", "no_such_option": 1}, "no_such_option"),
    ],
)
def test_invalid_arguments_are_rejected(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        PPTArenaVectorEnv(**arguments)


def test_deadlines_and_settings_of_the_sub_environments(
    factory: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = JudgeConfig(model="m", timeout_sec=20, base_url="http://127.0.0.1:9")
    judged = factory.vector(1, judge=judge, start_timeout_sec=50)
    assert judged.deadlines == (30 + 5 * 20 + 5, 50 + 5, 10)
    monkeypatch.setenv("PPTARENA_JUDGE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("PPTARENA_JUDGE_MODEL", "late")  # after the start of the fork server
    envs = factory.vector(1, judge="environment", step_deadline_sec=7, start_attempts=2)
    assert envs.deadlines.step_sec == 12
    config = envs.get_attr("config")[0]
    assert config.judge.model == "late"
    assert (config.start_attempts, config.machine.step_timeout_sec) == (2, 7)
    assert judged.get_attr("config")[0].start_attempts == 1, "the vector repeats failed starts"
    assert PPTArenaEnv(**SMALL).config.start_attempts == 3


def test_infos_of_different_types_are_combined(factory: Any) -> None:
    envs = factory.vector(2)
    infos: dict[str, Any] = {}
    for number, info in enumerate(({"score": 1.0, "n": 2}, {"score": None, "n": 0.5})):
        infos = envs._add_info(infos, info, number)
    assert infos["score"].tolist() == [1.0, None]
    assert infos["n"].tolist() == [2, 0.5]


def test_process_gets_only_the_environment_variables_of_its_caller(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "environ", {"OF_THE_FORK_SERVER": "1", "PPTARENA_HOME": "/elsewhere"})
    ppt_arena_vector._make_env({"PPTARENA_HOME": "/here"}, {"machine": "fake"}, []).close()
    assert os.environ == {"PPTARENA_HOME": "/here"}
