from pathlib import Path

from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.grow import DeckFile, DeckGrower, grow_tasks
from pptarena.tasks.task_file import parse_task


def test_rows_are_tasks() -> None:
    grown = DeckGrower(read_deck_file("meridian"), "meridian").grow(0, 0)
    assert grown.rows
    for _, row in grown.rows:
        task = parse_task(row, Path(), "grown", "")
        assert task.grown["deck_sha256"]
        assert task.instruction == row["instruction"]


def test_equal_seeds_give_equal_tasks_in_any_number_of_processes() -> None:
    decks = [DeckFile("meridian", read_deck_file("meridian"))]
    one = list(grow_tasks(decks, 40, seed=3))
    two = list(grow_tasks(decks, 40, seed=3, processes=2))
    assert one == two
    assert len({row["id"] for row in one}) == 40
