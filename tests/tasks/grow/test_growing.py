import io
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pptx import Presentation

from pptarena.errors import DeckError
from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.grow import DeckFile, DeckGrower, grow_tasks
from pptarena.tasks.task_file import parse_task

pytestmark = pytest.mark.slow


def test_rows_are_tasks() -> None:
    grown = DeckGrower(read_deck_file("meridian"), "meridian").grow(0, 0)
    assert grown.rows
    for _, row in grown.rows:
        task = parse_task(row, Path(), "grown", "")
        assert task.grown["deck_sha256"]
        assert task.instruction == row["instruction"]
        if len(task.grown["operators"]) > 1 or task.grown["depth"] > 1:
            assert task.level == "L2"
    levels = {row["level"] for _, row in grown.rows}
    assert levels == {"L1", "L2"}  # no task has data of another application


def test_nothing_grows_on_the_slide_that_the_application_puts_into_an_empty_deck() -> None:
    file = io.BytesIO()
    Presentation().save(file)
    with pytest.raises(DeckError, match="the deck has no slides"):
        DeckGrower(file.getvalue(), "empty", lambda decks: [read_deck_file("meridian")])


def test_equal_seeds_give_equal_tasks_in_any_number_of_processes() -> None:
    decks = [DeckFile("meridian", read_deck_file("meridian"))]
    one = list(grow_tasks(decks, 40, seed=3))
    two = list(grow_tasks(decks, 40, seed=3, processes=2))
    assert one == two
    assert len({row["id"] for row in one}) == 40


def test_the_processes_end_with_the_one_that_was_killed(tmp_path: Path) -> None:
    words = (
        "from pptarena.tasks.deck_files import read_deck_file\n"
        "from pptarena.tasks.grow import DeckFile, grow_tasks\n"
        "if __name__ == '__main__':\n"
        "    decks = [DeckFile('meridian', read_deck_file('meridian'))]\n"
        "    for row in grow_tasks(decks, 10**6, processes=2):\n"
        "        print(row['id'], flush=True)\n"
    )
    script = tmp_path / "endless_growing.py"
    script.write_text(words, "utf-8")
    with subprocess.Popen([sys.executable, "-P", script], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"grow-")
        children = _children(process.pid)
        assert len(children) >= 2
        process.kill()
    deadline = time.monotonic() + 30
    while left := [pid for pid in children if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() < deadline, left
        time.sleep(0.05)


def _children(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8")
    return [int(word) for word in text.split()]
