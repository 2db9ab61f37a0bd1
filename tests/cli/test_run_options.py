"""``run``: options of the environment, and runs that end early."""

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pptarena.rollouts.store import read_meta

pytestmark = pytest.mark.slow

Cli = Callable[..., Any]
TASK = "meridian-hide-backup"
FAKE = ("--agent", "random", "--machine", "fake", "--task", TASK, "--max-steps", "3")
SMALL = (
    *("--env-option", "width_px=640", "--env-option", "height_px=360"),
    *("--env-option", "score_when=end", "--env-option", "memory_limit_bytes=1073741824"),
)
OPTIONS = {
    "width_px": 640,
    "height_px": 360,
    "score_when": "end",
    "memory_limit_bytes": 2**30,
}


def test_environment_options_are_used_recorded_and_replayed(cli: Cli, tmp_path: Path) -> None:
    cli("run", *FAKE, *SMALL, "--out", "one")
    meta = read_meta(tmp_path / "one/random" / TASK / "seed-0")
    assert meta.screen == (640, 360)
    assert meta.env_options == OPTIONS
    replayed = json.loads(cli("runs", "replay", "one", "--exact", "--json").stdout)
    assert replayed["identical"] == replayed["total"] == 1

    second = ("run", *FAKE, "--out", "one")
    refused = cli(*second, code=2).stderr
    assert "one has episodes with other settings (screen: [640, 360], now [1280, 720]" in refused
    assert '"score_when": "end"' in refused
    assert "use the same settings, or choose another --out" in refused
    cli(*second, *SMALL)


def test_manifest_records_the_run_options(cli: Cli, tmp_path: Path) -> None:
    run = ("run", *FAKE, "--out", "data")
    cli(*run, *SMALL, "--env-option", "reward=sparse")
    manifest = json.loads((tmp_path / "data/manifest.json").read_text("utf-8"))
    assert manifest["options"] == {**OPTIONS, "reward": "sparse"}
    assert (manifest["screen"], manifest["reward"]) == ([640, 360], "sparse")
    meta = read_meta(tmp_path / "data/random" / TASK / "seed-0")
    assert (meta.reward, meta.screen) == ("sparse", (640, 360))
    refused = cli(*run, code=2).stderr
    assert 'reward: "sparse", now "dense"' in refused
    assert "has episodes with other settings" in refused
    cli(*run, *SMALL, "--env-option", "reward=sparse", "--repeats", "2")


def test_document_runs_have_options(cli: Cli, tmp_path: Path) -> None:
    run = ("run", "--env", "doc", "--agent", "goal", "--task", TASK, "--out", "one")
    cli(*run, "--env-option", "reward=sparse")
    meta = read_meta(tmp_path / "one/goal" / TASK / "seed-0")
    assert (meta.reward, meta.env_options) == ("sparse", {"reward": "sparse"})
    refused = cli(*run[:-1], "two", "--env-option", "width_px=640", code=2).stderr
    assert "option 'width_px' not found" in refused


def _dead_address() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/v1"


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("env", ["screen", "doc"])
def test_unreachable_service_ends_the_run(cli: Cli, env: str, workers: str, tmp_path: Path) -> None:
    address = _dead_address()
    location = ("--env", "doc", "--dialect", "json") if env == "doc" else ("--machine", "fake")
    model = ("--agent", "model", "--model", "m", "--base-url", address, "--option", "retries=0")
    done = cli("run", *location, "--workers", workers, *model, "--out", "out", code=1)
    assert f"Cannot reach {address}: connection refused. No episode was scored." in done.stderr
    assert "replay" not in done.stdout
    assert not list((tmp_path / "out").rglob("meta.json"))


def test_rejected_key_reports_that_nothing_was_scored(cli: Cli, server: Any) -> None:
    server.default = {"status": 401}
    model = ("--agent", "model", "--model", "m", "--base-url", server.url)
    done = cli("run", "--machine", "fake", *model, "--task", TASK, "--out", "out", code=1)
    assert "No episode was scored." in done.stderr


def test_failed_run_does_not_suggest_a_deck(cli: Cli, server: Any) -> None:
    server.default = {"status": 503}
    model = ("--agent", "model", "--model", "m", "--base-url", server.url, "--retries", "0")
    retries = ("--option", "retries=0", "--task", TASK)
    done = cli("run", "--machine", "fake", *model, *retries, "--out", "out", code=1)
    assert "No episode was scored: EndpointError: the service did not answer" in done.stdout
    assert f"({server.url})" in done.stdout
    assert "final.pptx" not in done.stdout


def test_missing_demonstrations_end_the_run_before_it_starts(cli: Cli, tmp_path: Path) -> None:
    run = ("run", "--agent", "demonstration", "--machine", "fake", "--suite", "bench")
    done = cli(*run, "--out", "out", code=1)
    assert "112 of 120 tasks have no recorded demonstration; use --agent macro" in done.stderr
    assert not (tmp_path / "out").exists()
    refused = cli(*run, "--sample", "500", "--out", "out", code=2).stderr
    assert "--sample 500: the suite bench has 120 tasks" in refused


def test_broken_demonstrations_are_a_failure(cli: Cli, tmp_path: Path) -> None:
    run = ("run", "--agent", "demonstration", "--machine", "fake", "--out", "out")
    tasks = ("--task", "meridian-hide-backup", "--task", "meridian-board-version")
    done = cli(*run, *tasks, code=1)
    assert "1 of 2 demonstrations could not be continued. The machine 'fake' has no" in done.stderr
    assert len(list((tmp_path / "out").rglob("meta.json"))) == 2


def test_played_suite_is_recorded(cli: Cli, tmp_path: Path) -> None:
    for suite in ("bench", "bench-fast", "starter"):
        run = ("run", "--env", "doc", "--agent", "random", "--suite", suite, "--max-steps", "1")
        cli(*run, "--sample", "2", "--out", suite)
        metas = [read_meta(file.parent) for file in (tmp_path / suite).rglob("meta.json")]
        assert [meta.suite for meta in metas] == [suite] * 2
        cli(
            "runs",
            "export",
            suite,
            "--format",
            "atif",
            "--out",
            f"{suite}-a",
            "--filter",
            f"suite={suite}",
        )
        assert f"| {suite} | 2 |" in (tmp_path / f"{suite}-a/README.md").read_text("utf-8")
