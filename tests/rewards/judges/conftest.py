"""Clients of a real HTTP server (the fixture `server` of all tests), and a renderer."""

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from pptarena.rewards.judges import JudgeClient, JudgeConfig
from pptarena.rewards.judges.protocol import Prompt

Answer = Callable[[dict[str, Any]], Any]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set a PPTARENA_HOME for this test."""
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


MakeClient = Callable[..., JudgeClient]


@pytest.fixture
def make_client(server: Any) -> Iterator[MakeClient]:
    """Return a factory of clients, which are closed after the test."""
    clients: list[JudgeClient] = []

    def make(**settings: Any) -> JudgeClient:
        quick: dict[str, Any] = {"model": "test-model", "base_url": server.url, "backoff_sec": 0.01}
        clients.append(JudgeClient(JudgeConfig(**{**quick, "timeout_sec": 5, **settings})))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


@pytest.fixture
def prompt() -> Prompt:
    return Prompt("You judge.", ("Question: is it red?", "facts"))


class Painter:
    """A renderer whose pictures show the deck's own text, so that other text looks different."""

    def __init__(self) -> None:
        self.rendered: list[bytes] = []

    def render(self, deck: bytes) -> tuple[bytes, ...]:
        from pptarena.rewards import read_deck

        self.rendered.append(deck)
        return tuple(picture(slide.text) for slide in read_deck(deck).slides)


def picture(text: str) -> bytes:
    """Return a PNG file of a small slide."""
    image = Image.new("RGB", (160, 90), "white")
    ImageDraw.Draw(image).multiline_text((4, 4), text[:200], fill="black")
    out = io.BytesIO()
    image.save(out, "png")
    return out.getvalue()


@pytest.fixture
def painter() -> Painter:
    return Painter()


def rate_all(score: float) -> Answer:
    """Return an answer that gives every judged slide the same score."""

    def answer(request: dict[str, Any]) -> str:
        rated = [
            {"slide": name, "score": score, "reason": "seen"} for name in judged_slides(request)
        ]
        return json.dumps({"slides": rated})

    return answer


def judged_slides(request: dict[str, Any]) -> list[str]:
    """Return the labels of the slides that a request asks to judge."""
    texts = [part["text"] for part in request["messages"][1]["content"] if part["type"] == "text"]
    return [text.split('"')[1] for text in texts if text.endswith("(judge this one):")]


class Tools:
    """Helpers of tests that are not fixtures."""

    picture = staticmethod(picture)
    rate_all = staticmethod(rate_all)
    judged_slides = staticmethod(judged_slides)


@pytest.fixture
def tools() -> Tools:
    return Tools()
