import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
TASK = ("--task", "meridian-hide-backup")
PARTS = ("reset", "step", "action", "settle", "screenshot", "tree", "score")


def test_json_has_the_documented_keys(cli: Cli) -> None:
    done = cli("dev", "bench", "--machine", "fake", "--steps", "45", "--json")
    figures = json.loads(done.stdout)
    assert (figures["machine"], figures["steps"]) == ("fake", 45)
    for part in PARTS:
        assert 0 <= figures[f"{part}_sec"]["p50"] <= figures[f"{part}_sec"]["p95"]
    assert figures["steps_per_sec"] > 0
    assert "memory_mb" in figures
    assert figures["samples"]["reset"] == 5
    assert figures["samples"]["score"] > 0
    assert figures["infra_errors"] == []


def test_table_lists_every_phase(cli: Cli) -> None:
    text = cli("dev", "bench", "--machine", "fake", "--steps", "5").stdout
    for word in (
        "reset",
        "step",
        "wait until idle",
        "screenshot",
        "tree",
        "score",
        "steps per second",
    ):
        assert word in text


def test_scoring_is_measured_without_a_machine(cli: Cli) -> None:
    figures = json.loads(cli("dev", "bench", "--scoring", "--steps", "3", "--json").stdout)
    assert (figures["slides"], figures["samples"]) == (40, 3)
    assert 10 <= figures["file_mb"] <= 12
    for part in ("read", "diff", "score", "total", "read_again", "read_alone"):
        assert 0 < figures[f"{part}_sec"]["p50"] <= figures[f"{part}_sec"]["p95"]
    assert figures["target_met"] == (figures["total_sec"]["p50"] <= figures["target_sec"])
    text = cli("dev", "bench", "--scoring", "--steps", "1").stdout
    for word in ("40 slides", "read the edited deck", "match and diff", "first read", "150 ms"):
        assert word in text


def test_elements_are_measured_on_stored_screens(cli: Cli, tmp_path: Path) -> None:
    run = tmp_path / "run"
    cli("run", "--agent", "demonstration", "--machine", "fake", "--out", str(run), *TASK)
    command = ("dev", "bench", "--elements", str(run), "--detectors", "boxes", "--steps", "3")
    results = json.loads(cli(*command, "--json").stdout)
    assert (results["screens"], set(results["detectors"])) == (3, {"boxes", "all"})
    assert results["detectors"]["all"]["recall_click"] > 0.5
    text = cli(*command).stdout
    for word in ("recall, click", "targets detected", "CPU time, median", "button"):
        assert word in text
