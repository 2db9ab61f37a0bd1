"""Deck paths of a generated suite: none leads out of the folder of the suite."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from pptarena.cli import generate
from pptarena.tasks import list_tasks
from pptarena.tasks.allowed_folders import VARIABLE
from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.generator import GenerationReport, TaskOptions


def test_decks_outside_the_suite_are_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write_task: Any
) -> None:
    monkeypatch.setenv(VARIABLE, "")
    data = read_deck_file("meridian")
    for location in ("suites/mine/inside.pptx", "decks/outside.pptx", "decks/unused.pptx"):
        (tmp_path / location).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / location).write_bytes(data)
    (tmp_path / "suites/mine/link.pptx").symlink_to(tmp_path / "decks/outside.pptx")
    out = tmp_path / "suites/suite.jsonl"
    names = [str(tmp_path / "suites/mine"), str(tmp_path / "decks"), "harbor"]
    decks = generate._decks(names, out)
    copies = f"suite-decks/{hashlib.sha256(data).hexdigest()[:16]}"
    assert [deck.label for deck in decks] == [
        "mine/inside.pptx",
        *(f"{copies}/{name}.pptx" for name in ("link", "outside", "unused")),
        "harbor",
    ]
    task = json.loads((write_task("bold-title") / "task.json").read_text("utf-8"))
    used = [deck.label for deck in decks if "unused" not in deck.label]
    rows = [{**task, "id": f"task-{n}", "deck": label} for n, label in enumerate(used)]
    monkeypatch.setattr("pptarena.tasks.generator.generate_tasks", lambda *_: iter(rows))
    results = list(generate._rows(decks, 4, 0, 1, False, out, GenerationReport(), TaskOptions()))
    assert not (out.parent / copies / "unused.pptx").exists()
    out.write_text("".join(f"{json.dumps(row)}\n" for row in results), "utf-8")
    tasks = list_tasks(out)
    assert [each.file_name for each in tasks] == [
        "inside.pptx", "link.pptx", "outside.pptx", "harbor.pptx",
    ]  # fmt: skip
    assert tasks[2].deck_bytes() == data
