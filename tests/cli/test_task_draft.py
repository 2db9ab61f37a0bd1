"""``pptarena tasks draft`` and ``tasks new`` as users run them."""

import io
import json
import re
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pptarena.rewards import load_rubric, load_scope, read_deck, score
from pptarena.tasks import load_task

pytestmark = pytest.mark.slow

Cli = Callable[..., "subprocess.CompletedProcess[str]"]


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture
def decks(lab: Any, tmp_path: Path) -> Path:
    """Put a deck and its gold where the commands run."""

    def edit(deck: Any) -> None:
        deck.slides[1].shapes.title.text = "What we talk about"
        box = lab.shape_named(deck, 5, "A")._element
        box.getparent().append(box)

    (tmp_path / "deck.pptx").write_bytes(lab.base)
    (tmp_path / "Agenda Retitled.pptx").write_bytes(lab.edited_bytes(edit))
    return tmp_path


DRAFT = ("tasks", "draft", "deck.pptx", "Agenda Retitled.pptx", "--instruction", "Retitle it.")


def test_draft_is_a_complete_folder(cli: Cli, decks: Path) -> None:
    done = cli(*DRAFT)
    folder = decks / "agenda-retitled"
    assert sorted(path.name for path in folder.iterdir()) == ["deck.pptx", "gold.pptx", "task.json"]
    task = json.loads((folder / "task.json").read_text("utf-8"))
    assert (task["version"], task["id"], task["instruction"]) == (
        2, "agenda-retitled", "Retitle it."
    )  # fmt: skip
    original, gold = (read_deck(folder / task[name]) for name in ("deck", "gold"))
    rubric, scope = load_rubric(task["rubric"]), load_scope(task["scope"])
    scores = [score(rubric, original, deck, scope, gold=gold).score for deck in (original, gold)]
    assert scores == [0, 1]
    text = flat(done.stdout)
    for expected in (
        "title_is 0.00 1.00 ok",
        "gold_match 0.00 1.00 ok",
        "nothing_else_changed 1.00 1.00 ok",
        "no check fits",
        "Next: review agenda-retitled/task.json, then pptarena tasks check agenda-retitled",
    ):
        assert expected in text, done.stdout


def test_draft_prints_only_json(cli: Cli, decks: Path) -> None:
    value = json.loads(cli(*DRAFT, "--id", "own-id", "--out", "here", "--json").stdout)
    assert list(value) == ["task", "scores", "leaves"]
    assert value["scores"] == {"original": 0.0, "goal": 1.0}
    assert [leaf["verdict"] for leaf in value["leaves"]] == ["ok"] * 3
    assert value["task"] == json.loads((decks / "here" / "task.json").read_text("utf-8"))
    assert value["task"]["id"] == "own-id"


def test_existing_folder_is_replaced_only_with_force(cli: Cli, decks: Path) -> None:
    cli(*DRAFT)
    file = decks / "agenda-retitled" / "task.json"
    file.write_text("mine", "utf-8")
    assert "exists: name a new folder, or overwrite the task with --force" in flat(
        cli(*DRAFT, code=1).stderr
    )
    assert file.read_text("utf-8") == "mine"
    cli(*DRAFT, "--force")
    assert json.loads(file.read_text("utf-8"))["id"] == "agenda-retitled"


