"""The exported chat of a model's episode equals the model's conversation."""

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
    """A function that plays the scripted answers and returns the episode."""

    def play_answers(*script: Any, on_document: bool = False, **settings: Any) -> SourceEpisode:
        server.script = list(script)
        model_settings = ModelSettings(model="m", dialect="json", base_url=server.url, **settings)
        steps = len(script)
        env = (
            make_document_env(max_steps=steps)
            if on_document
            else make_env("fake", width_px=640, height_px=360, max_steps=steps)
        )
        kind = DocumentModelAgent if on_document else ModelAgent
        with closing(env), closing(kind(model_settings)) as agent:
            run_job(Job("m", get_task(TASK), 0), env, agent, tmp_path / "run", 0)
        (episode,) = episodes_of(tmp_path / "run")
        return episode

    return play_answers


def _last_message(request: dict[str, Any]) -> tuple[list[str], list[Image.Image]]:
    """Return the texts and images of the last message of a request."""
    import base64

    content = request["messages"][-1]["content"]
    if isinstance(content, str):
        return [content], []
    urls = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
    images: list[Image.Image] = [
        Image.open(io.BytesIO(base64.b64decode(url.partition("base64,")[2]))) for url in urls
    ]
    return [part["text"] for part in content if part["type"] == "text"], images


@pytest.mark.slow
@pytest.mark.parametrize(
    "see",
    [
        *("screenshot", "marks,window", "text", "both"),
        "previous,previous-marks,screenshot,marks,actions",
    ],
)
def test_chat_of_a_screen_equals_the_requests(played: Any, server: Any, see: str) -> None:
    scroll = '{"kind": "scroll", "element": 9, "amount": 1}'
    answers = [scroll, "hm", 'I am ready. {"kind": "done"}']
    episode = played(*answers, see=see)
    chat = conversation(episode)
    system, *turns = chat.messages
    assert system["content"][0]["text"] == server.requests[0]["messages"][0]["content"]
    assert [turn["content"][-1]["text"] for turn in turns[1::2]] == answers
    exported_images = iter(chat.images)
    for turn, request in zip(turns[::2], server.requests, strict=True):
        texts, images = _last_message(request)
        assert turn["role"] == "user"
        assert [part["text"] for part in turn["content"] if part["type"] == "text"] == texts
        assert [part["type"] for part in turn["content"]].count("image") == len(images)
        for image in images:
            exported = Image.open(io.BytesIO(next(exported_images)["bytes"]))
            assert np.array_equal(np.asarray(exported), np.asarray(image.convert("RGB")))
    assert next(exported_images, None) is None


@pytest.mark.slow
def test_chat_of_a_document_equals_the_requests(played: Any, server: Any) -> None:
    call = '{"name": "hide_slide", "arguments": {"slide": 272}}'
    answers = [f"<think>why not</think> {call}", '{"name": "fly"}', '{"name": "done"}']
    episode = played(*answers, on_document=True)
    chat = conversation(episode)
    system, *turns = chat.messages
    assert system["content"][0]["text"] == server.requests[0]["messages"][0]["content"]
    assert [turn["content"][0]["text"] for turn in turns[1::2]] == answers
    prompts = [_last_message(request)[0][-1] for request in server.requests]
    assert [turn["content"][0]["text"] for turn in turns[::2]] == prompts
    assert chat.images == []


def test_chat_of_an_agent_with_roles_has_the_default_prompt(played: Any) -> None:
    episode = played('{"kind": "done"}')
    file = episode.folder / "messages.jsonl"
    line = json.loads(file.read_text("utf-8")) | {"role": "planner", "step": 0, "meant": 1}
    file.write_text(json.dumps(line) + "\n")
    (reread,) = episodes_of(episode.folder)
    chat = conversation(reread)
    assert chat.messages[0]["content"][0]["text"].startswith("You edit a slide deck")
    assert len(chat.images) == len(reread.steps)


def test_chat_in_an_unknown_dialect_has_the_default_prompt(played: Any) -> None:
    episode = played('{"kind": "done"}')
    file = episode.folder / "model.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | {"dialect": "next"}))
    (reread,) = episodes_of(episode.folder)
    assert conversation(reread).messages[0]["content"][0]["text"].startswith("You edit a slide")


def test_record_with_the_former_view_field_is_read(played: Any) -> None:
    episode = played('{"kind": "done"}', view="marks")
    file = episode.folder / "model.json"
    data = json.loads(file.read_text("utf-8"))
    assert data.pop("see") == "marks,window,slide"
    file.write_text(json.dumps(data | {"view": "marks"}))
    (reread,) = episodes_of(episode.folder)
    assert reread.model is not None
    assert reread.model.see == "marks,window,slide"
    assert conversation(reread).images == conversation(episode).images
