import json
import pickle
import re
import warnings
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from tests.each_case import each_case
from tests.envs.title_steps import element

from pptarena.envs import PPTArenaEnv
from pptarena.envs.actions import Action, click, done, fail, key, to_space, type_text, wait
from pptarena.errors import ConfigError, DeckError, UnknownTaskError
from pptarena.tasks import Task, list_tasks

INFO_KEYS = {
    "task_id", "instruction", "wording", "score", "rubric", "a11y", "observation_id",
    "window_titles", "clipboard", "document", "timing", "command", "infra_error", "overload",
    "action_error", "steps_left",
}  # fmt: skip
Step = tuple[dict[str, Any], float, bool, bool, dict[str, Any]]


def make_title_bold(env: PPTArenaEnv, info: dict[str, Any]) -> Step:
    info = env.step(click(element(info, "Harvest")))[4]
    return env.step(click(element(info, "Bold")))


@pytest.fixture
def env(bold_task: Task) -> PPTArenaEnv:
    return PPTArenaEnv(task=bold_task, machine="fake")


@pytest.mark.slow
def test_gymnasium_checker_raises_no_warning() -> None:
    env = gym.make("PPTArena-v0", machine="fake", width_px=640, height_px=360)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


def test_constructor_starts_nothing(env: PPTArenaEnv) -> None:
    assert env.task is None
    with pytest.raises(ResetNeeded):
        env.render()
    with pytest.raises(ResetNeeded):
        env.step(done())
    env.close()
    env.close()


def test_reset_opens_the_deck(env: PPTArenaEnv, bold_task: Task) -> None:
    obs, info = env.reset(seed=3)
    assert obs in env.observation_space
    assert set(info) == INFO_KEYS
    assert obs["instruction"] == info["instruction"] == bold_task.instruction
    assert (info["task_id"], info["score"]) == (bold_task.id, 0.0)
    assert info["rubric"]["score"] == 0.0
    assert info["infra_error"] is None
    assert info["action_error"] is None
    assert obs["element_count"] == max(node["element"] for node in info["a11y"]["nodes"])
    assert env.task is bold_task
    assert info["document"]["slide"] == 1
    assert info["document"]["slide_count"] == 3
    json.dumps(info)


def test_dense_rewards_add_up_to_the_final_score(env: PPTArenaEnv) -> None:
    _, info = env.reset(seed=0)
    rewards = [env.step(wait())[1]]
    _, reward, terminated, truncated, info = make_title_bold(env, info)
    assert (reward, terminated, truncated, info["score"]) == (1.0, False, False, 1.0)
    rewards.append(reward)
    rewards.append(env.step(key("ctrl+z"))[1])
    assert rewards[-1] == -1.0
    rewards.append(env.step(key("ctrl+y"))[1])
    _, reward, terminated, truncated, info = env.step(done())
    assert (reward, terminated, truncated, info["score"]) == (0.0, True, False, 1.0)
    assert sum(rewards) + reward == info["score"]
    with pytest.raises(ResetNeeded):
        env.step(done())


def test_sparse_reward_is_paid_in_the_last_step(bold_task: Task) -> None:
    env = PPTArenaEnv(task=bold_task, machine="fake", reward="sparse")
    _, info = env.reset(seed=0)
    _, reward, _, _, info = make_title_bold(env, info)
    assert (reward, info["score"]) == (0.0, 1.0)
    assert env.step(done())[1:4] == (1.0, True, False)


def test_step_budget_truncates_and_scores(bold_task: Task) -> None:
    env = PPTArenaEnv(task=bold_task, machine="fake", reward="sparse", max_steps=2)
    _, info = env.reset(seed=0)
    _, reward, terminated, truncated, _ = make_title_bold(env, info)
    assert (reward, terminated, truncated) == (1.0, False, True)


def test_task_sets_the_default_step_budget(env: PPTArenaEnv, bold_task: Task) -> None:
    env.reset(seed=0)
    truncations = [env.step(wait(0))[3] for _ in range(bold_task.max_steps)]
    assert truncations == [False] * (bold_task.max_steps - 1) + [True]


def test_open_edit_is_scored_only_at_the_end(retitle_task: Task) -> None:
    env = PPTArenaEnv(task=retitle_task, machine="fake")
    _, info = env.reset(seed=0)
    info = env.step(Action("triple_click", element=element(info, "Harvest")))[4]
    _, reward, _, _, info = env.step(type_text("Summer"))
    assert (reward, info["timing"]["save"], info["timing"]["score"]) == (0.0, 0.0, 0.0)
    _, reward, terminated, _, info = env.step(done())
    assert (reward, terminated, info["score"]) == (1.0, True, 1.0)
    assert info["timing"]["save"] > 0


