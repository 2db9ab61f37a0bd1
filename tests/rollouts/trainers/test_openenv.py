"""OpenEnv's client on ``pptarena image serve``; run by ``make test-openenv``."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("openenv.core", reason="needs openenv-core: make test-openenv")

# Other packages give warnings.
pytestmark = pytest.mark.filterwarnings("default")

TASK = "meridian-hide-backup"
HIDE = {"tool": "hide_slide", "arguments": {"slide": 272}}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    script = "import sys; from pptarena.cli import main; sys.exit(main())"
    server = subprocess.Popen(
        [sys.executable, "-c", script, "image", "serve", "--port", str(port), "--sessions", "2"],
        env=os.environ,
    )
    try:
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert server.poll() is None
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(20)


def client(url: str) -> Any:
    from openenv.core.generic_client import GenericEnvClient

    return GenericEnvClient(base_url=url).sync()


def test_episode_over_the_network(url: str) -> None:
    with client(url) as env:
        first = env.reset(task=TASK)
        assert "slide 17, id 272" in first.observation["text"]
        assert {"hide_slide", "done"} <= {tool["name"] for tool in first.observation["tools"]}
        hidden = env.step(HIDE)
        assert (hidden.observation["text"], hidden.reward, hidden.done) == ("hidden", 1.0, False)
        refused = env.step({"tool": "hide_slide", "arguments": {"slide": 1}})
        assert (refused.reward, refused.observation["text"]) == (0.0, "")
        assert "slide" in refused.observation["action_error"]
        last = env.step({"tool": "done"})
        assert (last.done, last.observation["score"]) == (True, 1.0)
        assert last.observation["rubric"]["score"] == 1.0
        assert env.state()["step_count"] == 3
        assert env.reset(task=TASK).done is False


def test_clients_have_separate_episodes(url: str) -> None:
    with client(url) as one, client(url) as other:
        one.reset(task=TASK)
        other.reset(task=TASK)
        assert one.step(HIDE).reward == 1.0
        assert other.step(HIDE).reward == 1.0


def test_seed_determines_the_task(url: str) -> None:
    with client(url) as env:
        task_ids = [env.reset(seed=seed).observation["task_id"] for seed in (0, 1, 2, 0, 1, 2)]
    assert task_ids[:3] == task_ids[3:]
    assert len(set(task_ids)) > 1


@pytest.mark.parametrize("task_id", ["no-such-task", "/etc/passwd", "first-steps-delete-slide-1"])
def test_only_tasks_of_the_suite_are_served(url: str, task_id: str) -> None:
    with client(url) as env, pytest.raises(RuntimeError, match="expected the id of one of"):
        env.reset(task=task_id)


def test_call_before_the_first_episode_is_rejected(url: str) -> None:
    with client(url) as env, pytest.raises(RuntimeError, match="no episode: call reset"):
        env.step(HIDE)