def test_unrelated_folder_is_never_overwritten(cli: Cli, decks: Path) -> None:
    (decks / "other").mkdir()
    (decks / "other" / "letter.txt").write_text("dear you", "utf-8")
    done = cli(*DRAFT, "--out", "other", "--force", code=1)
    assert "is not a task folder, because it contains 'letter.txt'" in flat(done.stderr)
    done = cli(*DRAFT, "--out", "deck.pptx", code=1)
    assert "is a file: name a new folder" in flat(done.stderr)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("deck.pptx", "deck.pptx", "--instruction", "x"), 1, "expected a gold deck that differs"),
        (("deck.pptx", "none.pptx", "--instruction", "x"), 1, "none.pptx"),
        (("words.pptx", "Agenda Retitled.pptx", "--instruction", "x"), 1, "words.pptx"),
        (("deck.pptx", "Agenda Retitled.pptx", "--instruction", " "), 2, "--instruction is empty"),
        (("deck.pptx", "Agenda Retitled.pptx"), 2, "--instruction"),
        (
            ("deck.pptx", "Agenda Retitled.pptx", "--instruction", "x", "--id", "Not This"),
            1,
            "expected lower-case words joined by '-'",
        ),
    ],
)
def test_invalid_draft_is_refused_without_output(
    cli: Cli, decks: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    (decks / "words.pptx").write_text("no deck", "utf-8")
    before = sorted(decks.iterdir())
    done = cli("tasks", "draft", *arguments, code=code)
    assert said in flat(done.stderr)
    assert sorted(decks.iterdir()) == before


def test_new_task_lists_the_fields_to_fill_in(cli: Cli, decks: Path) -> None:
    done = cli("tasks", "new", "my-task", "--deck", "deck.pptx")
    task = json.loads((decks / "my-task" / "task.json").read_text("utf-8"))
    assert (task["version"], task["id"], task["deck"]) == (2, "my-task", "deck.pptx")
    assert (decks / "my-task" / "deck.pptx").read_bytes() == (decks / "deck.pptx").read_bytes()
    assert "WRITE HERE" in task["instruction"]
    load_rubric(task["rubric"])
    load_scope(task["scope"])
    assert "Fill in the fields marked WRITE HERE" in done.stdout
    assert "Next: pptarena tasks check my-task" in done.stdout
    second = cli("tasks", "new", "my-task", "--deck", "deck.pptx", code=1)
    assert "--force" in second.stderr


def test_files_are_copied_into_the_task_folder(cli: Cli, decks: Path) -> None:
    (decks / "costs.csv").write_text("a,b\n", "utf-8")
    cli("tasks", "new", "my-task", "--deck", "deck.pptx", "--file", "costs.csv")
    cli(*DRAFT, "--file", "costs.csv")
    for name in ("my-task", "agenda-retitled"):
        value = json.loads((decks / name / "task.json").read_text("utf-8"))
        assert value["files"] == ["files/costs.csv"]
    assert load_task(decks / "agenda-retitled").files_bytes() == {"costs.csv": b"a,b\n"}
    cli(*DRAFT, "--file", "costs.csv", "--force")
    second = ("tasks", "new", "next", "--deck", "deck.pptx", "--file")
    assert "cannot be read" in flat(cli(*second, "none.csv", code=1).stderr)


@pytest.mark.parametrize("command", ["draft", "new"])
def test_help_has_an_example(cli: Cli, command: str) -> None:
    assert f"Example: pptarena tasks {command}" in flat(cli("tasks", command, "--help").stdout)


def as_libreoffice_writes_it(deck: bytes) -> bytes:
    """Return a deck with LibreOffice's name in it and the list of contents at its end."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(deck)) as old, zipfile.ZipFile(file, "w") as new:
        names = [name for name in old.namelist() if name != "[Content_Types].xml"]
        for name in (*names, "[Content_Types].xml"):
            content = old.read(name)
            if name == "docProps/app.xml":
                content = re.sub(rb"(<Application>)[^<]*", rb"\1LibreOffice/25.2", content)
            new.writestr(name, content)
    return file.getvalue()


def test_decks_from_different_programs_cause_a_warning(cli: Cli, decks: Path) -> None:
    warning = "LibreOffice saved one of the two files"
    assert warning not in flat(cli(*DRAFT).stderr)
    file = decks / "deck.pptx"
    file.write_bytes(as_libreoffice_writes_it(file.read_bytes()))
    assert warning in flat(cli(*DRAFT, "--force").stderr)
