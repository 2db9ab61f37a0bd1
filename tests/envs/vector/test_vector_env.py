"""What the vector environment offers, on the fake machine."""

import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers import TransformAction

from pptarena.envs import PPTArenaEnv
from pptarena.envs.actions import click, done, key, wait
from pptarena.envs.machines.fake import FakeMachine
from pptarena.envs.vector import ParallelVectorEnv, PPTArenaVectorEnv
from pptarena.envs.vector.sub_env_vector import make_room
from pptarena.errors import ConfigError
from pptarena.tasks import list_tasks

pytestmark = pytest.mark.slow

SMALL: dict[str, Any] = {"machine": "fake", "width_px": 320, "height_px": 240}
TASKS = [task.id for task in list_tasks("starter")]
REST = [wait(0), wait(0)]


@pytest.fixture
def envs() -> Iterator[PPTArenaVectorEnv]:
    made = PPTArenaVectorEnv(2, **SMALL, render_mode="rgb_array")
    yield made
    made.close()


@pytest.mark.parametrize("mode", [None, "vector_entry_point"])
def test_gymnasium_makes_it(mode: str | None) -> None:
    made: VectorEnv[Any, Any, Any] = gym.make_vec(
        "pptarena:PPTArena-v0", num_envs=2, vectorization_mode=mode, **SMALL
    )
    assert isinstance(made, PPTArenaVectorEnv)
    assert (made.num_envs, made.metadata["autoreset_mode"]) == (2, AutoresetMode.NEXT_STEP)
    assert made.spec is not None
    assert made.spec.kwargs["vectorization_mode"] == "vector_entry_point"
    assert repr(made) == "PPTArenaVectorEnv(PPTArena-v0, num_envs=2)"
    again = gym.make_vec(made.spec)
    assert isinstance(again, PPTArenaVectorEnv)
    assert again.num_envs == 2
    again.close()
    made.close()


def test_one_task_has_a_vector_too() -> None:
    made = gym.make_vec(f"PPTArena/{TASKS[0]}-v0", num_envs=2, autoreset_mode="SameStep", **SMALL)
    assert isinstance(made, PPTArenaVectorEnv)
    assert made.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert made.reset(seed=0)[1]["task_id"].tolist() == [TASKS[0]] * 2
    made.close()


def test_the_spaces_are_batched(envs: PPTArenaVectorEnv) -> None:
    obs, _ = envs.reset(seed=0)
    assert obs in envs.observation_space
    assert obs["screenshot"].shape == (2, 240, 320, 3)
    assert isinstance(obs["instruction"], tuple)
    single = envs.single_action_space
    assert isinstance(single, spaces.Dict)
    assert isinstance(single["text"], spaces.Text)
    actions = envs.action_space.sample()
    assert len(actions["text"]) == 2
    assert envs.step(actions)[0] in envs.observation_space


def test_seeds(envs: PPTArenaVectorEnv) -> None:
    envs.reset(seed=11)
    assert envs.np_random_seed == (11, 12)
    envs.reset(seed=np.int64(7))  # type: ignore[arg-type]
    assert envs.np_random_seed == (7, 8)
    first = envs.reset(seed=[4, 4])[1]["task_id"]
    assert first[0] == first[1]
    assert envs.np_random_seed == (4, 4)
    assert len(envs.np_random) == 2
    with pytest.raises(ValueError, match="expected 2 seeds"):
        envs.reset(seed=[1, 2, 3])


@pytest.mark.parametrize(
    ("mask", "error", "words"),
    [
        ([True, False], TypeError, "numpy array of bool"),
        (np.array([1, 0]), TypeError, "numpy array of bool"),
        (np.array([True]), ValueError, r"shape \(2,\)"),
        (np.array([False, False]), ValueError, "hold a True"),
    ],
)
def test_wrong_masks_are_refused(
    envs: PPTArenaVectorEnv, mask: Any, error: type[Exception], words: str
) -> None:
    envs.reset(seed=0)
    with pytest.raises(error, match=words):
        envs.reset(options={"reset_mask": mask})
    envs.step(REST)  # nothing was done


