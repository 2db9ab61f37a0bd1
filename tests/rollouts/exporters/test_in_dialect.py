"""An episode in a dialect is what a model of this dialect would have been told and would say."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pptarena.agents.dialects import Call, Dialect, Reply, Screen, get_dialect
from pptarena.agents.model import ModelAgent, ModelSettings
from pptarena.envs.actions import Action
from pptarena.errors import ConfigError, StoreError
from pptarena.rollouts.env import make_env
from pptarena.rollouts.exporters import SourceEpisode, episodes_of, why_not_in
from pptarena.rollouts.exporters.conversation import Conversation, conversation
from pptarena.rollouts.exporters.in_dialect import conversation_in, stored_sources
from pptarena.rollouts.run import Job, run_job
from pptarena.tasks import get_task

pytestmark = pytest.mark.slow

SIZE = (640, 360)
SCRIPT = (
    {"kind": "click", "element": 3},
    {"kind": "click", "element": 250},
    {"kind": "key", "keys": "ctrl+a"},
    {"kind": "type", "text": "caf\u00e9"},
    {"kind": "done"},
)


@pytest.fixture
def played(server: Any, tmp_path: Path) -> Callable[..., SourceEpisode]:
    """Return a function that lets a model of the dialect json play, and returns the episode."""

    def run(*script: dict[str, Any], see: str = "") -> SourceEpisode:
        server.script = [json.dumps(each) for each in script]
        given = ModelSettings(model="m", dialect="json", base_url=server.url, see=see)
        env = make_env("fake", width_px=SIZE[0], height_px=SIZE[1], max_steps=len(script))
        with closing(env), closing(ModelAgent(given)) as agent:
            job = Job("m", get_task("meridian-hide-backup"), 0)
            run_job(job, env, agent, tmp_path / "run", 0)
        (episode,) = episodes_of(tmp_path / "run")
        return episode

    return run


def _said(found: Conversation, role: str) -> list[dict[str, Any]]:
    return [each for each in found.messages if each["role"] == role]


def _text(message: dict[str, Any]) -> str:
    return "".join(part["text"] or "" for part in message["content"])


def _parsed(dialect: Dialect, message: dict[str, Any], screen: Screen) -> Action:
    calls = tuple(
        Call(each["function"]["name"], json.loads(each["function"]["arguments"]))
        for each in message["tool_calls"] or ()
    )
    (action,) = dialect.parse(Reply(_text(message), calls), screen)
    return action


@pytest.mark.parametrize(
    "see", ["", "elements-short,window,slide,actions,clipboard,budget,windows"]
)
def test_in_the_dialect_that_was_played_it_is_the_conversation(
    see: str, played: Callable[..., SourceEpisode]
) -> None:
    copied = {"kind": "copy_text", "text": "caf\u00e9"}
    episode = played(SCRIPT[0], copied, *SCRIPT[2:], see=see)
    stored, found = conversation(episode), conversation_in(get_dialect("json"), episode, see)
    assert found.messages[0] == stored.messages[0]
    assert len(found.messages) == len(stored.messages) == 11
    shown = [_text(each) for each in _said(stored, "user")]
    assert [_text(each) for each in _said(found, "user")] == shown
    assert ", slide 1 of 17" in shown[0]
    if see:
        assert 'clipboard: "caf\u00e9"' in shown[2]
        assert '- {"kind": "key", "amount": 1, "keys": "Control_L+a"}' in shown[3]


@pytest.mark.parametrize("name", ["uitars-1.5", "qwen3-vl", "anthropic-20250124", "osworld-som"])
def test_answers_mean_the_recorded_actions(name: str, played: Callable[..., SourceEpisode]) -> None:
    episode, dialect = played(*SCRIPT[:1], *SCRIPT[2:]), get_dialect(name)
    assert why_not_in(dialect, episode) == ""
    found = conversation_in(dialect, episode)
    assert _text(found.messages[0]) == (f"{dialect.prompt()}\n\nTask: {episode.meta.instruction}")
    assert len(found.images) == len(episode.steps)
    for index, message in enumerate(_said(found, "assistant")):
        centres = [
            ((x0 + x1) / 2, (y0 + y1) / 2)
            for x0, y0, x1, y1, *_ in episode.elements(index).features
        ]
        screen = Screen(dialect.picture_size(SIZE), centres)
        action, stored = _parsed(dialect, message, screen), episode.steps[index]
        recorded = stored.action
        assert (action.kind, action.keys, action.text) == (
            recorded.kind,
            recorded.keys,
            recorded.text,
        )
        if stored.aim.point is not None:
            pixel = np.array(screen.target(action)) * SIZE
            assert np.abs(pixel - stored.aim.point - 0.5).max() <= 1.5


def test_what_cannot_be_written_is_named(played: Callable[..., SourceEpisode]) -> None:
    episode, dialect = played(*SCRIPT), get_dialect("uitars-1.5")
    assert why_not_in(dialect, episode).startswith("step 1: ")
    with pytest.raises(StoreError, match=r"step 1 cannot be written in uitars-1\.5"):
        conversation_in(dialect, episode)


@pytest.mark.parametrize("name", ["uitars-1.5", "qwen3-vl"])
def test_an_answer_that_was_no_action_is_not_written_as_one(
    name: str, played: Callable[..., SourceEpisode]
) -> None:
    episode = played({"kind": "nonsense"}, SCRIPT[-1])
    reason = why_not_in(get_dialect(name), episode)
    assert reason == "step 0: the answer that was recorded is no action"


def test_what_the_model_sees_can_be_chosen(played: Any) -> None:
    episode, dialect = played(*SCRIPT[:1], *SCRIPT[2:]), get_dialect("json")
    see = stored_sources("window,elements-short,budget")
    assert why_not_in(dialect, episode, see) == ""
    found = conversation_in(dialect, episode, see)
    shown = _text(found.messages[1])
    assert f"steps left: {episode.meta.max_steps}" in shown
    assert "\nbutton Undo [1]\n" in shown
    assert not found.images
    with pytest.raises(ConfigError, match="see: clipboard-picture: episodes do not store this"):
        stored_sources("clipboard-picture,elements-short,slide")


@pytest.mark.parametrize(
    ("source", "name"),
    [("slide", "slide_count"), ("clipboard", "clipboard"), ("actions", "command")],
)
def test_what_older_episodes_lack_is_named(source: str, name: str, played: Any) -> None:
    episode, dialect = played(*SCRIPT[:1], *SCRIPT[2:]), get_dialect("json")
    path = episode.folder / "traj.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    older = [{key: each for key, each in line.items() if key != name} for line in lines]
    path.write_text("".join(json.dumps(line) + "\n" for line in older))
    (episode,) = episodes_of(episode.folder)
    see = f"{source},elements-short"
    assert why_not_in(dialect, episode, see).endswith(f"did not store the source {source}")
    with pytest.raises(StoreError, match=f"did not store the source {source}"):
        conversation_in(dialect, episode, see)
    assert why_not_in(dialect, episode) == ""
    shown = _text(conversation_in(dialect, episode).messages[1])
    assert ("slide 1 of" in shown) is (source != "slide")
