"""What all tests share: no deadlines of hypothesis, and a real HTTP server that speaks chat."""

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from hypothesis import settings

# Tests do not time: computers are slow at times.
settings.register_profile("pptarena", deadline=None)
settings.load_profile("pptarena")

KEY = "sk-only-tests-know-this-4711"


class ChatServer:
    """Answers ``POST /v1/chat/completions`` and remembers what it was asked.

    `script` holds what comes next, each for one request; when it is empty, `default` answers. Each
    is a text (the model's answer), a dict (``status``, ``headers``, ``body``, ``sleep_sec``,
    ``drip``, ``hang_up``, ``finish``), or a function of the request that returns one of these.
    """

    key = KEY

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
