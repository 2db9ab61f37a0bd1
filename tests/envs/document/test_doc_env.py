"""The environment around the tools: spaces, termination, rewards, checkpoints and vectors."""

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
def test_gymnasium_checker_finds_no_fault(task: Task, facts: bool) -> None:
    env = gym.make("pptarena:PPTArenaDoc-v0", task=task, facts=facts)
    check_env(env.unwrapped)
    env.close()


MODES: dict[str, dict[str, Any]] = {
    "default": {},
    "sync": {"vectorization_mode": "sync"},
    "async": {"vectorization_mode": "async"},
    "async-unshared": {"vectorization_mode": "async", "vector_kwargs": {"shared_memory": False}},
    "spawned": {"vectorization_mode": "async", "vector_kwargs": {"context": "spawn"}},
}


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("facts", [False, True])
def test_vector_modes(mode: str, facts: bool) -> None:
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
    assert observations["result"][0] != "hidden"  # the memory is not shared
    assert ("facts" in infos) is facts
    if facts:
        assert ["hidden" in each[16] for each in infos["facts"]] == [True, False]
    envs.close()


@pytest.mark.slow
def test_texts_in_shared_memory_are_read_on_access() -> None:
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
        *({"tool": "done", "arguments": {"x": float("nan")}}, ActionError("no reply")),
        ToolCall.of("hide_slide", slide="x" * 600_000),
    ],
    ids=lambda action: repr(action)[:20],
)
def test_malformed_action_is_rejected(env: PPTArenaDocEnv, action: Any) -> None:
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


def test_fail_on_a_feasible_task_scores_zero() -> None:
    env = PPTArenaDocEnv(task=TASK, judge=None)
    env.reset(seed=0)
    _, reward, terminated, _, info = env.step(ToolCall.of("fail"))
    assert (reward, terminated, info["score"]) == (0.0, True, 0.0)
    env.close()


def test_restored_and_forked_episodes_continue_exactly(env: PPTArenaDocEnv) -> None:
    calls = [
        ToolCall.of("move_slide", slide=257, position=1),
        ToolCall.of("set_notes", slide=256, text="Hello"),
        ToolCall.of("duplicate_slide", slide=256),
    ]
    for call in calls[:2]:
        env.step(call)
    checkpoint = env.checkpoint()
    after, _, _, _, info = env.step(calls[2])
    deck = env.deck_bytes()
    _, restored = env.restore(checkpoint)
    assert restored["document"] == {"revision": 2, "slides": 2}
    for each in (env, *env.fork(2, checkpoint)):
        repeated, _, _, _, repeated_info = each.step(calls[2])
        assert repeated == after
        assert each.deck_bytes() == deck
        assert repeated_info["score"] == info["score"]
    assert checkpoint.steps == 2


def test_foreign_checkpoint_is_rejected(env: PPTArenaDocEnv) -> None:
    with pytest.raises(ConfigError, match="expected a DocCheckpoint"):
        env.restore(object())  # type: ignore[arg-type]


@pytest.mark.slow
def test_tools_have_valid_schemas(env: PPTArenaDocEnv) -> None:
    tools = env.tools()
    for tool in tools:
        Draft202012Validator.check_schema(tool["parameters"])
        described = tool["parameters"].get("properties", {}).values()
        assert tool["description"]
        assert all(each["description"] for each in described), tool["name"]
    assert len({tool["name"] for tool in tools}) == len(tools)


@each_case(
    "settings, message",
    [
        (
            {"tools": None},
            "tools: expected a sequence such as ('edit', 'program', 'xml'), got None",
        ),
        ({"tools": "edit"}, "tools: expected a sequence such as ('edit', 'program', 'xml')"),
        ({"tools": [3]}, "tools: expected names of families, got 3"),
        ({"tools": ["mouse"]}, "tools: expected some of edit, program, xml"),
        ({"tools": ["json:dumps"]}, "'json:dumps' is no ToolFamily: it lacks reading"),
        ({"tools": [":NAME"]}, "tools: cannot import ':NAME': expected 'package.module:NAME'"),
        ({"view": "outlin"}, "view: expected one of outline, compact, pptc"),
        ({"view": None}, "view: expected one of outline, compact, pptc"),
        ({"facts": "yes"}, "facts: expected one of (False, True), got 'yes'"),
        ({"baseline": "x"}, "baseline: expected one of ('document', 'application'), got 'x'"),
        ({"score_when": "x"}, "score_when: expected one of ('change', 'end'), got 'x'"),
        ({"render_mode": "human"}, "expected one of (None, 'ansi'), got 'human'; the document"),
        ({"reward": "x"}, "expected reward to be one of dense, sparse, got 'x'"),
        ({"max_steps": 0}, "expected max_steps to be between 1 and 1000000, got 0"),
        ({"judge": 1}, "judge: expected a JudgeConfig, 'environment' or None, got 1"),
        ({"max_step": 5}, "argument 'max_step' not found. Did you mean 'max_steps'?"),
        ({"machine": "fake"}, "PPTArenaDoc-v0 has no machine or screen"),
        ({"memory_limit_bytes": 2**30}, "PPTArenaDoc-v0 has no machine or screen"),
    ],
)
def test_invalid_settings_are_rejected(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        PPTArenaDocEnv(**{"task": TASK, **settings})


def test_tools_of_excluded_families_are_not_found(task: Task) -> None:
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
def test_unpaired_surrogate_is_rejected(env: PPTArenaDocEnv, arguments: dict[str, Any]) -> None:
    env.reset(seed=0)
    for action in (
        ToolCall("set_text", arguments),
        json.dumps(ToolCall("set_text", arguments).to_json()),
    ):
        observation, _, _, _, info = env.step(action)
        assert "half of a surrogate pair" in info["action_error"]
        assert observation in env.observation_space
