"""An edition made of one deck's tasks; of all decks only where there is time."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pptarena.decks import read_deck
from pptarena.errors import TaskError
from pptarena.tasks import get_task, list_tasks, pick_tasks
from pptarena.tasks.canary import CANARY
from pptarena.tasks.edition import Made, make_edition
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
    made = make_edition(pick_tasks(IDS), 1, folder)
    assert made == tuple(Made(id, "ledger") for id in sorted(IDS))
    return folder


def test_it_is_a_suite_of_the_same_tasks(edition: Path) -> None:
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


def test_sums_in_the_deck_hold(edition: Path) -> None:
    (task,) = (task for task in list_tasks(edition) if task.id == "ledger-corrections")
    old, new = (read_deck(each.deck_bytes()) for each in (get_task(task.id), task))
    tables = [
        next(shape.table for shape in deck.slides[9].shapes if shape.table) for deck in (old, new)
    ]
    assert tables[0] != tables[1]
    rows = [[cell.text for cell in row] for row in tables[1].rows]
    loans = [float(row[1]) for row in rows[1:]]
    assert sum(loans[:-1]) == pytest.approx(loans[-1])


def test_the_same_seed_makes_the_same_bytes_and_another_seed_others(
    edition: Path, tmp_path: Path
) -> None:
    tasks = pick_tasks(IDS[1:])
    for name, seed in (("same", 1), ("other", 2)):
        make_edition(tasks, seed, tmp_path / name)
    home = IDS[1]
    assert files_in(tmp_path / "same" / home) == files_in(edition / home)
    (one,), (other,) = (
        [each.deck_bytes() for each in list_tasks(folder) if each.id == home]
        for folder in (edition, tmp_path / "other")
    )
    assert one != other


def test_a_folder_that_is_there_is_refused(edition: Path) -> None:
    with pytest.raises(TaskError, match="not there yet"):
        make_edition(pick_tasks(IDS[:1]), 1, edition)


def test_a_task_on_a_deck_without_data_is_named(tmp_path: Path) -> None:
    task = get_task("ledger-axis")
    (made,) = make_edition([replace(task, deck=task.deck_bytes())], 1, tmp_path / "none")
    assert made.faults == ("no other names are known for its deck",)
    assert not (tmp_path / "none" / task.id).exists()


def test_the_proof_finds_what_is_wrong(edition: Path, tmp_path: Path) -> None:
    home = edition / "ledger-corrections"
    spec = json.loads((home / "task.json").read_text("utf-8"))
    assert faults_of(home, Substitution({"auditors": "board"})) == [
        "task.json: 'auditors' is still there"
    ]
    spec["gold"] = spec["deck"]
    for name, data in files_in(home).items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "task.json").write_text(json.dumps(spec), "utf-8")
    assert any("the goal scores" in fault for fault in faults_of(tmp_path, Substitution({})))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11])
def test_every_task_of_the_benchmark_is_proven(seed: int, tmp_path: Path) -> None:
    made = make_edition(list_tasks("bench"), seed, tmp_path / "all")
    assert [one for one in made if one.faults] == []
