"""Wrappers of the action space: conversion between numbers and actions, and masks."""

import json
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from pptarena.envs.action import Action
from pptarena.envs.actions import click, done, key, to_space, type_text
from pptarena.envs.document import ToolCall
from pptarena.errors import ActionError, ConfigError
from pptarena.wrappers import DropParts, EndAtGoal, GridActions, RecentActions, SomActions
from pptarena.wrappers.quoted_texts import quoted_texts


def test_numbers_and_actions_convert_both_ways(make: Any) -> None:
    env = SomActions(make(), 7, ("click", "right_click"), ("Escape", "ctrl+b"), ("Hello",))
    assert env.action_space.n == 7 * 2 + 2 + 1 + 1  # type: ignore[attr-defined]
    actions = [env.to_action(number) for number in range(int(env.action_space.n))]  # type: ignore[attr-defined]
    assert [env.to_number(action) for action in actions] == list(range(len(actions)))
    assert actions[0] == click(element=1)
    assert actions[7] == Action("right_click", element=1)
    assert actions[-4:] == [key("Escape"), key("ctrl+b"), type_text("Hello"), done()]
    for wrong in (-1, len(actions)):
        with pytest.raises(ConfigError, match="expected an action below"):
            env.to_action(wrong)
    with pytest.raises(ConfigError, match="no number stands for"):
        env.to_number(click(element=8))


@pytest.mark.slow
def test_mask_allows_exactly_the_valid_actions(make: Any) -> None:
    env = SomActions(make(max_steps=1000), 64, ("move",), ("Escape",), done=False)
    observation, _ = env.reset(seed=0)
    for _ in range(2):
        mask = env.action_masks()
        assert mask.dtype == np.bool_
        assert mask.sum() == observation["element_count"] + 1
        for number, allowed in enumerate(mask):
            if number == 64:
                continue  # the key changes the elements
            info = env.step(number)[4]
            assert (info["action_error"] is None) == allowed, number
        observation = env.step(64)[0]


def test_masks_follow_the_number_of_elements(make: Any) -> None:
    env = SomActions(make(), 64)
    assert not env.action_masks()[:64].any(), "no element before the first reset"
    first, _ = env.reset(seed=0)
    before = int(env.action_masks()[:64].sum())
    assert before == min(64, first["element_count"])
    after = env.step(env.to_number(key("ctrl+a")))[0]
    assert env.action_masks()[:64].sum() == min(64, after["element_count"])


def test_grid_clicks_the_center_of_a_cell(make: Any) -> None:
    env = GridActions(make(), 4, 2, ("click",), ("Escape",))
    assert env.action_space.nvec.tolist() == [3, 4, 2]  # type: ignore[attr-defined]
    assert env.to_action([0, 1, 0]) == click(xy=(0.375, 0.25))
    assert env.to_action([1, 3, 1]) == key("Escape")
    assert env.to_action([2, 0, 0]) == done()
    assert env.action_masks().shape == (9,)
    env.reset(seed=0)
    assert env.step(np.array([0, 2, 1]))[4]["action_error"] is None
    assert env.step(np.array([2, 0, 0]))[2]
    with pytest.raises(ConfigError, match="expected an action of"):
        env.to_action([0, 4, 0])


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"marks": 0}, ConfigError),
        ({"marks": 257}, ConfigError),
        ({"pointer": ()}, ConfigError),
        ({"pointer": ("drag",)}, ConfigError),
        ({"texts": ("x" * 600,)}, ActionError),
        ({"keys": ("k" * 80,)}, ActionError),
        ({"texts": ("",)}, ActionError),
        ({"keys": ("",)}, ActionError),
        ({"texts": "abc"}, ConfigError),
        ({"keys": "ctrl+a"}, ConfigError),
    ],
)
def test_invalid_settings_are_rejected(
    arguments: dict[str, Any], error: type[Exception], make: Any
) -> None:
    with pytest.raises(error, match="expected"):
        SomActions(make(), **arguments)


@pytest.mark.parametrize("wrap", [SomActions, GridActions])
def test_unknown_key_is_rejected(wrap: Any, make: Any) -> None:
    with pytest.raises(ActionError, match="ctrl\\+zzz"):
        wrap(make(), keys=("ctrl+a", "ctrl+zzz"))


@pytest.mark.parametrize("inner", [SomActions, GridActions])
@pytest.mark.parametrize("outer", [SomActions, GridActions, EndAtGoal])
def test_action_wrappers_cannot_be_stacked(inner: Any, outer: Any, make: Any) -> None:
    with pytest.raises(ConfigError, match="the order of wrappers may be wrong"):
        outer(inner(make()))


def test_marks_require_the_element_table(make: Any) -> None:
    with pytest.raises(ConfigError, match="element_count"):
        SomActions(DropParts(make(), ["element_count"]))


class RisingScore(gym.Wrapper[Any, Any, Any, Any]):
    """The score grows by 0.25 each step."""

    score = 0.0
    lost = False

    def step(self, action: Any) -> Any:
        observation, reward, terminated, truncated, info = self.env.step(action)
        self.score += 0.25
        info = {**info, "score": self.score, "infra_error": "lost" if self.lost else None}
        return observation, reward, terminated, truncated, info


