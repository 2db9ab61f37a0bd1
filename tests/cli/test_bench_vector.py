import json
import subprocess
from collections.abc import Callable

import pytest

pytestmark = pytest.mark.slow

Cli = Callable[..., "subprocess.CompletedProcess[str]"]


def test_json_has_one_row_per_machine_count(cli: Cli) -> None:
    done = cli("dev", "bench", "--vector", "1,2", "--machine", "fake", "--steps", "30", "--json")
    figures = json.loads(done.stdout)
    assert figures["machine"] == "fake"
    assert figures["published_trajectories_per_min_and_replica"] == 1.4
    assert [row["machines"] for row in figures["vector"]] == [1, 2]
    for row in figures["vector"]:
        assert 30 * row["machines"] <= row["steps"] < 31 * row["machines"]
        per_minute = 2 * row["steps"] / row["wall_sec"]
        assert abs(row["trajectories_per_min"] - per_minute) < 0.02 * per_minute
        assert 0 < row["step_sec"]["p50"] <= row["step_sec"]["p95"]
        assert row["infra_errors"] == []


def test_table_compares_with_the_published_figure(cli: Cli) -> None:
    text = cli("dev", "bench", "--vector", "1", "--machine", "fake", "--steps", "1").stdout
    for word in ("trajectories per min", "times 1.4", "per machine", "Load average"):
        assert word in text


def test_machine_counts_must_be_numbers(cli: Cli) -> None:
    for wrong in ("0", "two", "1,,2"):
        assert (
            "--vector" in cli("dev", "bench", "--vector", wrong, "--machine", "fake", code=2).stderr
        )


def test_options_and_repeats(cli: Cli) -> None:
    command = ("dev", "bench", "--vector", "1", "--machine", "fake", "--steps", "1", "--json")
    figures = json.loads(cli(*command, "--repeats", "2", "--env-option", "score_when=end").stdout)
    assert figures["env_options"] == {"score_when": "end"}
    assert len(figures["vector"]) == 2
    for row in figures["vector"]:
        assert (row["steps"], row["trajectories"], row["infra_errors"]) == (30, 1, [])
        assert row["cpu_sec_per_step"] > 0
