"""``pptarena grow``."""

import json
from pathlib import Path

import pytest
from pptx import Presentation
from typer.testing import CliRunner

from pptarena.cli.app import app
from pptarena.tasks import SuiteFile
from pptarena.tasks.deck_files import read_deck_file

pytestmark = pytest.mark.slow

runner = CliRunner()


def test_suite_is_generated_from_a_folder_of_decks(tmp_path: Path) -> None:
    decks = tmp_path / "decks"
    decks.mkdir()
    (decks / "mine.pptx").write_bytes(read_deck_file("meridian"))
    (decks / "broken.pptx").write_bytes(b"no deck")
    out = tmp_path / "suite.jsonl"
    arguments = ["generate", "--decks", str(decks), "--count", "12", "--prove", "file"]
    arguments += ["--out", str(out)]
    result = runner.invoke(app, [*arguments, "--workers", "1", "--json"])
    assert result.exit_code == 0, result.output
    output = json.loads(result.stdout)
    assert output["tasks"] == 12
    assert list(output["skipped_decks"]) == ["decks/broken.pptx"]
    tasks = list(SuiteFile(out))
    assert len({task.id for task in tasks}) == 12
    assert all(task.deck_bytes() for task in tasks)
    assert sum(SuiteFile(out).splits.values()) == 12
    second = runner.invoke(app, arguments)
    assert "exists; choose" in str(second.exception)


def test_only_requested_edits_and_depths_are_generated(tmp_path: Path) -> None:
    out = tmp_path / "suite.jsonl"
    arguments = ["generate", "--decks", "meridian", "--count", "12", "--prove", "file"]
    arguments += ["--out", str(out)]
    arguments += ["--operators", "delete-slide, bold-text", "--depth", "1", "--workers", "1"]
    result = runner.invoke(app, arguments)
    assert result.exit_code == 0, result.output
    grown = [json.loads(line)["grown"] for line in out.read_text("utf-8").splitlines()]
    assert {each["depth"] for each in grown} == {1}
    assert {name for each in grown for name in each["operators"]} == {"delete-slide", "bold-text"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--decks", "nowhere", "--out", "s.jsonl"], "neither a .pptx file, a folder"),
        (["--decks", "meridian", "--out", "s.json"], "does not end in .jsonl"),
        (["--decks", "meridian", "--out", "s.jsonl", "--prove", "x"], "proof 'x' not found"),
        (
            ["--decks", "meridian", "--out", "s.jsonl", "--operators", "bald"],
            "operator 'bald' not found",
        ),
        (["--decks", "meridian", "--out", "s.jsonl", "--operators", ","], "got none"),
        (["--decks", "meridian", "--out", "s.jsonl", "--depth", "6"], "a depth from 1 to 5, got 6"),
    ],
)
def test_usage_errors_are_explained(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = runner.invoke(app, ["generate", *words])
    assert message in str(result.exception)
    assert list(tmp_path.iterdir()) == []


def test_fewer_tasks_than_requested_are_a_failure(tmp_path: Path) -> None:
    Presentation().save(str(tmp_path / "empty.pptx"))
    out = tmp_path / "suite.jsonl"
    arguments = ["--decks", str(tmp_path / "empty.pptx"), "--count", "5", "--out", str(out)]
    result = runner.invoke(app, ["generate", *arguments, "--prove", "file", "--workers", "1"])
    assert result.exit_code == 1
    assert "the deck has no slides" in result.output
    assert not out.exists()