def test_episode_ends_at_the_goal_score(make: Any) -> None:
    env = EndAtGoal(RisingScore(make()), 0.5)
    env.reset(seed=0)
    escape = to_space(key("Escape"))
    assert env.step(escape)[2:4] == (False, False)
    assert env.step(escape)[2:4] == (True, False)
    invalid_goals: tuple[Any, ...] = (0, "1", None, True)
    for goal in invalid_goals:
        with pytest.raises(ConfigError, match="above 0"):
            EndAtGoal(make(), goal)


@pytest.mark.parametrize("reward", ["dense", "sparse"])
def test_document_episode_ends_at_the_goal_score(reward: str) -> None:
    env = EndAtGoal(gym.make("PPTArenaDoc-v0", task="meridian-hide-backup", reward=reward))
    env.reset(seed=0)
    hide = ToolCall.of("hide_slide", slide=272)
    _, reward_paid, terminated, truncated, info = env.step(json.dumps(hide.to_json()))
    assert (reward_paid, terminated, truncated, info["score"]) == (1.0, True, False, 1.0)
    assert info["command"]["tool"] == "done"
    env.close()


def env_near_goal(make: Any, **arguments: Any) -> EndAtGoal:
    """Return an environment that reaches its goal with Ctrl+I."""
    env = EndAtGoal(make(task="first-steps-italic-title-1", **arguments))
    _, info = env.reset(seed=0)
    title = next(node for node in info["a11y"]["nodes"] if node["name"] == "Title 1")
    env.step(to_space(click(title["element"])))
    return env


@pytest.mark.parametrize("reward", ["dense", "sparse"])
def test_goal_is_graded_as_a_finished_episode(make: Any, reward: str) -> None:
    env = env_near_goal(make, reward=reward)
    observation, reward_paid, terminated, truncated, info = env.step(to_space(key("ctrl+i")))
    assert (reward_paid, terminated, truncated, info["score"]) == (1.0, True, False, 1.0)
    assert env.observation_space.contains(observation)
    with pytest.raises(gym.error.ResetNeeded):
        env.unwrapped.step(done())


def test_goal_at_the_last_step_terminates(make: Any) -> None:
    env = env_near_goal(make, max_steps=2)
    assert env.step(to_space(key("ctrl+i")))[1:4] == (1.0, True, False)


@pytest.mark.slow
def test_machine_lost_in_the_final_grading_pays_nothing(make: Any) -> None:
    env = env_near_goal(make)
    step = env.env.step

    def lose_machine_at_done(action: Any) -> Any:
        if action["kind"] == to_space(done())["kind"]:
            env.unwrapped.machine.fail_next("lost")  # type: ignore[attr-defined]
        return step(action)

    env.env.step = lose_machine_at_done  # type: ignore[method-assign]
    _, reward_paid, terminated, truncated, info = env.step(to_space(key("ctrl+i")))
    assert (reward_paid, terminated, truncated) == (0.0, False, True)
    assert "MachineLostError" in info["infra_error"]


def test_lost_machine_is_not_a_goal(make: Any) -> None:
    rising = RisingScore(make())
    rising.lost, rising.score = True, 1.0
    env = EndAtGoal(rising)
    env.reset(seed=0)
    assert env.step(to_space(key("Escape")))[2] is False


def test_roles_limit_the_marks_that_can_be_clicked(make: Any) -> None:
    env = SomActions(make(), 64, ("click",), roles=("panel", "paragraph"))
    _, info = env.reset(seed=0)
    expected = {
        node["element"] - 1
        for node in info["a11y"]["nodes"]
        if node["element"] and node["role"] in ("panel", "paragraph")
    }
    assert expected
    assert set(np.flatnonzero(env.action_masks()[:64])) == {row for row in expected if row < 64}
    with pytest.raises(ConfigError, match="names of roles"):
        SomActions(make(), roles=("nothing",))


def test_recent_actions_are_observed(make: Any) -> None:
    env = RecentActions(SomActions(make(), 16, ("click", "move"), ("Escape",), done=False), 2)
    assert not env.reset(seed=0)[0]["recent"].any()
    assert env.step(17)[0]["recent"].tolist() == [[0, 1, 0], [0, 0, 0]]
    recent = env.step(32)[0]["recent"]
    assert recent.tolist() == [[0, 0, 1], [0, 1, 0]]
    assert env.step(0)[0]["recent"].tolist() == [[1, 0, 0], [0, 0, 1]]
    assert recent.tolist() == [[0, 0, 1], [0, 1, 0]], "an earlier observation was changed"
    assert (env.action_masks() == env.env.action_masks()).all()  # type: ignore[attr-defined]
    assert not env.reset(seed=0)[0]["recent"].any()
    with pytest.raises(ConfigError, match="expected SomActions"):
        RecentActions(make())


def test_quoted_texts_of_the_instruction_are_actions(make: Any) -> None:
    env = SomActions(make(), 4, ("click",), ("F2",), done=False, quotes=3)
    assert env.action_space.n == 4 + 1 + 3  # type: ignore[attr-defined]
    assert env.action_masks()[5:].tolist() == [False] * 3
    _, info = env.reset(options={"task": "meridian-retitle-products"})
    quoted = quoted_texts(info["instruction"], 3)
    assert quoted
    count = len(quoted)
    assert env.action_masks()[5:].tolist() == [k < count for k in range(3)]
    assert [env.to_action(5 + k) for k in range(count)] == [type_text(each) for each in quoted]
    assert env.to_number(type_text(quoted[0])) == 5
    assert RecentActions(env).observation_space["recent"].shape == (2, 1 + 1 + 3)  # type: ignore[index]
