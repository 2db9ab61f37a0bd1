"""Every model service over HTTP: limits, redirects, retries and redaction."""

import gzip
import json
import logging
import re
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

from pptarena.errors import EndpointClosedError, EndpointError
from pptarena.models import Endpoint, ModelService, Request, Turn, open_service

pytestmark = pytest.mark.slow

PACKAGES = {"anthropic": "anthropic", "gemini": "google.genai"}
REQUEST = Request("s", [Turn(("q", b"png"))])


def body(api: str, text: str) -> dict[str, Any]:
    """Return the reply of a service, with 90 input and 10 output tokens."""
    if api == "chat":
        message = {"role": "assistant", "content": text}
        usage = {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}
        return {
            "id": "1",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": usage,
        }
    if api == "responses":
        part = {"type": "output_text", "text": text, "annotations": []}
        output = {"type": "message", "id": "m", "role": "assistant", "content": [part]}
        return {"id": "1", "output": [output], "usage": {"input_tokens": 90, "output_tokens": 10}}
    if api == "anthropic":
        usage = {"input_tokens": 90, "output_tokens": 10}
        blocks = [{"type": "text", "text": text}]
        return {"type": "message", "content": blocks, "stop_reason": "end_turn", "usage": usage}
    content = {"role": "model", "parts": [{"text": text}]}
    usage = {"promptTokenCount": 90, "candidatesTokenCount": 10}
    return {"candidates": [{"content": content, "finishReason": "STOP"}], "usageMetadata": usage}


