import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pptarena.rollouts.store import find_episodes, read_meta, read_steps

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def test_text_agent_plays_an_episode(
    server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("TEXT_AGENT_MODEL", "a-model")
    server.script = [
        json.dumps({"kind": "click", "element": 13}),
        json.dumps({"kind": "clack"}),
        json.dumps({"kind": "done"}),
    ]
    agent = ("run", "--agent", "examples.text_agent:TextAgent", "--machine", "fake")
    done = subprocess.run(
        [Path(sys.executable).with_name("pptarena"), *agent, "--out", tmp_path / "runs",
         "--tasks", "meridian-retitle-products"],
        cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (episode,) = find_episodes(tmp_path / "runs")
    meta = read_meta(episode)
    assert (meta.end, meta.agent_error) == ("done", None)
    steps = read_steps(episode)
    assert [step.action.kind for step in steps] == ["click", "wait", "done"]
    requests = [request["messages"] for request in server.requests]
    assert "still has its draft title" in requests[0][0]["content"]
    assert "[13] panel 'The quarter at a glance'" in requests[0][1]["content"]
    assert requests[2][-1]["content"].startswith("Refused: expected kind to be one of")
