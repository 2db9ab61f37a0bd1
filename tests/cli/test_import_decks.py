"""``pptarena runs import``: a folder of decks becomes a run."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pptarena.tasks import list_tasks
from pptarena.tasks.goals import goal_deck

Here = Callable[..., tuple[object, str, str]]
SOLVED, OTHER = list_tasks("starter")[:2]


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / f"{SOLVED.id}.pptx").write_bytes(goal_deck(SOLVED))
    (tmp_path / "results" / "notes.txt").touch()
    return tmp_path / "results"


def imported(here: Here, *options: str) -> tuple[dict[str, Any], str]:
    import_options = ("import", "results", "--suite", "starter", "--agent", "Co Pilot", "--as-is")
    code, out, errors = here("runs", *import_options, "--json", *options)
    assert code == 0, errors
    result: dict[str, Any] = json.loads(out)
    return result, errors


@pytest.mark.slow
def test_results_become_a_run(here: Here, results: Path) -> None:
    result, _ = imported(here)
    assert (result["out"], result["tasks"]) == ("runs/Co_Pilot", len(list_tasks("starter")))
    (episode,) = result["episodes"]
    assert (episode["task"], episode["score"], episode["problem"]) == (SOLVED.id, 1.0, None)
    assert result["unknown"] == ["notes.txt"]
    assert len(result["missing"]) == result["tasks"] - 1
    assert {"task": OTHER.id, "why": "no file"} in result["missing"]
    assert Path(episode["path"], "final.pptx").is_file()
    options = ("--suite", "starter", "--agent", "b", "--as-is")
    code, _, errors = here("import-results", "results", *options)
    assert code == 0
    assert "'import-results' is now 'runs import'" in errors


def test_missing_results_can_count_as_zero(here: Here, results: Path) -> None:
    result, _ = imported(here, "--missing", "zero", "--task", SOLVED.id, "--task", OTHER.id)
    assert {each["task"]: each["score"] for each in result["episodes"]} == {
        SOLVED.id: 1.0,
        OTHER.id: 0.0,
    }
    assert result["summary"][-1]["mean_score"] == 0.5
    code, _, errors = here("runs", "import", "results", "--agent", "a", "--missing", "no")
    assert code == 2
    assert "--missing" in errors


def test_summary_is_readable(here: Here, results: Path) -> None:
    options = ("import", "results", "--suite", "starter", "--agent", "a", "--as-is")
    code, out, errors = here("runs", *options)
    assert code == 0
    assert f"1 of {len(list_tasks('starter'))} tasks have a result: runs/a" in out
    assert f"missing {OTHER.id}: no file" in errors
    assert "skipped notes.txt: no task has this id" in errors


def test_other_settings_need_another_folder(here: Here, results: Path) -> None:
    imported(here, "--out", "run")
    code, _, errors = here(
        "runs", "import", "results", "--suite", "starter", "--agent", "a", "--out", "run"
    )
    assert code in (1, 2)  # 1 without a machine image
    assert "settings" in errors or "image" in errors


def test_results_have_no_actions(here: Here, results: Path) -> None:
    imported(here)
    code, _, errors = here("runs", "replay", "runs/Co_Pilot")
    assert (code, "no actions to repeat" in errors) == (1, True)
    code, _, errors = here("runs", "export", "runs/Co_Pilot", "--format", "chat", "--out", "e")
    assert (code, "runs/Co_Pilot" in errors) == (1, True)