def test_a_partial_reset_leaves_the_others_alone() -> None:
    envs = PPTArenaVectorEnv(3, **SMALL, autoreset_mode="Disabled")
    before, infos = envs.reset(seed=0)
    options = {"reset_mask": np.array([False, True, False]), "task": TASKS[3]}
    obs, infos = envs.reset(options=options)
    assert infos["_task_id"].tolist() == [False, True, False]
    assert infos["task_id"][1] == TASKS[3]
    assert np.array_equal(obs["screenshot"][[0, 2]], before["screenshot"][[0, 2]])
    assert "reset_mask" in options, "the caller's dictionary is the caller's"
    envs.step([wait(0), done(), wait(0)])
    with pytest.raises(ResetNeeded, match=r"\[1\] must be reset"):
        envs.step([wait(0)] * 3)
    envs.reset(options={"reset_mask": np.array([False, True, False])})
    envs.step([wait(0)] * 3)
    envs.close()


def test_a_step_before_the_first_reset_is_refused(envs: PPTArenaVectorEnv) -> None:
    with pytest.raises(ResetNeeded, match=r"\[0, 1\]"):
        envs.step(REST)
    with pytest.raises(ResetNeeded):
        envs.render()


def test_the_number_of_actions_must_fit(envs: PPTArenaVectorEnv) -> None:
    envs.reset(seed=0)
    with pytest.raises(ValueError, match="expected 2 actions, got 3"):
        envs.step([wait(0)] * 3)
    envs.step(REST)


def test_every_reply_has_memory_of_its_own(envs: PPTArenaVectorEnv) -> None:
    replies = [envs.reset(seed=0)[0], envs.step(REST)[0], envs.step(REST)[0]]
    for number, one in enumerate(replies):
        for other in replies[number + 1 :]:
            assert not np.shares_memory(one["screenshot"], other["screenshot"])
            assert not np.shares_memory(one["elements"], other["elements"])


def test_buffers_are_used_again_when_asked() -> None:
    envs = PPTArenaVectorEnv(2, **SMALL, copy=False)
    first = envs.reset(seed=0)[0]
    second = envs.step(REST)[0]
    assert np.shares_memory(first["screenshot"], second["screenshot"])
    envs.close()


def test_call_and_attributes(envs: PPTArenaVectorEnv) -> None:
    _, infos = envs.reset(seed=0)
    assert [task.id for task in envs.get_attr("task")] == infos["task_id"].tolist()
    last = envs.call("last")
    assert [info["task_id"] for _, info in last] == infos["task_id"].tolist()
    envs.set_attr("note", ["a", "b"])
    assert envs.get_attr("note") == ("a", "b")
    envs.set_attr("note", 3)
    assert envs.get_attr("note") == (3, 3)
    with pytest.raises(ValueError, match="expected 2 values for note, got 1"):
        envs.set_attr("note", [1])
    with pytest.raises(AttributeError):
        envs.get_attr("nothing_of_that_name")
    assert all(isinstance(env, PPTArenaEnv) for env in envs.envs)
    assert len({thread.name for thread in threading.enumerate() if "vector" in thread.name}) == 2


def test_a_checkpoint_is_kept_by_each(envs: PPTArenaVectorEnv) -> None:
    envs.reset(seed=0)
    kept = envs.call("checkpoint")
    envs.step([key("Page_Down")] * 2)
    for env, checkpoint in zip(envs.envs, kept, strict=True):
        env.unwrapped.restore(checkpoint)  # type: ignore[attr-defined]
        checkpoint.close()
    envs.step(REST)


def test_frames_are_those_of_the_episodes_told_of(envs: PPTArenaVectorEnv) -> None:
    obs, _ = envs.reset(seed=0)
    frames = envs.render()
    assert np.array_equal(frames[0], obs["screenshot"][0])
    obs, _, terminations, _, _ = envs.step([key("Page_Down"), done()])
    assert terminations.tolist() == [False, True]
    frames = envs.render()
    for number in (0, 1):  # of the second one, the next episode is being prepared
        assert np.array_equal(frames[number], obs["screenshot"][number])
    obs = envs.step(REST)[0]
    assert np.array_equal(envs.render()[1], obs["screenshot"][1])


