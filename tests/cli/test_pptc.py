"""PPTC by the command line: import, its agents, and `pptarena runs rescore`."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

Cli = Callable[..., "subprocess.CompletedProcess[str]"]


def test_sessions_are_imported_played_and_judged(cli: Cli, pptc_copy: Path) -> None:
    output = cli("tasks", "import", "pptc", str(pptc_copy), "--out", "sessions").stdout
    assert "2 of 2 sessions with 6 turns imported: 2 tasks" in output
    assert "1 turns whose label changes nothing are merged with the next turn, 1 are" in output
    cli("tasks", "import", "pptc", str(pptc_copy), "--out", "by-turn", "--form", "turn", "--json")
    label = ("run", "--env", "doc", "--agent", "pptc-label", "--out", "runs", "--json")
    for suite in ("sessions", "by-turn"):
        value = json.loads(cli(*label, "--suite", suite).stdout)
        assert {each["score"] for each in value["episodes"]} == {1.0}
    session, turn = json.loads(cli("runs", "rescore", "runs", "--as", "pptc", "--json").stdout)[
        "rows"
    ]
    assert (session["form"], session["units"], session["mean_apis"]) == ("session", 2, 4.5)
    assert (turn["form"], turn["units"], turn["published"]["accuracy"]) == ("turn", 4, 1.0)
    for row in (session, turn):
        assert (row["strict"]["accuracy"], row["mean_score"]) == (1.0, 1.0)
    assert session["turns"]["passed"] == 4
    assert session["lengths"] == {"1-4": session["published"]}
    assert {name: each["passed"] for name, each in turn["modalities"].items()} == {
        "position": 1,
        "text": 3,
    }
    assert session["calls"] == {"calls": 9, "failed": 0, "unreadable": 0, "unknown": {}}
    assert "100.0 % of 4" in cli("runs", "rescore", "runs", "--as", "pptc").stdout


def test_baselines_play(cli: Cli, server: Any, pptc_copy: Path) -> None:
    cli("tasks", "import", "pptc", str(pptc_copy), "--out", "by-turn", "--form", "turn")
    server.default = "<code>choose_title();insert_text('Tents');</code>"
    model = ("--model", "me/tiny", "--base-url", server.url, "--option", "input_price_usd=1000")
    agents = ("--agent", "pptc-cot", "--agent", "pptc-api")
    run = ("run", "--env", "doc", *agents, *model, "--suite", "by-turn", "--out", "runs", "--json")
    value = json.loads(cli(*run).stdout)
    assert {each["agent"] for each in value["models"]} == {"tiny--pptc-cot", "tiny--pptc-api"}
    api, cot = json.loads(cli("runs", "rescore", "runs", "--as", "pptc", "--json").stdout)["rows"]
    assert (api["agent"], cot["agent"]) == ("tiny--pptc-api", "tiny--pptc-cot")
    # The first turn is right; in the others a title was added.
    assert (cot["published"]["passed"], cot["published"]["failed"]) == (1, 3)
    assert cot["published"]["causes"]["text"] == 3
    assert (cot["mean_tokens"], cot["mean_apis"]) == (90, 2)
    assert cot["cost_usd"] == pytest.approx(4 * 0.09)
    cli("runs", "compare", "runs")


def test_failed_calls_and_errors_are_counted(cli: Cli, server: Any, pptc_copy: Path) -> None:
    cli("tasks", "import", "pptc", str(pptc_copy), "--out", "by-turn", "--form", "turn")
    replies = {
        "Tents.": "choose_title();\ninsert_text('Tents');",
        "left.": "insert_star();\nalign_slide_right();\npaint_red();",
        "red.": "paint_red();\nAPI(), API()",
        "bold.": "choose_chart();",
    }

    def reply(request: dict[str, Any]) -> str:
        word = request["messages"][-1]["content"].split()[-1]
        return f"<code>\n{replies[word]}\n</code>"

    server.default = reply
    model = ("--agent", "pptc-zero-shot", "--model", "m", "--base-url", server.url)
    cli("run", "--env", "doc", *model, "--suite", "by-turn", "--out", "runs")
    (row,) = json.loads(cli("runs", "rescore", "runs", "--as", "pptc", "--json").stdout)["rows"]
    assert (row["dataset"], row["published"]["passed"]) == ("create", 1)
    assert row["calls"] == {"calls": 8, "failed": 4, "unreadable": 1, "unknown": {"paint_red": 2}}
    assert row["errors"] == {
        "unknown API": 2,
        "position": 1,
        "unreadable call": 1,
        "failed call": 1,
    }
    output = cli("runs", "rescore", "runs", "--as", "pptc").stdout
    assert "unknown APIs: paint_red 2" in output
    assert "25.0 % of 8" in output


def test_model_calls_pptc_functions(cli: Cli, server: Any, pptc_copy: Path) -> None:
    cli("tasks", "import", "pptc", str(pptc_copy), "--out", "by-turn", "--form", "turn")
    server.script = [
        '{"name": "choose_shape", "arguments": {"shape_name": "star"}} '
        '{"name": "set_fill_color", "arguments": {"color": "red"}}',
        '{"name": "done"}',
    ]
    model = ("--agent", "model", "--model", "m", "--base-url", server.url, "--dialect", "json")
    tasks = ("--task", "by-turn/pptc-create-3-turn-3.json", "--tools", "pptc")
    value = json.loads(cli("run", "--env", "doc", *model, *tasks, "--out", "r", "--json").stdout)
    assert [each["score"] for each in value["episodes"]] == [1.0]
    output = server.requests[0]["messages"][-1]["content"]
    assert "You are at page 0" in output
    assert "Asked before: Name the slide Tents.\nThat was done by: choose_title();" in output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--env", "doc", "--agent", "pptc-cot"), "add --model NAME"),
        (("--env", "doc", "--agent", "pptc-magic", "--model", "m"), "agent 'pptc-magic' not found"),
        (("--env", "doc", "--agent", "pptc-label", "--agent", "goal"), "use its own tools"),
        (("--agent", "pptc-label"), "use --env doc"),
        (("--env", "doc", "--agent", "goal", "--tools", "paper"), "expected some of edit, program"),
    ],
)
def test_incompatible_options_are_refused(cli: Cli, arguments: tuple[str, ...], said: str) -> None:
    done = cli("run", *arguments, "--task", "meridian-hide-backup", "--out", "out", code=2)
    assert said in " ".join(done.stderr.split())


def test_other_runs_and_folders_are_refused(cli: Cli, pptc_copy: Path, tmp_path: Path) -> None:
    cli("run", "--env", "doc", "--agent", "goal", "--task", "meridian-hide-backup", "--out", "a")
    assert "expected a task of" in " ".join(
        cli("runs", "rescore", "a", "--as", "pptc", code=1).stderr.split()
    )
    assert "found no episodes" in cli("pptc", str(pptc_copy), code=2).stderr
    assert "exists and is not an empty folder" in " ".join(
        cli("tasks", "import", "pptc", str(pptc_copy), "--out", "a", code=2).stderr.split()
    )
    (tmp_path / "none").mkdir()
    assert "found none" in cli("tasks", "import", "pptc", "none", "--out", "b", code=1).stderr