def test_unchanged_document_is_not_scored(env: PPTArenaEnv) -> None:
    env.reset(seed=0)
    timing = env.step(key("Page_Down"))[4]["timing"]
    assert (timing["save"], timing["score"]) == (0.0, 0.0)
    assert timing["total"] > 0
    assert set(timing) == {
        "action", "settle", "screenshot", "tree", "save", "score", "total", "settled_by"
    }  # fmt: skip


def test_score_when_end_saves_once(bold_task: Task) -> None:
    env = PPTArenaEnv(task=bold_task, machine="fake", score_when="end")
    _, info = env.reset(seed=0)
    _, reward, _, _, info = make_title_bold(env, info)
    assert (reward, info["score"], info["timing"]["save"]) == (0.0, 0.0, 0.0)
    _, reward, _, _, info = env.step(done())
    assert (reward, info["score"]) == (1.0, 1.0)
    with pytest.raises(ConfigError, match="score_when"):
        PPTArenaEnv(task=bold_task, machine="fake", score_when="never")


def test_fail_on_an_infeasible_task_scores_one(infeasible_task: Task) -> None:
    env = PPTArenaEnv(task=infeasible_task, machine="fake")
    _, info = env.reset(seed=0)
    assert info["score"] == 0.0
    _, reward, terminated, truncated, info = env.step(fail())
    assert (reward, terminated, truncated, info["score"]) == (1.0, True, False, 1.0)
    assert info["rubric"]["score"] == 1.0
    env.reset(seed=0)
    assert env.step(done())[1:3] == (0.0, True)


def test_fail_on_an_infeasible_task_requires_an_intact_deck(infeasible_task: Task) -> None:
    env = PPTArenaEnv(task=infeasible_task, machine="fake", max_steps=9)
    _, info = env.reset(seed=0)
    _, reward, _, _, info = make_title_bold(env, info)
    assert (reward, info["score"]) == (0.0, 0.0)
    _, reward, _, _, info = env.step(fail())
    assert reward == info["score"] == info["rubric"]["score"] == 0.0, "damage pays nothing"
    assert "bold" in info["rubric"]["reason"]
    _, info = env.reset(seed=0)
    make_title_bold(env, info)
    env.step(key("ctrl+z"))
    assert env.step(fail())[1] == 1.0, "undone edits are no damage"


def test_fail_after_adding_slides_earns_nothing(infeasible_task: Task) -> None:
    env = PPTArenaEnv(task=infeasible_task, machine="fake", max_steps=9)
    env.reset(seed=0)
    for _ in range(3):
        env.step(key("ctrl+m"))
    assert env.step(fail())[1] == 0.0


def test_fail_on_a_feasible_task_keeps_the_score(env: PPTArenaEnv) -> None:
    env.reset(seed=0)
    _, reward, terminated, _, info = env.step(fail())
    assert (reward, terminated, info["score"]) == (0.0, True, 0.0)
    _, info = env.reset(seed=0)
    make_title_bold(env, info)
    _, reward, terminated, _, info = env.step(fail())
    assert (reward, terminated, info["score"]) == (0.0, True, 1.0)


@pytest.mark.slow
@each_case(
    "action, message",
    [
        (click(element=200), "expected an element from 1 to"),
        (click(element=999), "expected an element from 1 to .* of the last observation, got 999"),
        (Action("drag", element=-1, end_xy=(0.0, 0.0)), "expected an element from 1 to"),
        ({"element": 3}, "missing key `kind`"),
        ({"knd": "click"}, "missing key `kind`"),
        ({}, "missing key `kind`"),
        ({"kind": 1, "elemnt": 3}, "missing `element`.*unknown `elemnt`"),
        (click(xy=(2.0, 0.0)), "expected xy to lie in"),
        (key("ctrl+nokey"), "unknown key 'nokey'"),
        (Action("done", observation_id=77), "stale: .* observation 77, the last one is 1"),
        (Action("ask"), "expected a question"),
        (Action("open_program", text="solitaire"), "solitaire"),
        ({"kind": 1}, "expected an Action or a dict"),
    ],
)
def test_invalid_action_does_nothing_and_uses_a_step(
    bold_task: Task, action: Any, message: str
) -> None:
    env = PPTArenaEnv(task=bold_task, machine="fake", max_steps=2)
    before, first = env.reset(seed=0)
    after, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert re.search(message, info["action_error"])
    assert info["infra_error"] is None
    assert info["observation_id"] == first["observation_id"]
    assert np.array_equal(after["screenshot"], before["screenshot"])
    assert not np.shares_memory(after["screenshot"], before["screenshot"])
    assert env.step(action)[3], "the step did not count"


