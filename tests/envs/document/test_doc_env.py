"""The environment around the tools: spaces, ends, rewards, checkpoints, several environments."""

import copy
import json
import re
from typing import Any

import gymnasium as gym
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from jsonschema import Draft202012Validator
from tests.each_case import each_case

from pptarena.envs.document import PPTArenaDocEnv, ToolCall
from pptarena.errors import ActionError, ConfigError
from pptarena.tasks import get_task
from pptarena.tasks.task import Task

HIDE = ToolCall.of("hide_slide", slide=272)
SHOW = ToolCall.of("hide_slide", slide=272, hidden=False)
TASK = "meridian-hide-backup"


@pytest.mark.parametrize("facts", [False, True])
def test_the_environment_is_one_of_gymnasium(task: Task, facts: bool) -> None:
    env = gym.make("pptarena:PPTArenaDoc-v0", task=task, facts=facts)
    check_env(env.unwrapped)
    env.close()


MODES: dict[str, dict[str, Any]] = {
    "default": {},
    "sync": {"vectorization_mode": "sync"},
    "async": {"vectorization_mode": "async"},
    "async-of-its-own": {
        "vectorization_mode": "async",
        "vector_kwargs": {"shared_memory": False},
    },
    "spawned": {"vectorization_mode": "async", "vector_kwargs": {"context": "spawn"}},
}


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("facts", [False, True])
def test_it_vectorises(mode: str, facts: bool) -> None:
    envs = gym.make_vec(
        "pptarena:PPTArenaDoc-v0", 2, **MODES[mode], task=TASK, judge=None, facts=facts
    )
    observations, infos = envs.reset(seed=0)
    assert observations in envs.observation_space
    assert observations["instruction"][0] == get_task(TASK).instruction
    assert "Backup" in observations["outline"][1]
    calls = tuple(json.dumps(each.to_json()) for each in (HIDE, SHOW))
    assert calls in envs.action_space
    after, rewards, _, _, infos = envs.step(calls)
    assert after in envs.observation_space
    assert rewards.tolist() == [1.0, 0.0]
    assert after["result"] == ("hidden", "shown")
    assert observations["result"][0] != "hidden"  # it is not the same memory
    assert ("facts" in infos) is facts
    if facts:
        assert ["hidden" in each[16] for each in infos["facts"]] == [True, False]
    envs.close()


@pytest.mark.slow
def test_texts_in_shared_memory_are_as_they_are_when_looked_at() -> None:
    envs = gym.make_vec(
        "PPTArenaDoc-v0", 2, "async", vector_kwargs={"copy": False}, task=TASK, judge=None
    )
    observations, _ = envs.reset(seed=0)
    before = copy.deepcopy(observations)
    envs.step(tuple(json.dumps(each.to_json()) for each in (HIDE, SHOW)))
    assert observations["result"][:] == ("hidden", "shown")
    assert len(observations["outline"]) == 2
    assert before["result"] == ("", "")
    envs.close()


@pytest.mark.parametrize(
    "action",
    [
        *("", "{", "[]", "null", '{"tool": 1}', '{"tool": "done", "arguments": []}'),
        *('{"tool": "done", "more": 1}', "[" * 100_000, " " * 300_000),
        *(None, 7, b"{}", {}, {"tool": "done", "arguments": {"x": object()}}),
        *({"tool": "done", "arguments": {"x": float("nan")}}, ActionError("it said nothing")),
        ToolCall.of("hide_slide", slide="x" * 600_000),
    ],
    ids=lambda action: repr(action)[:20],
)
def test_nonsense_is_a_refused_step(env: PPTArenaDocEnv, action: Any) -> None:
    _, reward, terminated, truncated, info = env.step(action)
    assert info["action_error"]
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert info["command"] == {}


def test_dense_reward_sums_up_to_the_score() -> None:
    env = PPTArenaDocEnv(task=TASK, judge=None)
    env.reset(seed=0)
    steps = [env.step(each) for each in (HIDE, SHOW, HIDE, {"tool": "done"})]
    assert [reward for _, reward, _, _, _ in steps] == [1.0, -1.0, 1.0, 0.0]
    assert [ended for _, _, ended, _, _ in steps] == [False, False, False, True]
    assert steps[-1][4]["score"] == 1.0
    assert steps[-1][4]["rubric"]["score"] == 1.0
    with pytest.raises(ResetNeeded):
        env.step(HIDE)
    env.close()


def test_sparse_reward_at_the_end_of_the_budget() -> None:
    env = PPTArenaDocEnv(
        task=TASK, reward="sparse", score_when="end", max_steps=2, judge=None, facts=True
    )
    env.reset(seed=0)
    _, reward, _, truncated, info = env.step(HIDE)
    assert (reward, truncated, info["score"]) == (0.0, False, 0.0)
    assert info["facts"][16]["hidden"] is True
    _, reward, _, truncated, _ = env.step("nonsense")
    assert (reward, truncated) == (1.0, True)
    env.close()


