"""Judged leaves in episodes, with a real HTTP server as the model."""

import dataclasses
import io
import pickle
from typing import Any

import pytest
from PIL import Image
from tests.envs.title_steps import select_title

from pptarena.envs import PPTArenaEnv
from pptarena.envs.actions import done, key
from pptarena.errors import ConfigError
from pptarena.rewards import load_rubric, read_deck
from pptarena.rewards.judges import JudgeConfig
from pptarena.tasks import Task


@pytest.fixture
def config(server: Any) -> JudgeConfig:
    return JudgeConfig(model="m", base_url=server.url, cache=False, backoff_sec=0.01)


class UniformRenderer:
    """Renders every slide as the same image."""

    def render(self, deck: bytes) -> tuple[bytes, ...]:
        out = io.BytesIO()
        Image.new("RGB", (64, 36)).save(out, "PNG")
        return (out.getvalue(),) * len(read_deck(deck).slides)


def make_title_bold(env: PPTArenaEnv) -> tuple[float, dict[str, Any]]:
    """Return reward and info of the step that makes the title bold."""
    select_title(env)
    reward, info = env.step(key("ctrl+b"))[1::3]
    return reward, info


def test_judge_is_called_only_in_the_last_step(
    server: Any, config: JudgeConfig, judged_task: Task
) -> None:
    server.default = '{"score": 0.5, "reason": "half friendly"}'
    env = PPTArenaEnv(task=judged_task, machine="fake", judge=config)
    reward, info = make_title_bold(env)
    assert (reward, server.requests, info["rubric"]["judged_share"]) == (1.0, [], 0.5)
    _, last, _, _, info = env.step(done())
    assert len(server.requests) == 1
    assert (reward + last, info["score"]) == (0.75, 0.75)
    assert info["rubric"]["children"][1]["reason"] == "half friendly"
    assert "judged_share" not in info["rubric"]
    env.close()


def test_judge_when_change_calls_the_judge_after_every_change(
    server: Any, config: JudgeConfig, judged_task: Task
) -> None:
    env = PPTArenaEnv(task=judged_task, machine="fake", judge=config, judge_when="change")
    assert make_title_bold(env)[1]["score"] == 1.0
    assert len(server.requests) == 1
    assert env.step(done())[4]["score"] == 1.0
    assert len(server.requests) == 1, "an unchanged document is not judged again"
    env.close()


def test_failing_judge_leaves_its_leaf_unscored(
    server: Any, config: JudgeConfig, judged_task: Task
) -> None:
    server.default = {"status": 400, "text": "no"}
    env = PPTArenaEnv(task=judged_task, machine="fake", judge=config)
    make_title_bold(env)
    info = env.step(done())[4]
    assert (info["infra_error"], info["rubric"]["judged_share"]) == (None, 0.5)
    assert info["rubric"]["children"][1]["score"] is None
    env.close()


def test_edit_judge_scores_an_episode(
    server: Any, config: JudgeConfig, judged_task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaf = {"name": "edit", "check": "edit_judge", "args": {"instruction": "Make it bold."}}
    rubric = load_rubric({"version": 1, "root": leaf})
    task = dataclasses.replace(judged_task, rubric=rubric)
    server.default = '{"score": 4, "reason": "nearly"}'
    monkeypatch.setattr("pptarena.envs.judging.office_renderer", UniformRenderer)
    env = PPTArenaEnv(task=task, machine="fake", judge=config)
    make_title_bold(env)
    info = env.step(done())[4]
    assert (info["score"], info["rubric"]["score"]) == (0.8, 0.8)
    assert info["rubric"]["reason"] == "instruction 4 of 5: nearly", "the slides look the same"
    env.close()


@pytest.mark.slow
def test_judge_is_configured_by_environment_variables(
    server: Any, monkeypatch: pytest.MonkeyPatch, judged_task: Task, tmp_path: Any
) -> None:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path))
    monkeypatch.setenv("PPTARENA_JUDGE_MODEL", "m")
    monkeypatch.setenv("PPTARENA_JUDGE_URL", server.url)
    env = PPTArenaEnv(task=judged_task, machine="fake")
    assert env.config.judge is not None
    twin = pickle.loads(pickle.dumps(env))
    make_title_bold(twin)
    twin.step(done())
    assert len(server.requests) == 1
    for each in (env, twin):
        each.close()
    none = PPTArenaEnv(task=judged_task, machine="fake", judge=None)
    make_title_bold(none)
    assert none.step(done())[4]["rubric"]["judged_share"] == 0.5
    none.close()


@pytest.mark.parametrize("wrong", [{"judge": "gpt"}, {"judge": 1}, {"judge_when": "never"}])
def test_invalid_judge_settings_are_rejected(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="judge"):
        PPTArenaEnv(machine="fake", **wrong)
