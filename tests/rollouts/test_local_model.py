"""A small random model behind a real HTTP server; run by `make test-local-model`."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from pptarena.rollouts.model_episode import run_episode
from pptarena.tasks import Task

pytest.importorskip("transformers")
pytest.importorskip("fastapi")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "tiny"
    subprocess.run([sys.executable, ROOT / "tools/tiny_vision_model.py", folder], check=True)
    return folder


@pytest.fixture(scope="module")
def address(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    script = ROOT / "examples/llm/serve.sh"
    log = tmp_path_factory.mktemp("server") / "log"
    with log.open("wb") as stream:
        server = subprocess.Popen(
            ["bash", script, model, str(port)], stdout=stream, stderr=stream,
            env={**os.environ, "HF_HUB_OFFLINE": "1", "PYTHON": sys.executable},
        )  # fmt: skip
        try:
            wait_for_server(f"http://localhost:{port}/health", server, log)
            yield f"http://localhost:{port}/v1"
        finally:
            server.terminate()
            server.wait(30)


def wait_for_server(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(600):
        if server.poll() is not None:
            break
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
        else:
            return
    pytest.fail(f"the server did not start: {log.read_text()[-2000:]}")


@pytest.mark.parametrize("view", ["text", "both"])
def test_served_model_plays_an_episode(
    view: str, model: Path, address: str, env: gym.Env[Any, Any], task: Task
) -> None:
    result = run_episode(
        task, str(model), "json", address, "none", env=env, view=view, bad_answers=6
    )
    assert result.meta.infra_error is None
    assert result.score is not None
    assert result.usage.requests == len(result.messages) >= result.meta.steps > 0
    assert result.usage.output_tokens == 2 * result.usage.requests  # an answer and its end token
    assert result.usage.input_tokens > 500 * result.usage.requests
    assert (result.usage.cut_off, result.usage.refused) == (0, 0)
    assert result.model_sec > 0
