"""Hostile programs and XML through PPTPilot: bounded, told to the model, nothing leaked."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pptarena.envs.programs.limits import LeafLimits
from pptarena.envs.programs.programs import Programs
from pptarena.rollouts.env import make_document_env
from pptarena.rollouts.store import read_steps

pytestmark = pytest.mark.slow

HIDE = "for s in presentation.slides:\n if s.slide_id == 272: s._element.set('show', '0')"
HEAD = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;">'
FILE = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
SLIDE = "ppt/slides/slide1.xml"
GOOD = {"score": 5, "problems": []}


@pytest.fixture
def env(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """An environment whose programs have less time, so that endless ones end sooner."""
    limits = LeafLimits(wall_sec=6.0, cpu_sec=2)
    monkeypatch.setattr("pptarena.envs.document.doc_env.Programs", lambda: Programs(limits))
    with closing(make_document_env(max_steps=40)) as made:
        yield made


def play_hostile(model: Any, play: Any, say: Any, kind: str, role: str, tries: list[Any]) -> Any:
    model.replies = {
        "plan": [{"edits": [say.edit("hide it", kind)]}],
        role: list(tries),
        "judge": [GOOD],
    }
    started = time.monotonic()
    rounds = 2 if role == "program" else 1  # the judge is asked after the good program
    meta, folder = play(questions=len(tries), bad_answers=99, rounds=rounds)
    assert time.monotonic() - started < 120
    return meta, read_steps(folder), folder


def test_hostile_programs(model: Any, play: Any, say: Any, tmp_path: Path) -> None:
    target = tmp_path / "left"
    hostile = {
        "while True: pass": "processor time|longer than",
        "x = bytearray(2**33)": "MemoryError",
        "import os\nwhile True: os.fork()": "PermissionError",
        "import socket\nsocket.create_connection(('127.0.0.1', 80), 1)": "PermissionError",
        f"open({str(target)!r}, 'w').write('x')": "FileNotFoundError",
        "print(open('/proc/1/environ').read())\n1 / 0": "Error",
        "import os\nprint(dict(os.environ))\n1 / 0": "ZeroDivisionError",
        "for _ in range(100): print('x' * 100_000)\n1 / 0": "the program failed",
        "(": "SyntaxError",
    }
    tries = [say.program(code) for code in (*hostile, HIDE)]
    meta, steps, folder = play_hostile(model, play, say, "text", "program", tries)
    assert (meta.score, meta.end, meta.infra_error) == (1.0, "done", None)
    refused = [step.action_error for step in steps if step.action_error]
    assert len(refused) == len(hostile)
    prompts = [model.prompt("program", number) for number in range(1, len(tries))]
    for prompt, reason in zip(prompts, hostile.values(), strict=True):
        assert prompt.startswith("run_program: refused: "), prompt[:200]
        assert any(pattern in prompt for pattern in reason.split("|")), prompt[-300:]
        assert len(prompt) < 10_000
    assert not target.exists()
    everything = "".join(file.read_text("utf-8") for file in folder.glob("*.json*"))
    assert "sk-only-tests" not in everything
    assert "OPENAI_API_KEY" not in everything


def test_hostile_xml(model: Any, play: Any, say: Any) -> None:
    bad = {
        f"{HEAD}]><p:sld>&b;</p:sld>": "refused",
        f"{FILE}<p:sld>&a;</p:sld>": "refused",
        "<p:sld>": "refused",
        "<html/>": "expected a root",
        "<a>" * 50_000: "refused",
    }
    tries: list[Any] = [
        {"name": "replace_part", "arguments": {"name": SLIDE, "xml": xml}} for xml in bad
    ]
    tries.append({"name": "replace_part", "arguments": {"name": "../../x", "xml": "<a/>"}})
    tries.append({"name": "replace_part", "arguments": {"name": SLIDE, "xml": "x" * 300_000}})
    tries.append({"name": "run_program", "arguments": {"code": HIDE}})  # not a tool of this route
    tries.append({"name": "done"})
    meta, steps, _ = play_hostile(model, play, say, "themes", "xml", tries)
    assert (meta.score, meta.infra_error) == (0.0, None)
    assert sum(step.action_error is not None for step in steps) == len(tries) - 1
    prompts = [model.prompt("xml", number) for number in range(1, len(tries))]
    for prompt, reason in zip(prompts, bad.values(), strict=False):
        assert reason in prompt
        assert "root:" not in prompt
    assert "no XML part has the name '../../x'" in prompts[5]
    assert "not found" in prompts[7]