def test_observation_ids_grow_across_episodes(env: PPTArenaEnv) -> None:
    ids = [env.reset(seed=0)[1]["observation_id"]]
    ids.append(env.step(Action("wait", amount=0, observation_id=ids[-1]))[4]["observation_id"])
    ids.append(env.reset()[1]["observation_id"])
    assert ids == [1, 2, 3]
    assert "stale" in env.step(Action("wait", observation_id=2))[4]["action_error"]


def test_space_action_equals_plain_action(env: PPTArenaEnv) -> None:
    _, info = env.reset(seed=0)
    action = click(element(info, "Harvest"))
    first = env.step(action)[0]
    env.reset(seed=0)
    second = env.step(to_space(action))[0]
    assert np.array_equal(first["screenshot"], second["screenshot"])


def rollout(seed: int) -> list[Any]:
    env = gym.make("PPTArena-v0", machine="fake", max_steps=40, width_px=640, height_px=360)
    obs, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    trace: list[Any] = [(obs, info)]
    ended = False
    while not ended:
        obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
        trace.append((obs, reward, terminated, truncated, info))
        ended = terminated or truncated
    env.close()
    for entry in trace:
        del entry[-1]["timing"]
    return trace


@pytest.mark.slow
def test_equal_seeds_give_equal_rollouts() -> None:
    for first, second in zip(rollout(5), rollout(5), strict=True):
        for name, value in first[0].items():
            assert np.array_equal(value, second[0][name]), name
        assert first[1:] == second[1:]


@pytest.mark.slow
def test_seed_selects_the_task() -> None:
    env = PPTArenaEnv(machine="fake")
    task_ids = [env.reset(seed=seed)[1]["task_id"] for seed in (1, 2, 3, 4, 5, 1)]
    assert task_ids[0] == task_ids[-1]
    assert len(set(task_ids)) > 1


@pytest.mark.slow
def test_reset_options_select_the_task(bold_task: Task, retitle_task: Task) -> None:
    env = PPTArenaEnv(task=bold_task, machine="fake")
    assert env.reset(options={"task": retitle_task})[1]["task_id"] == retitle_task.id
    assert env.reset()[1]["task_id"] == bold_task.id
    starter_ids = [task.id for task in list_tasks("starter")]
    for name in ("task", "task_id"):
        assert env.reset(options={name: starter_ids[0]})[1]["task_id"] == starter_ids[0]
    with pytest.raises(UnknownTaskError):
        env.reset(options={"task": "no-such-task"})
    with pytest.raises(ConfigError, match=r"reset option 'taks' not found\. Did you mean 'task'"):
        env.reset(options={"taks": starter_ids[0]})


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"task": "no-such-task"}, UnknownTaskError, "no-such-task"),
        ({"machine": 5}, ConfigError, "machine 5 not found"),
        ({"machine": "docker"}, ConfigError, "machine 'docker' not found"),
        ({"reward": "shaped"}, ConfigError, "expected reward to be one of"),
        ({"render_mode": "svg"}, ConfigError, "expected render_mode to be one of"),
        ({"width_px": 1}, ConfigError, "expected width_px"),
        ({"max_steps": 0}, ConfigError, "expected max_steps"),
        (
            {"settle_sec": 1},
            ConfigError,
            "argument 'settle_sec' not found. Did you mean 'settle_cap_sec'",
        ),
    ],
)
def test_invalid_arguments_are_named(
    options: dict[str, Any], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        PPTArenaEnv(**{"machine": "fake", **options})


def test_machine_options_reach_the_machine(bold_task: Task) -> None:
    env = PPTArenaEnv(task=bold_task, machine="fake", max_nodes=7)
    _, info = env.reset(seed=0)
    assert len(info["a11y"]["nodes"]) == 7
    assert info["a11y"]["degraded"] is True


def test_damaged_deck_raises_deck_error(broken_task: Task) -> None:
    env = PPTArenaEnv(task=broken_task, machine="fake")
    with pytest.raises(DeckError):
        env.reset(seed=0)


def test_environment_survives_pickling(env: PPTArenaEnv) -> None:
    copy = pickle.loads(pickle.dumps(PPTArenaEnv(machine="fake", width_px=640, height_px=360)))
    assert copy.config == PPTArenaEnv(machine="fake", width_px=640, height_px=360).config
    assert copy.reset(seed=0)[0]["screenshot"].shape == (360, 640, 3)
