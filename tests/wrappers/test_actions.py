"""Wrappers of the action space: numbers and actions, there and back, and masks."""

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


def test_every_number_stands_for_one_action_and_back(make: Any) -> None:
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
def test_the_mask_says_exactly_what_can_be_carried_out(make: Any) -> None:
    env = SomActions(make(max_steps=1000), 64, ("move",), ("Escape",), done=False)
    observation, _ = env.reset(seed=0)
    for _ in range(2):
        mask = env.action_masks()
        assert mask.dtype == np.bool_
        assert mask.sum() == observation["element_count"] + 1
        for number, allowed in enumerate(mask):
            if number == 64:
                continue  # the key changes what can be aimed at
            info = env.step(number)[4]
            assert (info["action_error"] is None) == allowed, number
        observation = env.step(64)[0]


def test_masks_follow_the_screen(make: Any) -> None:
    env = SomActions(make(), 64)
    assert not env.action_masks()[:64].any(), "before the first reset nothing is on the screen"
    first, _ = env.reset(seed=0)
    before = int(env.action_masks()[:64].sum())
    assert before == min(64, first["element_count"])
    after = env.step(env.to_number(key("ctrl+a")))[0]
    assert env.action_masks()[:64].sum() == min(64, after["element_count"])


def test_a_cell_is_clicked_in_its_middle(make: Any) -> None:
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
def test_wrong_settings_are_refused(
    arguments: dict[str, Any], error: type[Exception], make: Any
) -> None:
    with pytest.raises(error, match="expected"):
        SomActions(make(), **arguments)


@pytest.mark.parametrize("wrap", [SomActions, GridActions])
def test_every_key_is_one_that_can_be_pressed(wrap: Any, make: Any) -> None:
    with pytest.raises(ActionError, match="ctrl\\+zzz"):
        wrap(make(), keys=("ctrl+a", "ctrl+zzz"))


@pytest.mark.parametrize("inner", [SomActions, GridActions])
@pytest.mark.parametrize("outer", [SomActions, GridActions, EndAtGoal])
def test_the_action_space_is_replaced_once_and_last(inner: Any, outer: Any, make: Any) -> None:
    with pytest.raises(ConfigError, match="the order of wrappers may be wrong"):
        outer(inner(make()))


def test_marks_need_a_table(make: Any) -> None:
    with pytest.raises(ConfigError, match="element_count"):
        SomActions(DropParts(make(), ["element_count"]))


class Climbing(gym.Wrapper[Any, Any, Any, Any]):
    """Its score grows by a quarter a step."""

    score = 0.0
    lost = False

    def step(self, action: Any) -> Any:
        observation, reward, terminated, truncated, info = self.env.step(action)
        self.score += 0.25
        error = "lost" if self.lost else None
        return (
            observation,
            reward,
            terminated,
            truncated,
            {
                **info,
                "score": self.score,
                "infra_error": error,
            },
        )


def test_an_episode_ends_at_its_goal(make: Any) -> None:
    env = EndAtGoal(Climbing(make()), 0.5)
    env.reset(seed=0)
    escape = to_space(key("Escape"))
    assert env.step(escape)[2:4] == (False, False)
    assert env.step(escape)[2:4] == (True, False)
    refused: tuple[Any, ...] = (0, "1", None, True)
    for wrong in refused:
        with pytest.raises(ConfigError, match="above 0"):
            EndAtGoal(make(), wrong)


@pytest.mark.parametrize("reward", ["dense", "sparse"])
def test_an_episode_on_a_document_ends_at_its_goal(reward: str) -> None:
    env = EndAtGoal(gym.make("PPTArenaDoc-v0", task="meridian-hide-backup", reward=reward))
    env.reset(seed=0)
    hide = ToolCall.of("hide_slide", slide=272)
    _, paid, terminated, truncated, info = env.step(json.dumps(hide.to_json()))
    assert (paid, terminated, truncated, info["score"]) == (1.0, True, False, 1.0)
    assert info["command"]["tool"] == "done"
    env.close()


def near_the_goal(make: Any, **arguments: Any) -> EndAtGoal:
    """Return an environment whose goal is one ctrl+i away."""
    env = EndAtGoal(make(task="first-steps-italic-title-1", **arguments))
    _, info = env.reset(seed=0)
    title = next(node for node in info["a11y"]["nodes"] if node["name"] == "Title 1")
    env.step(to_space(click(title["element"])))
    return env


@pytest.mark.parametrize("reward", ["dense", "sparse"])
def test_the_goal_is_graded_for_good(make: Any, reward: str) -> None:
    env = near_the_goal(make, reward=reward)
    observation, paid, terminated, truncated, info = env.step(to_space(key("ctrl+i")))
    assert (paid, terminated, truncated, info["score"]) == (1.0, True, False, 1.0)
    assert env.observation_space.contains(observation)
    with pytest.raises(gym.error.ResetNeeded):
        env.unwrapped.step(done())


def test_the_budget_may_end_with_the_goal(make: Any) -> None:
    env = near_the_goal(make, max_steps=2)
    assert env.step(to_space(key("ctrl+i")))[1:4] == (1.0, True, False)


@pytest.mark.slow
def test_a_machine_lost_in_the_final_grading_pays_nothing(make: Any) -> None:
    env = near_the_goal(make)
    step = env.env.step

    def lose_then(action: Any) -> Any:
        if action["kind"] == to_space(done())["kind"]:
            env.unwrapped.machine.fail_next("lost")  # type: ignore[attr-defined]
        return step(action)

    env.env.step = lose_then  # type: ignore[method-assign]
    _, paid, terminated, truncated, info = env.step(to_space(key("ctrl+i")))
    assert (paid, terminated, truncated) == (0.0, False, True)
    assert "MachineLostError" in info["infra_error"]


def test_a_lost_machine_is_no_goal(make: Any) -> None:
    climbing = Climbing(make())
    climbing.lost, climbing.score = True, 1.0
    env = EndAtGoal(climbing)
    env.reset(seed=0)
    assert env.step(to_space(key("Escape")))[2] is False


def test_marks_of_other_roles_are_masked_out(make: Any) -> None:
    env = SomActions(make(), 64, ("click",), roles=("panel", "paragraph"))
    _, info = env.reset(seed=0)
    wanted = {
        node["element"] - 1
        for node in info["a11y"]["nodes"]
        if node["element"] and node["role"] in ("panel", "paragraph")
    }
    assert wanted
    assert set(np.flatnonzero(env.action_masks()[:64])) == {row for row in wanted if row < 64}
    with pytest.raises(ConfigError, match="names of roles"):
        SomActions(make(), roles=("nothing",))


def test_the_last_actions_are_seen(make: Any) -> None:
    env = RecentActions(SomActions(make(), 16, ("click", "move"), ("Escape",), done=False), 2)
    assert not env.reset(seed=0)[0]["recent"].any()
    assert env.step(17)[0]["recent"].tolist() == [[0, 1, 0], [0, 0, 0]]
    seen = env.step(32)[0]["recent"]
    assert seen.tolist() == [[0, 0, 1], [0, 1, 0]]
    assert env.step(0)[0]["recent"].tolist() == [[1, 0, 0], [0, 0, 1]]
    assert seen.tolist() == [[0, 0, 1], [0, 1, 0]], "an earlier observation was changed"
    assert (env.action_masks() == env.env.action_masks()).all()  # type: ignore[attr-defined]
    assert not env.reset(seed=0)[0]["recent"].any()
    with pytest.raises(ConfigError, match="expected SomActions"):
        RecentActions(make())


def test_quoted_texts_of_the_instruction_can_be_typed(make: Any) -> None:
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
