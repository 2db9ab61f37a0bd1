import json
from pathlib import Path
from random import Random

import pytest
from tests.each_case import each_case
from tests.tasks.generator.conftest import deck_generators

from pptarena.edits import apply_solution
from pptarena.rewards import load_rubric, load_scope, read_deck, score
from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.generator import DeckFile, generate_tasks
from pptarena.tasks.generator.cleanups import CLEANUPS
from pptarena.tasks.suite_loading import load_suite

pytestmark = pytest.mark.slow

COUNT = 60  # tasks, including cleanup tasks if decks can be stored


@each_case("name", sorted(CLEANUPS))
def test_damage_changes_the_deck(name: str) -> None:
    context = deck_generators()[0].context
    cleanup = CLEANUPS[name]
    target = next(iter(cleanup.targets(context)))
    damaged = read_deck(apply_solution(context.file, cleanup.damage(target, Random(1))))
    operator = cleanup.restore(target)
    assert operator.name == name
    assert [s.text for s in damaged.slides] != [
        s.text for s in context.deck.slides
    ] or damaged.slides[target.slide_number - 1] != target.slide


def test_cleanup_tasks_bring_their_decks(tmp_path: Path) -> None:
    def store(file: bytes) -> str:
        name = f"deck-{len(list(tmp_path.iterdir()))}.pptx"
        (tmp_path / name).write_bytes(file)
        return name

    decks = [DeckFile("meridian", read_deck_file("meridian"))]
    rows = list(generate_tasks(decks, COUNT, seed=5, store_deck=store))
    cleanup_rows = [row for row in rows if row["grown"]["kind"] == "repair"]
    assert cleanup_rows
    for row in cleanup_rows:
        damaged = read_deck((tmp_path / row["deck"]).read_bytes())
        rubric, scope = load_rubric(row["rubric"]), load_scope(row["scope"])
        assert score(rubric, damaged, damaged, scope).score == 0
    lines = "\n".join(json.dumps(row) for row in rows)
    (tmp_path / "suite.jsonl").write_text(lines, "utf-8")
    assert len(load_suite(tmp_path / "suite.jsonl")) == COUNT


def test_cleanup_tasks_require_a_deck_store() -> None:
    decks = [DeckFile("meridian", read_deck_file("meridian"))]
    assert all(row["grown"]["kind"] != "repair" for row in generate_tasks(decks, COUNT, seed=5))
