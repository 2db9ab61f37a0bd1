"""Episodes as the conversation of a model with another dialect."""

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
    """A function that plays answers in the dialect json and returns the episode."""

    def play_answers(*script: dict[str, Any], see: str = "") -> SourceEpisode:
        server.script = [json.dumps(each) for each in script]
        settings = ModelSettings(model="m", dialect="json", base_url=server.url, see=see)
        env = make_env("fake", width_px=SIZE[0], height_px=SIZE[1], max_steps=len(script))
        with closing(env), closing(ModelAgent(settings)) as agent:
            job = Job("m", get_task("meridian-hide-backup"), 0)
            run_job(job, env, agent, tmp_path / "run", 0)
        (episode,) = episodes_of(tmp_path / "run")
        return episode

    return play_answers


def _messages(chat: Conversation, role: str) -> list[dict[str, Any]]:
    return [each for each in chat.messages if each["role"] == role]


def _text(message: dict[str, Any]) -> str:
    return "".join(part["text"] or "" for part in message["content"])


def _parse(dialect: Dialect, message: dict[str, Any], screen: Screen) -> Action:
    calls = tuple(
        Call(each["function"]["name"], json.loads(each["function"]["arguments"]))
        for each in message["tool_calls"] or ()
    )
    (action,) = dialect.parse(Reply(_text(message), calls), screen)
    return action


@pytest.mark.parametrize(
    "see", ["", "elements-short,window,slide,actions,clipboard,budget,windows"]
)
def test_chat_in_the_original_dialect_equals_the_conversation(
    see: str, played: Callable[..., SourceEpisode]
) -> None:
    copied = {"kind": "copy_text", "text": "caf\u00e9"}
    episode = played(SCRIPT[0], copied, *SCRIPT[2:], see=see)
    stored, exported = conversation(episode), conversation_in(get_dialect("json"), episode, see)
    assert exported.messages[0] == stored.messages[0]
    assert len(exported.messages) == len(stored.messages) == 11
    prompts = [_text(each) for each in _messages(stored, "user")]
    assert [_text(each) for each in _messages(exported, "user")] == prompts
    assert ", slide 1 of 17" in prompts[0]
    if see:
        assert 'clipboard: "caf\u00e9"' in prompts[2]
        assert '- {"kind": "key", "amount": 1, "keys": "Control_L+a"}' in prompts[3]


@pytest.mark.parametrize("name", ["uitars-1.5", "qwen3-vl", "anthropic-20250124", "osworld-som"])
def test_answers_express_the_recorded_actions(
    name: str, played: Callable[..., SourceEpisode]
) -> None:
    episode, dialect = played(*SCRIPT[:1], *SCRIPT[2:]), get_dialect(name)
    assert why_not_in(dialect, episode) == ""
    exported = conversation_in(dialect, episode)
    assert _text(exported.messages[0]) == (
        f"{dialect.prompt()}\n\nTask: {episode.meta.instruction}"
    )
    assert len(exported.images) == len(episode.steps)
    for index, message in enumerate(_messages(exported, "assistant")):
        boxes = episode.elements(index).features
        centers = [((x0 + x1) / 2, (y0 + y1) / 2) for x0, y0, x1, y1, *_ in boxes]
        screen = Screen(dialect.picture_size(SIZE), centers)
        action, stored = _parse(dialect, message, screen), episode.steps[index]
        fields = ("kind", "keys", "text")
        assert all(getattr(action, key) == getattr(stored.action, key) for key in fields)
        if stored.aim.point is not None:
            pixel = np.array(screen.target(action)) * SIZE
            assert np.abs(pixel - stored.aim.point - 0.5).max() <= 1.5


def test_inexpressible_step_is_named(played: Callable[..., SourceEpisode]) -> None:
    episode, dialect = played(*SCRIPT), get_dialect("uitars-1.5")
    assert why_not_in(dialect, episode).startswith("step 1: ")
    with pytest.raises(StoreError, match=r"step 1 cannot be written in uitars-1\.5"):
        conversation_in(dialect, episode)


@pytest.mark.parametrize("name", ["uitars-1.5", "qwen3-vl"])
def test_invalid_answer_is_not_exported_as_an_action(
    name: str, played: Callable[..., SourceEpisode]
) -> None:
    episode = played({"kind": "nonsense"}, SCRIPT[-1])
    reason = why_not_in(get_dialect(name), episode)
    assert reason == "step 0: the recorded reply is not an action"


def test_sources_of_the_prompt_can_be_selected(played: Any) -> None:
    episode, dialect = played(*SCRIPT[:1], *SCRIPT[2:]), get_dialect("json")
    see = stored_sources("window,elements-short,budget")
    assert why_not_in(dialect, episode, see) == ""
    exported = conversation_in(dialect, episode, see)
    prompt = _text(exported.messages[1])
    assert f"steps left: {episode.meta.max_steps}" in prompt
    assert "\nbutton Undo [1]\n" in prompt
    assert not exported.images
    with pytest.raises(ConfigError, match="see: clipboard-picture: not stored with episodes"):
        stored_sources("clipboard-picture,elements-short,slide")


@pytest.mark.parametrize(
    ("source", "name"),
    [("slide", "slide_count"), ("clipboard", "clipboard"), ("actions", "command")],
)
def test_source_missing_in_older_episodes_is_named(source: str, name: str, played: Any) -> None:
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
    prompt = _text(conversation_in(dialect, episode).messages[1])
    assert ("slide 1 of" in prompt) is (source != "slide")
