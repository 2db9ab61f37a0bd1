"""Replays of episodes on a document."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from tests.rollouts.playing import play_into

from pptarena.envs.document import ToolCall
from pptarena.errors import StoreError
from pptarena.rollouts.env import make_document_env
from pptarena.rollouts.replay_document import replay_document
from pptarena.tasks import get_task

TASK = get_task("meridian-hide-backup")
CALLS = (
    ToolCall.of("read_slide", slide=272),
    ToolCall.of("hide_slide", slide=7),  # refused
    ToolCall.of("set_text", slide=256, shape=2, text="Other"),
    ToolCall.of("hide_slide", slide=272),
    ToolCall.of("done"),
)


class Script:
    def reset(self, info: Any, seed: int) -> None:
        self._calls = iter(CALLS)

    def act(self, observation: Any, info: Any) -> ToolCall:
        return next(self._calls)


@pytest.fixture(scope="module")
def env() -> Iterator[gym.Env[Any, Any]]:
    with closing(make_document_env(max_steps=10)) as env:
        yield env


@pytest.fixture
def episode(env: gym.Env[Any, Any], tmp_path: Path) -> Path:
    return play_into(tmp_path / "episode", env, Script(), TASK).folder


def change(folder: Path, line: int, **call: Any) -> None:
    """Change the recorded call of one step."""
    file = folder / "traj.jsonl"
    steps = [json.loads(each) for each in file.read_text().splitlines()]
    steps[line]["call"] |= call
    file.write_text("".join(json.dumps(each) + "\n" for each in steps))


def test_replay_is_identical(env: gym.Env[Any, Any], episode: Path) -> None:
    replay = replay_document(env, episode)
    assert replay.identical
    assert replay.same_score
    assert replay.first_difference == ""
    assert 0 < replay.score < 1


def test_first_different_result_is_reported(env: gym.Env[Any, Any], episode: Path) -> None:
    change(episode, 0, result="another slide")
    replay = replay_document(env, episode)
    assert replay.first_difference == "step 0: result"
    assert replay.same_score


def test_different_deck_is_reported(env: gym.Env[Any, Any], episode: Path) -> None:
    change(episode, 2, arguments={"slide": 256, "shape": 2, "text": "Else"})
    replay = replay_document(env, episode)
    assert replay.first_difference == "end: deck"
    assert not replay.identical


def test_different_score_is_reported(env: gym.Env[Any, Any], episode: Path) -> None:
    change(episode, 3, arguments={"slide": 271})
    assert replay_document(env, episode).first_difference == "step 3: score"


def test_calls_after_the_end_are_an_error(env: gym.Env[Any, Any], episode: Path) -> None:
    file = episode / "traj.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    extra = json.loads(lines[0]) | {"step": len(lines)}
    file.write_text("".join([*lines, json.dumps(extra) + "\n"]))
    with pytest.raises(StoreError, match="ended before call 5"):
        replay_document(env, episode)
