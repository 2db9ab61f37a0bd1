"""A real HTTP server that speaks chat completions, with answers by script."""

import io
import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from pptarena.rewards.judges import JudgeClient, JudgeConfig
from pptarena.rewards.judges.prompt import Prompt

KEY = "sk-only-tests-know-this-4711"
Answer = Callable[[dict[str, Any]], Any]


class ChatServer:
    """Answers ``POST /v1/chat/completions`` and remembers what it was asked.

    `script` holds what comes next, each for one request; when it is empty, `default` answers. Each
    is a text (the model's answer), a dict (``status``, ``headers``, ``body``, ``sleep_sec``,
    ``drip``, ``hang_up``, ``finish``), or a function of the request that returns one of these.
    """

    def __init__(self) -> None:
        self.script: list[Any] = []
        self.default: Any = '{"score": 1, "reason": "fine"}'
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.usage: Any = {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}
        self.released = threading.Event()  # ends all sleeps when the test is over
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                outer.answer(self)

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: Any) -> None:
                pass  # the client hung up, as some tests want it to

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def stop(self) -> None:
        self.released.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        request = json.loads(body)
        self.requests.append({**request, "path": handler.path})
        self.keys.append(handler.headers.get("Authorization", ""))
        said = self.script.pop(0) if self.script else self.default
        if callable(said):
            said = said(request)
        plan: dict[str, Any] = {"text": said} if isinstance(said, str) else dict(said)
        self.released.wait(plan.get("sleep_sec", 0))
        if plan.get("hang_up"):
            handler.close_connection = True
            return
        data = plan["body"].encode() if "body" in plan else self._body(plan)
        handler.send_response(plan.get("status", 200))
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(data)))
        for name, value in plan.get("headers", {}).items():
            handler.send_header(name, value)
        handler.end_headers()
        if plan.get("drip"):
            for byte in data:
                handler.wfile.write(bytes([byte]))
                handler.wfile.flush()
                time.sleep(0.05)
            return
        handler.wfile.write(data[: plan.get("stop_after", len(data))])
        if "stop_after" in plan:
            handler.close_connection = True

    def _body(self, plan: dict[str, Any]) -> bytes:
        message = {"role": "assistant", "content": plan.get("text")}
        choice = {"index": 0, "message": message, "finish_reason": plan.get("finish", "stop")}
        reply = {"id": "1", "object": "chat.completion", "choices": [choice], "usage": self.usage}
        return json.dumps(reply).encode()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    made = ChatServer()
    yield made
    made.stop()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PPTARENA_HOME of this test's own."""
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


MakeClient = Callable[..., JudgeClient]


@pytest.fixture
def make_client(server: ChatServer) -> Iterator[MakeClient]:
    """Make clients of the server; they are closed in the end."""
    made: list[JudgeClient] = []

    def make(**settings: Any) -> JudgeClient:
        quick: dict[str, Any] = {"model": "test-model", "base_url": server.url, "backoff_sec": 0.01}
        made.append(JudgeClient(JudgeConfig(**{**quick, "timeout_sec": 5, **settings})))
        return made[-1]

    yield make
    for client in made:
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
    """Return an answer that gives every shown slide the same score."""

    def answer(request: dict[str, Any]) -> str:
        rated = [{"slide": name, "score": score, "reason": "seen"} for name in shown(request)]
        return json.dumps({"slides": rated})

    return answer


def shown(request: dict[str, Any]) -> list[str]:
    """Return the labels of the slides that a request asks to judge."""
    texts = [part["text"] for part in request["messages"][1]["content"] if part["type"] == "text"]
    return [text.split('"')[1] for text in texts if text.endswith("(judge this one):")]


class Tools:
    """What tests need beside fixtures."""

    key = KEY
    picture = staticmethod(picture)
    rate_all = staticmethod(rate_all)
    shown = staticmethod(shown)


@pytest.fixture
def tools() -> Tools:
    return Tools()
