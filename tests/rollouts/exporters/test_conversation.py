"""The chat of a model's episode is the conversation that the model had."""

import io
import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pptarena.agents.model import ModelAgent, ModelSettings
from pptarena.agents.model.document_agent import DocumentModelAgent
from pptarena.rollouts.env import make_document_env, make_env
from pptarena.rollouts.exporters import SourceEpisode, episodes_of
from pptarena.rollouts.exporters.conversation import conversation
from pptarena.rollouts.run import Job, run_job
from pptarena.tasks import get_task

TASK = "meridian-hide-backup"


@pytest.fixture
def played(server: Any, tmp_path: Path) -> Callable[..., SourceEpisode]:
    """Return a function that lets the server's script play, and returns the episode."""

    def run(*script: Any, on_document: bool = False, **settings: Any) -> SourceEpisode:
        server.script = list(script)
        given = ModelSettings(model="m", dialect="json", base_url=server.url, **settings)
        steps = len(script)
        env = (
            make_document_env(max_steps=steps)
            if on_document
            else make_env("fake", width_px=640, height_px=360, max_steps=steps)
        )
        kind = DocumentModelAgent if on_document else ModelAgent
        with closing(env), closing(kind(given)) as agent:
            run_job(Job("m", get_task(TASK), 0), env, agent, tmp_path / "run", 0)
        (episode,) = episodes_of(tmp_path / "run")
        return episode

    return run


def _asked(request: dict[str, Any]) -> tuple[list[str], list[Image.Image]]:
    """Return texts and pictures of the last message of a request."""
    import base64

    content = request["messages"][-1]["content"]
    if isinstance(content, str):
        return [content], []
    urls = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
    pictures: list[Image.Image] = [
        Image.open(io.BytesIO(base64.b64decode(url.partition("base64,")[2]))) for url in urls
    ]
    return [part["text"] for part in content if part["type"] == "text"], pictures


@pytest.mark.slow
@pytest.mark.parametrize(
    "see",
    [
        *("screenshot", "marks,window", "text", "both"),
        "previous,previous-marks,screenshot,marks,actions",
    ],
)
def test_a_screen_is_as_the_model_was_shown_it(played: Any, server: Any, see: str) -> None:
    answers = [
        '{"kind": "scroll", "element": 9, "amount": 1}',
        "hm",
        'I am ready. {"kind": "done"}',
    ]
    episode = played(*answers, see=see)
    found = conversation(episode)
    system, *turns = found.messages
    assert system["content"][0]["text"] == server.requests[0]["messages"][0]["content"]
    assert [turn["content"][-1]["text"] for turn in turns[1::2]] == answers
    pictures = iter(found.images)
    for turn, request in zip(turns[::2], server.requests, strict=True):
        texts, shown = _asked(request)
        assert turn["role"] == "user"
        found_texts = [part["text"] for part in turn["content"] if part["type"] == "text"]
        assert found_texts == texts
        assert [part["type"] for part in turn["content"]].count("image") == len(shown)
        for picture in shown:
            kept = Image.open(io.BytesIO(next(pictures)["bytes"]))
            assert np.array_equal(np.asarray(kept), np.asarray(picture.convert("RGB")))
    assert next(pictures, None) is None


@pytest.mark.slow
def test_a_document_is_as_the_model_was_shown_it(played: Any, server: Any) -> None:
    call = '{"name": "hide_slide", "arguments": {"slide": 272}}'
    answers = [f"<think>why not</think> {call}", '{"name": "fly"}', '{"name": "done"}']
    episode = played(*answers, on_document=True)
    found = conversation(episode)
    system, *turns = found.messages
    assert system["content"][0]["text"] == server.requests[0]["messages"][0]["content"]
    assert [turn["content"][0]["text"] for turn in turns[1::2]] == answers
    shown = [_asked(request)[0][-1] for request in server.requests]
    assert [turn["content"][0]["text"] for turn in turns[::2]] == shown
    assert found.images == []


def test_agents_with_several_roles_get_a_prompt_of_our_own(played: Any) -> None:
    episode = played('{"kind": "done"}')
    file = episode.folder / "messages.jsonl"
    line = json.loads(file.read_text("utf-8")) | {"role": "planner", "step": 0, "meant": 1}
    file.write_text(json.dumps(line) + "\n")
    (again,) = episodes_of(episode.folder)
    found = conversation(again)
    assert found.messages[0]["content"][0]["text"].startswith("You edit a slide deck")
    assert len(found.images) == len(again.steps)


def test_a_dialect_of_a_later_version_gets_a_prompt_of_our_own(played: Any) -> None:
    episode = played('{"kind": "done"}')
    file = episode.folder / "model.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | {"dialect": "next"}))
    (again,) = episodes_of(episode.folder)
    assert conversation(again).messages[0]["content"][0]["text"].startswith("You edit a slide")


def test_a_record_with_a_former_view_is_read(played: Any) -> None:
    episode = played('{"kind": "done"}', view="marks")
    file = episode.folder / "model.json"
    data = json.loads(file.read_text("utf-8"))
    assert data.pop("see") == "marks,window,slide"
    file.write_text(json.dumps(data | {"view": "marks"}))
    (again,) = episodes_of(episode.folder)
    assert again.model is not None
    assert again.model.see == "marks,window,slide"
    assert conversation(again).images == conversation(episode).images
