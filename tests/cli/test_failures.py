"""``pptarena runs failures``: one table over all agents, and pages."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pptarena.rollouts.imported_decks import DeckImporter, find_submissions
from pptarena.tasks import list_tasks
from pptarena.tasks.goals import goal_deck

Here = Callable[..., tuple[object, str, str]]
SOLVED, IDLE = list_tasks("starter")[:2]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / f"{SOLVED.id}.pptx").write_bytes(goal_deck(SOLVED))
    (tmp_path / "results" / f"{IDLE.id}.pptx").write_bytes(IDLE.deck_bytes())
    found = find_submissions(tmp_path / "results", [SOLVED, IDLE])
    list(DeckImporter(tmp_path / "run", "product").run(found.submissions))
    return tmp_path / "run"


def test_endings_are_counted_and_shown(here: Here, run: Path) -> None:
    options = ("--out", "pages", "--no-slides")
    code, out, errors = here("runs", "failures", "run", *options, "--json")
    assert code == 0, errors
    found = json.loads(out)
    assert {each["task"]: (each["ending"], each["cause"]) for each in found["episodes"]} == {
        SOLVED.id: ("solved", ""),
        IDLE.id: ("done too early", "no change"),
    }
    assert found["rows"][0]["endings"]["solved"] == 1
    assert found["pages"] == ["pages/index.html", "pages/done-too-early.html"]
    assert IDLE.id in Path("pages/done-too-early.html").read_text("utf-8")
    code, out, _ = here("runs", "failures", "run")
    assert code == 0
    assert "How episodes ended" in out
    code, out, _ = here("runs", "compare", "run")
    assert "How episodes ended" in out


def test_pages_need_a_folder(here: Here, run: Path) -> None:
    Path("pages").touch()
    code, _, errors = here("runs", "failures", "run", "--out", "pages")
    assert (code, "is a file; name a folder" in errors) == (2, True)
