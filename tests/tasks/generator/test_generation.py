import io
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pptx import Presentation

from pptarena.errors import DeckError
from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.generator import DeckFile, DeckGenerator, generate_tasks
from pptarena.tasks.task_file import parse_task

pytestmark = pytest.mark.slow


def test_rows_are_valid_tasks() -> None:
    block = DeckGenerator(read_deck_file("meridian"), "meridian").generate(0, 0)
    assert block.rows
    for _, row in block.rows:
        task = parse_task(row, Path(), "grown", "")
        assert task.grown["deck_sha256"]
        assert task.instruction == row["instruction"]
        if len(task.grown["operators"]) > 1 or task.grown["depth"] > 1:
            assert task.level == "L2"
    levels = {row["level"] for _, row in block.rows}
    assert levels == {"L1", "L2"}  # no generated task needs data of another application


def test_empty_deck_is_rejected_before_the_application_adds_a_slide() -> None:
    file = io.BytesIO()
    Presentation().save(file)
    with pytest.raises(DeckError, match="the deck has no slides"):
        DeckGenerator(file.getvalue(), "empty", lambda decks: [read_deck_file("meridian")])


def test_tasks_do_not_depend_on_the_number_of_processes() -> None:
    decks = [DeckFile("meridian", read_deck_file("meridian"))]
    single = list(generate_tasks(decks, 40, seed=3))
    parallel = list(generate_tasks(decks, 40, seed=3, processes=2))
    assert single == parallel
    assert len({row["id"] for row in single}) == 40


def test_worker_processes_end_with_their_parent(tmp_path: Path) -> None:
    code = (
        "from pptarena.tasks.deck_files import read_deck_file\n"
        "from pptarena.tasks.generator import DeckFile, generate_tasks\n"
        "if __name__ == '__main__':\n"
        "    decks = [DeckFile('meridian', read_deck_file('meridian'))]\n"
        "    for row in generate_tasks(decks, 10**6, processes=2):\n"
        "        print(row['id'], flush=True)\n"
    )
    script = tmp_path / "endless_generation.py"
    script.write_text(code, "utf-8")
    with subprocess.Popen([sys.executable, "-P", script], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"grow-")
        children = _children(process.pid)
        assert len(children) >= 2
        process.kill()
    deadline = time.monotonic() + 30
    while running := [pid for pid in children if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() < deadline, running
        time.sleep(0.05)


def _children(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8")
    return [int(word) for word in text.split()]