@pytest.fixture(params=["chat", "responses", "anthropic", "gemini"])
def api(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    pytest.importorskip(PACKAGES.get(name, "openai"))
    return name


Open = Callable[..., ModelService]


@pytest.fixture
def service(api: str, server: Any) -> Iterator[Open]:
    services: list[ModelService] = []

    def make(**settings: Any) -> ModelService:
        # The clients of OpenAI expect the version in the address, the others add it.
        url = server.url if api in ("chat", "responses") else server.url.removesuffix("/v1")
        quick: dict[str, Any] = {"base_url": url, "backoff_sec": 0.01, "timeout_sec": 20}
        services.append(open_service(Endpoint(api=api, model="m", **quick | settings), server.key))
        return services[-1]

    server.default = {"body": json.dumps(body(api, "fine"))}
    yield make
    for each in services:
        each.close()


class OtherService:
    """Another service, which must receive no request."""

    def __init__(self) -> None:
        self.requests: list[dict[str, str]] = []
        requests = self.requests

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                requests.append(dict(self.headers))
                self.send_response(401)
                self.end_headers()

            do_GET = do_POST

            def log_message(self, *_: Any) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()


@pytest.fixture
def other_service() -> Iterator[OtherService]:
    other = OtherService()
    yield other
    other.server.shutdown()
    other.server.server_close()


def test_reply_and_tokens_are_returned(service: Open) -> None:
    answer = service().ask(REQUEST)
    assert (answer.reply.text, answer.input_tokens, answer.output_tokens) == ("fine", 90, 10)


def test_sampling_settings_are_sent_only_if_set(service: Open, server: Any) -> None:
    service(temperature=0.5, top_p=0.25).ask(REQUEST)
    sent = json.dumps(server.requests[-1])
    assert re.search(r'"temperature": 0\.5', sent)
    assert re.search(r'"top_?[pP]": 0\.25', sent)
    service().ask(REQUEST)
    assert not re.search(r'"(temperature|top_?[pP])"', json.dumps(server.requests[-1]))


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirect_to_another_service_is_not_followed(
    service: Open, server: Any, other_service: OtherService, status: int
) -> None:
    location = f"http://127.0.0.1:{other_service.server.server_port}/v1?token={server.key}"
    server.default = {"status": status, "body": "", "headers": {"Location": location}}
    with pytest.raises(
        EndpointError, match="refused the request: the service redirects to"
    ) as error:
        service().ask(REQUEST)
    assert (other_service.requests, len(server.requests)) == ([], 1)
    assert server.key not in str(error.value)


def test_redirect_within_service_is_followed(service: Open, server: Any) -> None:
    server.script = [{"status": 307, "body": "", "headers": {"Location": "/elsewhere"}}]
    assert service().ask(REQUEST).reply.text == "fine"
    assert server.requests[1]["path"] == "/elsewhere"
    server.default = {"status": 307, "body": "", "headers": {"Location": "/elsewhere"}}
    with pytest.raises(EndpointError, match="refused the request: status 307"):
        service().ask(REQUEST)


@pytest.mark.parametrize("compressed", [False, True])
def test_reply_size_is_limited(service: Open, server: Any, api: str, compressed: bool) -> None:
    data = json.dumps(body(api, "x" * 100_000)).encode()
    plan: dict[str, Any] = {"body": data}
    if compressed:
        plan = {"body": gzip.compress(data), "headers": {"Content-Encoding": "gzip"}}
    server.script = [plan]
    with pytest.raises(EndpointError, match="the reply has more than 50000 bytes"):
        service(max_reply_bytes=50_000).ask(REQUEST)
    assert len(server.requests) == 1
    server.script = [plan]
    assert service().ask(REQUEST).reply.text == "x" * 100_000


def test_reply_time_is_limited(service: Open, server: Any, api: str) -> None:
    data = json.dumps(body(api, "fine")) + " " * 6_000
    server.script = [{"body": data, "drip": True}, {"body": data, "sleep_sec": 300}]
    started = time.monotonic()
    with pytest.raises(EndpointError, match=r"in 2 tries: no complete answer within 0\.5 s"):
        service(timeout_sec=0.5, retries=1).ask(REQUEST)
    assert time.monotonic() - started < 60


@pytest.mark.parametrize(
    "failure",
    [
        {"status": 429, "body": "{}", "headers": {"Retry-After": "0.1"}},
        {"status": 529, "body": "overloaded"},
        {"status": 400, "body": "{}", "headers": {"x-should-retry": "true"}},
        {"hang_up": True},
        {"body": "<html>a proxy</html>"},
        {"body": "[" * 100_000},
    ],
    ids=["429", "529", "asked for", "hangs up", "no JSON", "deep JSON"],
)
def test_failed_requests_are_retried(service: Open, server: Any, failure: dict[str, Any]) -> None:
    server.script = [failure, failure]
    assert service().ask(REQUEST).reply.text == "fine"
    assert len(server.requests) == 3


def test_refused_requests_are_not_retried(service: Open, server: Any) -> None:
    server.default = {"status": 400, "body": '{"error": {"message": "no such tool"}}'}
    with pytest.raises(EndpointError, match=r"refused the request: status 400: .*no such tool"):
        service().ask(REQUEST)
    server.default = {"status": 503, "headers": {"x-should-retry": "false"}, "body": "{}"}
    with pytest.raises(EndpointError, match="refused the request: status 503"):
        service().ask(REQUEST)
    assert len(server.requests) == 2


def test_key_is_redacted_from_messages_replies_and_logs(
    service: Open, server: Any, api: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    escaped = "".join(f"\\u{ord(sign):04x}" for sign in server.key)
    reply = json.dumps(body(api, f"it is {server.key} or ESCAPED"))
    server.script = [
        {"status": 500, "body": json.dumps({"error": {"message": server.key}})},
        {"body": reply.replace("ESCAPED", escaped)},
        {"status": 403, "body": json.dumps({"error": f"no: {server.key}"})},
    ]
    answer = service().ask(REQUEST)
    assert answer.reply.text == "it is [key] or [key]"
    assert server.key not in repr(answer)
    with pytest.raises(EndpointClosedError, match=r"no: \[key\]") as error:
        service().ask(REQUEST)
    assert server.key not in str(error.value)
    assert server.key not in caplog.text


class Meter:
    """A meter."""

    def __init__(self) -> None:
        self.calls: list[tuple[int, int]] = []

    def reserve(self, tokens: int) -> None:
        self.calls.append((tokens, -1))

    def settle(self, reserved: int, used: int) -> None:
        assert self.calls.pop() == (reserved, -1)
        self.calls.append((reserved, used))


def test_every_attempt_is_charged(service: Open, server: Any) -> None:
    server.script = [{"status": 500, "body": ""}, {"hang_up": True}]
    meter = Meter()
    service().ask(REQUEST, meter, 7)
    assert meter.calls == [(7, 0), (7, 0), (7, 100)]
