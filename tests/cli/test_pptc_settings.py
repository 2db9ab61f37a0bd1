"""PPTC's settings and wordings by the command line, and ``pptarena dev pptc-labels``."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

Cli = Callable[..., "subprocess.CompletedProcess[str]"]


def words(text: str) -> str:
    return " ".join(text.split())


def rows(cli: Cli, run: str) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = json.loads(
        cli("runs", "rescore", run, "--as", "pptc", "--json").stdout
    )["rows"]
    return results


def test_labels_are_played_and_judged_in_their_setting(cli: Cli, pptc_copy: Path) -> None:
    lack = ("tasks", "import", "pptc", str(pptc_copy), "--setting", "lack", "--out")
    assert "2 turns ask for help, 2 only for help" in cli(*lack, "sessions").stdout
    cli(*lack, "by-turn", "--form", "turn")
    label = ("run", "--env", "doc", "--agent", "pptc-label", "--out", "runs", "--json")
    for suite in ("sessions", "by-turn"):
        value = json.loads(cli(*label, "--suite", suite).stdout)
        assert {each["score"] for each in value["episodes"]} == {1.0}
    session, turn = rows(cli, "runs")
    for row in (session, turn):
        assert (row["setting"], row["wording"], row["strict"]["accuracy"]) == ("lack", "", 1.0)
    # The star that cannot be inserted should be on the left, says the published checker.
    assert (turn["published"]["passed"], turn["published"]["failed"]) == (3, 1)
    assert turn["published"]["causes"] == {"position violated": 1}
    output = cli("runs", "rescore", "runs", "--as", "pptc").stdout
    assert "setting" in output
    assert "pptc-label, create by turn, lack, published: position violated 1" in output


def test_table_without_settings_has_no_settings_column(cli: Cli, pptc_copy: Path) -> None:
    cli("tasks", "import", "pptc", str(pptc_copy), "--out", "plain")
    cli("run", "--env", "doc", "--agent", "pptc-label", "--out", "runs", "--suite", "plain")
    assert "setting" not in cli("runs", "rescore", "runs", "--as", "pptc").stdout


def test_baselines_receive_the_available_apis(cli: Cli, server: Any, pptc_copy: Path) -> None:
    model = ("--model", "m", "--base-url", server.url, "--agent", "pptc-zero-shot")
    task = "pptc-{}-create-3-turn-3.json"
    for setting, answer, verdicts in (
        ("lack", "seek_assistance();", (1, 1)),
        ("lack", "insert_star();", (0, 0)),
        ("lack", "choose_title();", (1, 0)),
        ("update", "choose_shape('star');set_fill_color('red');", (1, 1)),
        ("update", "choose_shape('star');set_fill_color('red');embed_fonts();", (0, 0)),
    ):
        name = f"{setting}-{len(answer)}"
        cli(
            *("tasks", "import", "pptc", str(pptc_copy), "--out", name, "--form", "turn"),
            *("--setting", setting),
        )
        server.default = f"<code>{answer}</code>"
        tasks = ("--task", f"{name}/{task.format(setting)}", "--out", f"run-{name}")
        cli("run", "--env", "doc", *model, *tasks)
        (row,) = rows(cli, f"run-{name}")
        assert (row["published"]["passed"], row["strict"]["passed"]) == verdicts
        details = server.requests[-1]["messages"][-1]["content"].partition("The presentation:")[0]
        assert ("seek_assistance(): Ask a person for help" in details) == (setting == "lack")
        assert ("insert_star()" in details) == (setting != "lack")
        assert ("\nembed_fonts(): " in details) == (setting == "update")


def test_wording_row_includes_the_setting(cli: Cli, pptc_copy: Path, tmp_path: Path) -> None:
    file = tmp_path / "fr.json"
    file.write_text(json.dumps({"5": ["Écris Hello.", "Choisis la table."]}), "utf-8")
    cli("tasks", "import", "pptc", str(pptc_copy), "--out", "fr", "--instructions", "fr.json")
    cli("run", "--env", "doc", "--agent", "pptc-label", "--out", "runs", "--suite", "fr")
    (row,) = rows(cli, "runs")
    assert (row["setting"], row["wording"], row["strict"]["passed"]) == ("", "fr", 1)
    task = json.loads((tmp_path / "fr" / "pptc-fr-create-5.json").read_text("utf-8"))
    assert task["instruction"] == "Écris Hello."


def test_tools_follow_the_tasks(cli: Cli, server: Any, pptc_copy: Path) -> None:
    for setting in ("plain", "lack"):
        cli("tasks", "import", "pptc", str(pptc_copy), "--out", setting, "--setting", setting)
    model = ("--agent", "model", "--model", "m", "--base-url", server.url)
    server.default = "<tool_call>nothing</tool_call>"
    lack = ("--task", "lack/pptc-lack-create-3.json", "--max-steps", "1")
    cli("run", "--env", "doc", *model, *lack, "--tools", "pptc", "--out", "a")
    details = {each["function"]["name"] for each in server.requests[-1]["tools"]}
    assert "seek_assistance" in details
    assert "insert_star" not in details
    label = ("run", "--env", "doc", "--agent", "pptc-label", "--out", "b")
    both = ("--task", "lack/pptc-lack-create-3.json", "--task", "plain/pptc-create-3.json")
    output = cli(*label, *both, code=2).stderr
    assert "the tasks have several settings of PPTC (lack, plain)" in words(output)
    for suite, tools in (("lack", "pptc-update"), ("plain", "pptc-lack")):
        output = cli(*label, "--suite", suite, "--tools", tools, code=2).stderr
        assert "the setting of the tasks needs --tools pptc" in words(output)


def test_labels_of_a_copy_are_checked(cli: Cli, pptc_copy: Path) -> None:
    value = json.loads(cli("dev", "pptc-labels", str(pptc_copy), "--json").stdout)
    counts = {name: value[name] for name in ("setting", "sessions", "turns", "seeks", "made")}
    assert counts == {"setting": "", "sessions": 2, "turns": 6, "seeks": 0, "made": 6}
    assert (value["failed"], value["problems"]) == (1, [])
    results = {(row["deck"], row["form"]): row for row in value["rows"]}
    own, nothing = results["label", "turn"], results["nothing", "turn"]
    assert (own["published"]["passed"], own["strict"]["passed"]) == (6, 4)
    # Two labels change nothing: the published checker passes who does nothing, too.
    assert (nothing["published"]["passed"], nothing["published"]["failed"]) == (2, 4)
    assert (nothing["strict"]["passed"], nothing["strict"]["unjudged"]) == (0, 2)
    assert nothing["strict"]["causes"]["label changes nothing"] == 2
    assert results["nothing", "session"]["strict"]["passed"] == 0
    assert results["label, by the original's", "turn"]["published"]["passed"] == 6
    output = cli("dev", "pptc-labels", str(pptc_copy)).stdout
    assert "2 sessions with 6 turns" in output
    assert "2 of 6" in output
    assert "nothing, by turn, strict: " in output


def test_label_check_reveals_faults_of_the_original(cli: Cli, pptc_copy: Path) -> None:
    path = pptc_copy / "PPT_test_input" / "Create_new_slides" / "session_5.json"
    text = path.read_text("utf-8")
    path.write_text(text.replace("choose_table()", "insert_pie_chart([1, 2])"), "utf-8")
    value = json.loads(cli("dev", "pptc-labels", str(pptc_copy), "--json").stdout)
    row = next(each for each in value["rows"] if each["deck"].startswith("label, by"))
    assert (row["published"]["failed"], row["published"]["causes"]) == (1, {"data": 1})


def test_labels_are_checked_in_a_setting(cli: Cli, pptc_copy: Path) -> None:
    lack = ("dev", "pptc-labels", str(pptc_copy), "--setting", "lack", "--json")
    value = json.loads(cli(*lack).stdout)
    assert (value["setting"], value["seeks"]) == ("lack", 2)
    results = {(row["deck"], row["form"]): row for row in value["rows"]}
    assert results["nothing", "turn"]["strict"]["passed"] == 0
    assert results["nothing", "turn"]["strict"]["causes"]["help"] == 2
    assert results["label", "turn"]["strict"]["failed"] == 0


def test_unjudgeable_session_is_reported(cli: Cli, pptc_copy: Path) -> None:
    sessions = pptc_copy / "PPT_test_input" / "Create_new_slides"
    sessions.rename(sessions.with_name("Edit_PPT_template"))
    done = cli("dev", "pptc-labels", str(pptc_copy), code=1)
    assert "0 sessions with 0 turns" in done.stdout
    assert "expected the deck that it edits" in words(done.stderr)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("pptc",), 2, "Missing argument"),
        (("runs", "rescore", "a"), 1, "a does not exist"),
        (("runs", "rescore", "a", "--as", "pptcc"), 2, "Did you mean 'pptc'?"),
        (("pptc", "a", "--setting", "lack"), 2, "No such option: '--setting'"),
        (("pptc", "--check-labels", "none"), 1, "found none"),
        (("pptc", "--check-labels", ".", "--setting", "x"), 1, "expected plain, lack or update"),
        (
            ("tasks", "import", "pptc", ".", "--out", "x", "--setting", "x"),
            1,
            "expected plain, lack or upd",
        ),
        (("tasks", "import", "pptc", ".", "--out", "x", "--instructions", "x.txt"), 1, "x.txt"),
    ],
)
def test_incompatible_options_are_refused(
    cli: Cli, arguments: tuple[str, ...], code: int, said: str
) -> None:
    assert said in words(cli(*arguments, code=code).stderr)
