"""PPTPilot sees: pictures for planner, editor and the judge of looks, and none without."""

import base64
import io
from contextlib import closing
from typing import Any

import pytest
from PIL import Image

from pptarena.rollouts.env import make_document_env

pytestmark = pytest.mark.slow

TASK = "meridian-rename-tent"
RENAME = """
for shape in presentation.slides[1].shapes:
    if shape.has_text_frame:
        shape.text_frame.text = "Overwritten"
"""
GOOD = {"score": 5, "problems": []}


def pictures(request: dict[str, Any]) -> list[Image.Image]:
    content = request["messages"][-1]["content"]
    urls = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
    return [Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))) for url in urls]


@pytest.mark.image
def test_changed_slides_are_rendered_and_judged(model: Any, play: Any, say: Any) -> None:
    model.replies = {
        "plan": [{"edits": [say.edit("write over the slide", "text")]}],
        "program": [say.program(RENAME), say.program(RENAME.replace("Over", "Re"))],
        "judge": [GOOD, GOOD],
        "look": [{"score": 1, "problems": [say.edit("the text is bad", "text")]}, GOOD],
    }
    with closing(make_document_env(max_steps=20, slides=2)) as env:
        meta, _ = play(TASK, env=env)
    assert (meta.end, meta.infra_error) == ("done", None)
    assert model.roles == ["plan", *("program", "judge", "look") * 2]
    (first,) = pictures(model.requests[0][1])
    assert first.size == (1280, 380), "two slides, side by side"
    (judged,) = pictures(model.requests[3][1])
    assert judged.size == (1280, 380), "before and after"
    half = judged.crop((0, 20, 640, 380)).tobytes(), judged.crop((640, 20, 1280, 380)).tobytes()
    assert half[0] != half[1]
    assert isinstance(model.requests[2][1]["messages"][-1]["content"], str), "facts and no pictures"
    assert "the text is bad" in model.prompt("program", 1)


def test_appearance_is_not_judged_without_pictures(model: Any, play: Any, say: Any) -> None:
    model.replies = {
        "plan": [{"edits": [say.edit("write over the slide", "text")]}],
        "program": [say.program(RENAME)],
        "judge": [GOOD],
    }
    play(TASK)
    assert model.roles == ["plan", "program", "judge"]
    assert all(isinstance(r["messages"][-1]["content"], str) for _, r in model.requests)
