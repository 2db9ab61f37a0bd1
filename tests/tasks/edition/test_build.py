"""An edition of the tasks of one deck, and of all of ``bench``."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pptarena.decks import read_deck
from pptarena.errors import TaskError
from pptarena.tasks import get_task, list_tasks, pick_tasks
from pptarena.tasks.canary import CANARY
from pptarena.tasks.edition import EditedTask, make_edition
from pptarena.tasks.edition.build import NOTICE, faults_of
from pptarena.tasks.edition.substitution import Substitution

pytestmark = pytest.mark.slow

IDS = ("ledger-corrections", "ledger-retail-slice")


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def edition(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("editions") / "one"
    tasks = make_edition(pick_tasks(IDS), 1, folder)
    assert tasks == tuple(EditedTask(id, "ledger") for id in sorted(IDS))
    return folder


def test_edition_is_a_suite_of_the_same_tasks(edition: Path) -> None:
    tasks = list_tasks(edition)
    assert {task.id for task in tasks} == set(IDS)
    for task in tasks:
        old = get_task(task.id)
        assert task.instruction != old.instruction or "Retail" in task.instruction
        assert (task.level, task.max_steps, task.feasible) == (
            old.level,
            old.max_steps,
            old.feasible,
        )
        assert [turn.gold is not None for turn in task.turns] == [True] * len(old.turns)
        spec = json.loads((edition / task.id / "task.json").read_text("utf-8"))
        assert spec["canary"] == CANARY
    assert CANARY in (edition / NOTICE).read_text("utf-8")


def test_sums_in_the_deck_stay_correct(edition: Path) -> None:
    (task,) = (task for task in list_tasks(edition) if task.id == "ledger-corrections")
    old, new = (read_deck(each.deck_bytes()) for each in (get_task(task.id), task))
    tables = [
        next(shape.table for shape in deck.slides[9].shapes if shape.table) for deck in (old, new)
    ]
    assert tables[0] != tables[1]
    rows = [[cell.text for cell in row] for row in tables[1].rows]
    loans = [float(row[1]) for row in rows[1:]]
    assert sum(loans[:-1]) == pytest.approx(loans[-1])


def test_seed_determines_the_files(edition: Path, tmp_path: Path) -> None:
    tasks = pick_tasks(IDS[1:])
    for name, seed in (("same", 1), ("other", 2)):
        make_edition(tasks, seed, tmp_path / name)
    id = IDS[1]
    assert files_in(tmp_path / "same" / id) == files_in(edition / id)
    (first,), (other,) = (
        [each.deck_bytes() for each in list_tasks(folder) if each.id == id]
        for folder in (edition, tmp_path / "other")
    )
    assert first != other


def test_existing_folder_is_rejected(edition: Path) -> None:
    with pytest.raises(TaskError, match="exists already"):
        make_edition(pick_tasks(IDS[:1]), 1, edition)


def test_deck_without_substitution_data_is_reported(tmp_path: Path) -> None:
    task = get_task("ledger-axis")
    (edited,) = make_edition([replace(task, deck=task.deck_bytes())], 1, tmp_path / "none")
    assert edited.faults == ("the deck has no substitution data",)
    assert not (tmp_path / "none" / task.id).exists()


def test_proof_finds_faults(edition: Path, tmp_path: Path) -> None:
    folder = edition / "ledger-corrections"
    spec = json.loads((folder / "task.json").read_text("utf-8"))
    assert faults_of(folder, Substitution({"auditors": "board"})) == [
        "task.json: the original name 'auditors' remains"
    ]
    spec["gold"] = spec["deck"]
    for name, data in files_in(folder).items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "task.json").write_text(json.dumps(spec), "utf-8")
    assert any("the target deck scores" in fault for fault in faults_of(tmp_path, Substitution({})))


def test_every_task_of_bench_is_proven(tmp_path: Path) -> None:
    tasks = make_edition(list_tasks("bench"), 11, tmp_path / "all")
    assert [task for task in tasks if task.faults] == []
