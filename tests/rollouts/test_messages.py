"""Stored messages of a model, matched with the steps of their actions."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from pptarena.errors import StoreError
from pptarena.rollouts.episode import EpisodeMeta
from pptarena.rollouts.messages import read_messages, read_model
from pptarena.rollouts.store import read_steps
from pptarena.tasks import Task

Env = gym.Env[Any, Any]
Play = Callable[..., EpisodeMeta]
LINE: dict[str, Any] = {
    **{"shown": "", "thought": "", "text": "", "calls": [], "actions": [], "error": None},
    **{"input_tokens": 1, "output_tokens": 1},
}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch, server: Any) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", server.key)


@pytest.mark.slow
def test_messages_are_matched_with_their_steps(
    episode: Play, env: Env, task: Task, tmp_path: Path
) -> None:
    episode(env, "json", task, {1: {"text": "Let me think."}}, input_price_usd=1.0)
    folder = tmp_path / "json/good"
    steps, record = read_steps(folder), read_model(folder)
    messages = read_messages(folder, steps)
    assert record is not None
    assert (record.model, record.dialect, record.usage.requests) == ("m", "json", 4)
    assert record.cost_usd == pytest.approx(record.usage.input_tokens / 1e6)
    assert [(each.first, each.steps) for each in messages] == [(0, 1), (1, 1), (2, 1), (3, 1)]
    refused = [each.error is not None for each in messages]
    assert refused == [step.action_error is not None for step in steps] == [0, 1, 0, 0]

    # Actions after a refused one have no step.
    lines = [{**LINE, "actions": [{}] * 3}, {**LINE, "actions": [{}] * 5}, LINE]
    (folder / "messages.jsonl").write_text("\n".join(map(json.dumps, lines)))
    messages = read_messages(folder, steps)
    assert [(each.first, each.steps) for each in messages] == [(0, 2), (2, 2), (4, 0)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"text": 5}, "text: expected a text"),
        ({"calls": [{"name": "a"}]}, "arguments"),
        ({"input_tokens": -1}, "input_tokens: expected an integer"),
    ],
)
def test_malformed_line_is_rejected(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    (tmp_path / "messages.jsonl").write_text(json.dumps({**LINE, **change}))
    with pytest.raises(StoreError, match=f"messages.jsonl: not an answer .*{message}"):
        read_messages(tmp_path, ())


def test_episode_without_a_model(tmp_path: Path) -> None:
    assert read_model(tmp_path) is None
    assert read_messages(tmp_path, ()) == ()
    (tmp_path / "model.json").write_text('{"model": "m"}')
    with pytest.raises(StoreError, match=r"model\.json: .* missing: dialect"):
        read_model(tmp_path)
    (tmp_path / "model.json").unlink()
    (tmp_path / "model.json").symlink_to("/etc/hostname")
    with pytest.raises(StoreError):
        read_model(tmp_path)
