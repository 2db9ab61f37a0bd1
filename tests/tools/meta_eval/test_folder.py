import json
from pathlib import Path
from typing import Any

import pytest

from pptarena.errors import TaskError, UnknownTaskError
from pptarena.tasks import get_task
from tools.meta_eval import MANIFEST, Grade, submissions_in

TASK = "meridian-hide-backup"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks/same.pptx").write_bytes(get_task(TASK).deck_bytes())
    return tmp_path


def _write(folder: Path, *entries: Any, **more: Any) -> Path:
    (folder / MANIFEST).write_text(json.dumps({"attempts": entries, **more}), "utf-8")
    return folder


def _entry(**changes: Any) -> dict[str, Any]:
    return {"task": TASK, "deck": "decks/same.pptx", "grade": "none"} | changes


def test_folder_is_read(folder: Path) -> None:
    entry = _entry(grade="perfect", id="mine", why="It is.")
    first, second = submissions_in(_write(folder, _entry(), entry))
    assert (first.task, first.id, first.grade, first.why) == (TASK, "same", Grade.NONE, "")
    assert (second.id, second.grade, second.why) == ("mine", Grade.PERFECT, "It is.")
    assert first.deck() == get_task(TASK).deck_bytes()
    assert first.original is None


def test_folder_can_contain_originals(folder: Path) -> None:
    (folder / "before.pptx").write_bytes(b"before")
    (submission,) = submissions_in(_write(folder, _entry(), originals={TASK: "before.pptx"}))
    assert submission.original is not None
    assert submission.original() == b"before"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (_entry(grade="good"), "attempts/0/grade: expected one of none, some"),
        (_entry(deck="../same.pptx"), "attempts/0/deck: expected a file of the folder"),
        (_entry(deck="/etc/passwd"), "attempts/0/deck: expected a file of the folder"),
        (_entry(deck="gone.pptx"), "attempts/0/deck: there is no file"),
        (_entry(score=1), "attempts/0: unknown fields: 'score'"),
        ({"task": TASK}, "attempts/0/deck: missing"),
        ([], "attempts/0: expected an object"),
    ],
)
def test_invalid_entry_is_reported(folder: Path, entry: Any, message: str) -> None:
    with pytest.raises(TaskError, match=message):
        submissions_in(_write(folder, entry))


def test_duplicate_submission_is_rejected(folder: Path) -> None:
    with pytest.raises(TaskError, match="attempts/1: a second attempt 'same'"):
        submissions_in(_write(folder, _entry(), _entry()))


def test_unknown_task_is_rejected(folder: Path) -> None:
    with pytest.raises(UnknownTaskError, match="meridian-hide-bakup"):
        submissions_in(_write(folder, _entry(task="meridian-hide-bakup")))
    with pytest.raises(UnknownTaskError):
        submissions_in(_write(folder, _entry(), originals={"nothing": "decks/same.pptx"}))


@pytest.mark.parametrize(
    ("text", "message"),
    [("{", "not JSON"), ("{}", "attempts: missing"), ('{"attempts": []}', "expected at least one")],
)
def test_malformed_manifest_is_rejected(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / MANIFEST).write_text(text, "utf-8")
    with pytest.raises(TaskError, match=message):
        submissions_in(tmp_path)


def test_missing_manifest_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"expected a file .*manifest\.json"):
        submissions_in(tmp_path)
