"""The environment with the eval command of verifiers; run by ``make test-verifiers``."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("verifiers.v1", reason="needs verifiers: make test-verifiers")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

TASK = "meridian-hide-backup"
HIDE = 'I hide it. <tool_call>{"name": "hide_slide", "arguments": {"slide": 272}}</tool_call>'
DONE = '{"name": "done", "arguments": {}}'


class Service:
    """Streams the next answer of a conversation, or fails if the answer is None."""

    def __init__(self) -> None:
        self.answers: list[str | None] = []
        self.requests: list[dict[str, Any]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append(request)
                turn = sum(message["role"] == "assistant" for message in request["messages"])
                answer = outer.answers[min(turn, len(outer.answers) - 1)]
                self.send_response(400 if answer is None else 200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                if answer is not None:
                    self.wfile.write(b"".join(stream(answer)))

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def stream(answer: str) -> Iterator[bytes]:
    fields = {"id": "1", "created": 1, "model": "m", "object": "chat.completion.chunk"}
    choice = {"index": 0, "delta": {"role": "assistant", "content": answer}, "finish_reason": None}
    end = {"index": 0, "delta": {}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10}
    for chunk in ({"choices": [choice]}, {"choices": [end], "usage": usage}):
        yield f"data: {json.dumps({**fields, **chunk})}\n\n".encode()
    yield b"data: [DONE]\n\n"


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service()
    yield service
    service.server.shutdown()
    service.server.server_close()


Evaluate = Callable[..., tuple[dict[str, Any], dict[str, Any]]]


@pytest.fixture
def evaluate(service: Service, tmp_path: Path) -> Evaluate:
    """A function that runs ``vf-eval`` on one task and returns the episode and its trace."""

    def run_eval(*answers: str | None, max_turns: int = 5) -> tuple[dict[str, Any], dict[str, Any]]:
        service.answers = list(answers)
        (tmp_path / "eval.toml").write_text(
            f'model = "m"\npush = false\n[env]\nmax_turns = {max_turns}\n'
            f'[env.taskset]\nid = "pptarena_verifiers"\ntasks = ["{TASK}"]\n'
            f'[client]\nbase_url = "http://127.0.0.1:{service.server.server_port}/v1"\n'
            'api_key_var = "TEST_KEY"\n'
        )
        result = subprocess.run(
            [Path(sys.executable).with_name("vf-eval"), "@", "eval.toml", "--no-rich"],
            cwd=tmp_path, env={**os.environ, "TEST_KEY": "none"}, capture_output=True, text=True,
            timeout=240, check=False,
        )  # fmt: skip
        assert result.returncode == 0, result.stderr[-3000:]
        (file,) = tmp_path.glob("outputs/*/traces.jsonl")
        (line,) = file.read_text().splitlines()
        episode = json.loads(line)
        (trace,) = episode["traces"]
        return episode, trace

    return run_eval


def test_every_turn_is_rewarded(evaluate: Evaluate, service: Service) -> None:
    episode, trace = evaluate(HIDE, DONE)
    assert (episode["ok"], episode["errors"]) == (True, [])
    assert trace["rewards"]["score"]["score"] == 1.0
    assert trace["metrics"]["calls"] == 2.0
    assert trace["info"]["turn_rewards"] == [1.0, 0.0]
    assert trace["info"]["rubric"]["score"] == 1.0
    first, second = (request["messages"][-1]["content"] for request in service.requests)
    assert "slide 17, id 272" in str(first)
    assert "hidden" in str(second)


def test_episode_ends_after_max_turns(evaluate: Evaluate, service: Service) -> None:
    episode, trace = evaluate("hm", max_turns=2)
    assert episode["ok"]
    assert trace["rewards"]["score"]["score"] == 0.0
    assert len(trace["info"]["turn_rewards"]) == len(service.requests) == 2


def test_failing_service_gives_no_score(evaluate: Evaluate) -> None:
    episode, trace = evaluate(HIDE, None)
    assert not episode["ok"]
    assert "score" not in trace["rewards"]
