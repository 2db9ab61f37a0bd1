"""``pptarena run --env doc``: tasks played on the deck as a file."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pptarena.rollouts.store import read_meta, read_steps

pytestmark = pytest.mark.slow

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
TASK = "meridian-hide-backup"
OTHER = "meridian-rename-tent"


def test_solution_agent_is_stored_and_compared(cli: Cli, tmp_path: Path) -> None:
    run = ("run", "--env", "doc", "--agent", "goal", "--task", TASK, "--task", OTHER, "--json")
    value = json.loads(cli(*run, "--out", "one").stdout)
    assert [each["score"] for each in value["episodes"]] == [1.0, 1.0]
    folder = tmp_path / "one" / "goal" / TASK / "seed-0"
    meta, steps = read_meta(folder), read_steps(folder)
    assert (meta.machine, meta.end, meta.steps) == ("document", "done", 2)
    calls = [step.call["tool"] for step in steps if step.call]
    assert calls == ["hide_slide", "done"]
    scored = cli("score", TASK, str(folder / "final.pptx"), "--as-is", "--no-look", "--json")
    assert json.loads(scored.stdout)["score"] == meta.score

    cli(*run, "--seed", "1", "--out", "two")
    assert "goal" in cli("runs", "compare", "one", "two").stdout
    cli("report", "one", "--out", "report")
    assert "2 of 2 are equal at every step" in " ".join(cli("runs", "replay", "one").stdout.split())


def test_document_runs_support_workers(cli: Cli, tmp_path: Path) -> None:
    run = ("run", "--env", "doc", "--task", TASK, "--task", OTHER, "--json")
    one = json.loads(cli(*run, "--agent", "random", "--repeats", "3", "--out", "one").stdout)
    options = ("--agent", "random", "--repeats", "3", "--workers", "3", "--out", "two")
    two = json.loads(cli(*run, *options).stdout)
    assert (two["complete"], two["new"], two["missing"]) == (6, 6, 0)
    assert two["summary"] == one["summary"]
    facts = ("agent", "task", "seed", "score", "steps", "end")
    results = [[[each[fact] for fact in facts] for each in run["episodes"]] for run in (one, two)]
    assert results[0] == results[1]
    second = json.loads(cli(*run, *options, "--agent", "goal").stdout)
    assert (second["complete"], second["new"]) == (12, 6)
    manifest = json.loads((tmp_path / "two/manifest.json").read_text("utf-8"))
    assert (manifest["machine"], manifest["image"]) == ("document", "")
    assert manifest["agents"] == ["random", "goal"]


def test_runs_with_different_tools_are_not_mixed(cli: Cli) -> None:
    run = ("run", "--env", "doc", "--agent", "random", "--task", TASK, "--max-steps", "2")
    cli(*run, "--tools", "edit", "--out", "one")
    refused = cli(*run, "--tools", "edit,xml", "--out", "one", code=2).stderr
    assert 'options: {"tools": ["edit"]}, now {"tools": ["edit", "xml"]}' in refused
    wrong = cli(*run, "--tools", "edit,paper", "--out", "two", code=2).stderr
    assert "got 'paper'" in wrong
    assert not Path("two").exists()


def test_random_calls_are_reproducible(cli: Cli, tmp_path: Path) -> None:
    run = ("run", "--env", "doc", "--agent", "random", "--task", TASK, "--max-steps", "8")
    calls = []
    for out in ("one", "two"):
        value = json.loads(cli(*run, "--json", "--out", out).stdout)
        (episode,) = value["episodes"]
        assert (episode["agent"], episode["steps"]) == ("random", 8)
        steps = read_steps(tmp_path / out / "random" / TASK / "seed-0")
        calls.append([step.call for step in steps])
        assert sum(step.action_error is None for step in steps) >= 4
    assert calls[0] == calls[1]


def test_model_plays_on_documents(cli: Cli, server: Any, tmp_path: Path) -> None:
    call = '{"name": "hide_slide", "arguments": {"slide": 272}}'
    server.script = [f"<tool_call>{call}</tool_call>", '{"name": "done"}']
    model = ("--agent", "model", "--model", "me/tiny", "--base-url", server.url)
    run = ("run", "--env", "doc", *model, "--dialect", "json", "--task", TASK, "--out", "one")
    value = json.loads(cli(*run, "--json").stdout)
    assert [each["score"] for each in value["episodes"]] == [1.0]
    assert [each["agent"] for each in value["models"]] == ["tiny--json"]
    folder = tmp_path / "one" / "tiny--json" / TASK / "seed-0"
    assert len((folder / "messages.jsonl").read_text("utf-8").splitlines()) == 2
    assert "hide_slide" in (folder / "model.json").read_text("utf-8")
    cli("report", "one", "--out", "report")


def test_pptpilot_plays_with_ablations(cli: Cli, server: Any, tmp_path: Path) -> None:
    hide = "for s in presentation.slides:\n if s.slide_id == 272: s._element.set('show', '0')"
    program = json.dumps({"name": "run_program", "arguments": {"code": hide}})
    model = ("--agent", "pptpilot", "--model", "me/tiny", "--base-url", server.url)
    run = ("run", "--env", "doc", *model, "--dialect", "json", "--task", TASK, "--json")
    plan = '{"edits": [{"what": "hide it", "kind": "slides"}]}'
    server.script = [plan, program, '{"score": 5, "problems": []}']
    value = json.loads(cli(*run, "--option", "slides=0", "--out", "one").stdout)
    server.script = [program]
    bare = [f"--option={each}" for each in ("slides=0", "plan=no", "rounds=1", "name=bare")]
    bare = json.loads(cli(*run, *bare, "--out", "one").stdout)
    assert [each["score"] for each in (*value["episodes"], *bare["episodes"])] == [1.0, 1.0]
    assert [value["models"][0]["agent"], bare["models"][0]["agent"]] == [
        *("pptpilot--tiny--json", "bare")
    ]
    assert (tmp_path / "one" / "bare" / TASK / "seed-0" / "pilot.json").exists()
    assert "pptpilot--tiny--json" in cli("runs", "compare", "one").stdout
    cli("report", "one", "--out", "report")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--env", "paper", "--agent", "goal"), "environment 'paper' not found"),
        (("--agent", "goal"), "edits the file, not the screen: use --env doc"),
        (("--agent", "pptpilot", "--model", "m"), "use --env doc"),
        (
            ("--env", "doc", "--agent", "pptpilot", "--model", "m", "--option", "router=luck"),
            "router: expected one of rules, model, program, xml",
        ),
        (
            ("--env", "doc", "--agent", "model", "--model", "m", "--dialect", "qwen3-vl"),
            "expected a dialect of tools, json",
        ),
        (("--env", "doc", "--agent", "macro"), "--agent macro needs a screen"),
        (
            ("--env", "doc", "--agent", "random", "--tools", "xml"),
            "leave out --tools",
        ),
        (("--env", "doc", "--agent", "goal", "--machine", "fake"), "leave out --machine"),
    ],
)
def test_incompatible_options_are_refused(cli: Cli, arguments: tuple[str, ...], said: str) -> None:
    done = cli("run", *arguments, "--task", TASK, "--out", "out", code=2)
    assert said in " ".join(done.stderr.split())
    assert not Path("out").exists()
