import json
from pathlib import Path
from random import Random

import pytest
from tests.each_case import each_case
from tests.tasks.grow.conftest import growers

from pptarena.edits import apply_solution
from pptarena.rewards import load_rubric, load_scope, read_deck, score
from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.grow import DeckFile, grow_tasks
from pptarena.tasks.grow.repairs import REPAIRS
from pptarena.tasks.suite_loading import load_suite

pytestmark = pytest.mark.slow

COUNT = 60  # tasks, some of which are repairs if there is a place for decks


@each_case("name", sorted(REPAIRS))
def test_what_is_spoilt_is_another_deck(name: str) -> None:
    ground = growers()[0].ground
    repair = REPAIRS[name]
    site = next(iter(repair.sites(ground)))
    spoilt = read_deck(apply_solution(ground.file, repair.spoil(site, Random(1))))
    operator = repair.mend(site)
    assert operator.name == name
    assert [s.text for s in spoilt.slides] != [s.text for s in ground.deck.slides] or spoilt.slides[
        site.number - 1
    ] != site.slide


def test_repairs_bring_their_decks_along(tmp_path: Path) -> None:
    def keep(file: bytes) -> str:
        name = f"deck-{len(list(tmp_path.iterdir()))}.pptx"
        (tmp_path / name).write_bytes(file)
        return name

    decks = [DeckFile("meridian", read_deck_file("meridian"))]
    rows = list(grow_tasks(decks, COUNT, seed=5, keep_deck=keep))
    repairs = [row for row in rows if row["grown"]["kind"] == "repair"]
    assert repairs
    for row in repairs:
        spoilt = read_deck((tmp_path / row["deck"]).read_bytes())
        rubric, scope = load_rubric(row["rubric"]), load_scope(row["scope"])
        assert score(rubric, spoilt, spoilt, scope).score == 0
    lines = "\n".join(json.dumps(row) for row in rows)
    (tmp_path / "suite.jsonl").write_text(lines, "utf-8")
    assert len(load_suite(tmp_path / "suite.jsonl")) == COUNT


def test_without_a_place_for_decks_there_are_no_repairs() -> None:
    decks = [DeckFile("meridian", read_deck_file("meridian"))]
    assert all(row["grown"]["kind"] != "repair" for row in grow_tasks(decks, COUNT, seed=5))