def test_fail_is_no_success_on_a_task_that_can_be_done() -> None:
    env = PPTArenaDocEnv(task=TASK, judge=None)
    env.reset(seed=0)
    _, reward, terminated, _, info = env.step(ToolCall.of("fail"))
    assert (reward, terminated, info["score"]) == (0.0, True, 0.0)
    env.close()


def test_going_back_and_forking_go_on_exactly(env: PPTArenaDocEnv) -> None:
    calls = [
        ToolCall.of("move_slide", slide=257, position=1),
        ToolCall.of("set_notes", slide=256, text="Hello"),
        ToolCall.of("duplicate_slide", slide=256),
    ]
    for call in calls[:2]:
        env.step(call)
    kept = env.checkpoint()
    after, _, _, _, info = env.step(calls[2])
    deck = env.deck_bytes()
    _, back = env.restore(kept)
    assert back["document"] == {"revision": 2, "slides": 2}
    for each in (env, *env.fork(2, kept)):
        again, _, _, _, now = each.step(calls[2])
        assert again == after
        assert each.deck_bytes() == deck
        assert now["score"] == info["score"]
    assert kept.steps == 2


def test_checkpoints_of_others_are_refused(env: PPTArenaDocEnv) -> None:
    with pytest.raises(ConfigError, match="expected a DocCheckpoint"):
        env.restore(object())  # type: ignore[arg-type]


@pytest.mark.slow
def test_tools_are_schemas(env: PPTArenaDocEnv) -> None:
    tools = env.tools()
    for tool in tools:
        Draft202012Validator.check_schema(tool["parameters"])
        described = tool["parameters"].get("properties", {}).values()
        assert tool["description"]
        assert all(each["description"] for each in described), tool["name"]
    assert len({tool["name"] for tool in tools}) == len(tools)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"tools": "edit"}, {"tools": ["mouse"]}, {"baseline": "x"}, {"score_when": "x"}),
        *({"render_mode": "human"}, {"reward": "x"}, {"max_steps": 0}, {"judge": 1}),
    ],
    ids=str,
)
def test_wrong_settings_are_refused(task: Task, wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        PPTArenaDocEnv(**{"task": task, **wrong})


@each_case(
    "wrong, message",
    [
        (
            {"tools": None},
            "tools: expected a sequence such as ('edit', 'program', 'xml'), got None",
        ),
        ({"tools": [3]}, "tools: expected names of families, got 3"),
        ({"tools": ["mouse"]}, "tools: expected some of edit, program, xml"),
        ({"tools": ["json:dumps"]}, "'json:dumps' is no ToolFamily: it has no attribute reading"),
        ({"tools": [":NAME"]}, "tools: cannot import ':NAME': expected 'package.module:NAME'"),
        ({"view": "outlin"}, "view: expected one of outline, compact, pptc"),
        ({"view": None}, "view: expected one of outline, compact, pptc"),
        ({"facts": "yes"}, "facts: expected one of (False, True), got 'yes'"),
        ({"max_step": 5}, "argument 'max_step' not found. Did you mean 'max_steps'?"),
        ({"machine": "fake"}, "PPTArenaDoc-v0 has no machine or screen"),
        ({"memory_limit_bytes": 2**30}, "PPTArenaDoc-v0 has no machine or screen"),
    ],
)
def test_a_wrong_setting_is_explained(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        gym.make("PPTArenaDoc-v0", **{"task": TASK, **wrong})


def test_families_left_out_are_not_there(task: Task) -> None:
    env = PPTArenaDocEnv(task=task, tools=["edit"], judge=None, render_mode="ansi")
    env.reset(seed=0)
    _, _, _, _, info = env.step(ToolCall.of("run_program", code="1"))
    assert "not found" in info["action_error"]
    assert "[2] title 'Tents'" in str(env.render())
    env.close()


@pytest.mark.parametrize(
    "arguments",
    [
        {"slide": 272, "shape": 2, "text": "a\ud842"},
        {"slide": 272, "shape": 2, "text": "\udfb7"},
        {"slide": 272, "sha\ud842pe": 2},
        {"slide": [{"deep": "\ud842"}]},
    ],
)
def test_half_a_surrogate_pair_is_refused(env: PPTArenaDocEnv, arguments: dict[str, Any]) -> None:
    env.reset(seed=0)
    for action in (
        ToolCall("set_text", arguments),
        json.dumps(ToolCall("set_text", arguments).to_json()),
    ):
        observation, _, _, _, info = env.step(action)
        assert "half of a surrogate pair" in info["action_error"]
        assert observation in env.observation_space
