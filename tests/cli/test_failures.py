"""``pptarena runs failures``: one table over all agents, and pages."""

import json
from collections.abc import Callable
from pathlib import Path

from pptarena.tasks import list_tasks

Here = Callable[..., tuple[object, str, str]]
SOLVED, IDLE = list_tasks("starter")[:2]


def test_endings_are_counted_and_shown(here: Here, product_run: Path) -> None:
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
    assert "<dt>solved</dt>" in Path("pages/index.html").read_text("utf-8")
    code, out, _ = here("runs", "failures", "run")
    assert code == 0
    assert "How episodes ended" in out
    code, out, _ = here("runs", "compare", "run")
    assert "How episodes ended" in out


def test_pages_need_a_folder(here: Here, product_run: Path) -> None:
    Path("pages").touch()
    code, _, errors = here("runs", "failures", "run", "--out", "pages")
    assert (code, "is a file; name a folder" in errors) == (2, True)