@pytest.mark.parametrize(
    "then",
    [
        {},
        {"seed": 9},
        {"options": {"task": TASKS[5]}},
        {"options": {"reset_mask": np.array([True, True])}},
        {"options": {"reset_mask": np.array([False, True])}},
    ],
)
def test_a_reset_that_was_begun_ahead_leaves_no_trace(then: dict[str, Any]) -> None:
    def tasks(envs: VectorEnv[Any, Any, Any]) -> list[Any]:
        seen = [envs.reset(seed=3)[1]["task_id"].tolist()]
        ending = envs.action_space.sample()
        ending["kind"][:] = done_kind()
        envs.step(ending)  # both end: the next episodes are being prepared now
        given = {**then, "options": dict(then["options"])} if "options" in then else then
        envs.reset(**given)
        for _ in range(3):  # in this mode every second step begins episodes
            infos = envs.step(ending)[4]
            seen.append(infos["task_id"].tolist())
            infos = envs.step(ending)[4]
            seen.append(infos["task_id"].tolist())
        envs.close()
        return seen

    sync = SyncVectorEnv([lambda: PPTArenaEnv(**SMALL)] * 2)
    assert tasks(PPTArenaVectorEnv(2, **SMALL)) == tasks(sync)


def done_kind() -> int:
    from pptarena.envs.action_space import to_space

    return int(to_space(done())["kind"])


def test_wrappers_go_round_every_environment() -> None:
    def only_clicks(env: gym.Env[Any, Any]) -> gym.Env[Any, Any]:
        return TransformAction(env, lambda n: click(element=int(n)), spaces.Discrete(40))

    envs = PPTArenaVectorEnv(2, **SMALL, env_wrappers=[only_clicks], max_episode_steps=2)
    assert envs.single_action_space == spaces.Discrete(40)
    envs.reset(seed=0)
    assert not envs.step(np.array([1, 2]))[3].any()
    assert envs.step(np.array([1, 2]))[3].all(), "the time limit is inside"
    envs.close()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"num_envs": 0}, "num_envs"),
        ({"machine": FakeMachine()}, "name of a kind"),
        ({"machine": "fake", "render_mode": "human"}, "human"),
        ({"machine": "fake", "step_deadline_sec": -1}, "step_deadline_sec"),
        ({"machine": "fake", "no_such_option": 1}, "no_such_option"),
    ],
)
def test_wrong_arguments(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        PPTArenaVectorEnv(**arguments)


def test_different_spaces_are_refused() -> None:
    sizes = iter([320, 640])
    with pytest.raises(ConfigError, match="other spaces"):
        ParallelVectorEnv(
            [lambda: PPTArenaEnv(machine="fake", width_px=next(sizes), height_px=240)] * 2
        )


def test_infos_of_different_types_find_room() -> None:
    infos: dict[str, Any] = {"score": np.array([1.0, 0.0]), "_score": np.array([True, False])}
    make_room(infos, {"score": None})
    assert infos["score"].tolist() == [1.0, None]
    counts: dict[str, Any] = {"n": np.array([2, 0]), "_n": np.array([True, False])}
    make_room(counts, {"n": 0.5})
    assert counts["n"].dtype == np.float64
    make_room(counts, {"n": 7})
    assert counts["n"].dtype == np.float64


@pytest.mark.parametrize(("given", "attempts"), [({}, 1), ({"start_attempts": 2}, 2)])
def test_failed_starts_are_repeated_by_the_vector_alone(
    given: dict[str, Any], attempts: int
) -> None:
    with closing(PPTArenaVectorEnv(1, **SMALL, **given)) as envs:
        assert envs.get_attr("config")[0].start_attempts == attempts
    assert PPTArenaEnv(**SMALL).config.start_attempts == 3
