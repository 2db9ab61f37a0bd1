"""All sessions of the benchmark load, run, and match their own labels."""

import os
from collections import Counter
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from pptarena.benchmarks.pptc import (
    APIS,
    LABEL_ONLY,
    Executor,
    LabelDeck,
    Session,
    label_decks,
    load_session,
)
from pptarena.benchmarks.pptc.importing import import_sessions
from pptarena.benchmarks.pptc.label_agent import LabelAgent
from pptarena.benchmarks.pptc.labels import judge_session, load_labels
from pptarena.benchmarks.pptc.pptx_match import match_session, match_turn
from pptarena.decks import read_deck
from pptarena.envs.document import PPTArenaDocEnv
from pptarena.tasks.suite_loading import load_suite

ROOT = Path(__file__).parents[3]
SHARED = Path(os.environ.get("PPTARENA_SHARED") or ROOT.parent / "shared")
FOLDER = SHARED / "data" / "pptc" / "Create_new_slides"
PATHS = sorted(FOLDER.glob("session_*.json"))

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not PATHS,
        reason=f"no PPTC sessions in {FOLDER}: set PPTARENA_SHARED to the shared folder",
    ),
]


@cache
def sessions() -> tuple[Session, ...]:
    return tuple(map(load_session, PATHS))


@cache
def labels(path: Path) -> tuple[LabelDeck, ...]:
    """Return the decks after each turn of a session; two tests use them."""
    return tuple(label_decks(load_session(path)))


def test_all_sessions_load() -> None:
    assert all(session.turns for session in sessions())
    relations = [each for s in sessions() for turn in s.turns for each in turn.relations]
    assert relations
    assert all(each.slide < 20 for each in relations)


def test_all_calls_are_known() -> None:
    names = {call.name for s in sessions() for turn in s.turns for call in turn.calls}
    assert names <= set(APIS)
    assert len(names - LABEL_ONLY) >= 40


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_labels_run_and_match_themselves(path: Path) -> None:
    session = load_session(path)
    before, deck = read_deck(Executor().to_bytes()), None
    for turn, label in zip(session.turns, labels(path), strict=True):
        # Some labels select a table before there is one, and continue.
        assert len(label.errors) <= 1
        deck = read_deck(label.deck)
        result = match_turn(deck, deck, turn.relations)
        assert result.mismatches == ()
        # Some labels violate their own relation; no label is a mismatch.
        assert result.verdict == ("match" if not result.reasons else "unjudged")
        unchanged = match_turn(before, deck, turn.relations, strict=True, base=before)
        assert unchanged.verdict in ("mismatch", "unjudged")
        before = deck
    assert deck is not None
    again = read_deck(list(label_decks(session))[-1].deck)
    final = match_session(again, deck, [turn.relations for turn in session.turns], strict=True)
    assert final.mismatches == ()
    assert final.verdict != "mismatch"


def test_most_relations_hold_in_labels() -> None:
    statuses: Counter[str] = Counter()
    for path, session in zip(PATHS, sessions(), strict=True):
        if any(turn.relations for turn in session.turns):
            for turn, label in zip(session.turns, labels(path), strict=True):
                if turn.relations:
                    outcomes = match_turn(label.deck, label.deck, turn.relations).relations
                    statuses.update(outcome.status for outcome in outcomes)
    assert statuses["violated"] == 0
    assert statuses["holds"] / statuses.total() > 0.8


def test_label_agent_solves_imported_tasks(tmp_path: Path) -> None:
    folder = tmp_path / "Create_new_slides"
    folder.mkdir()
    for path in PATHS[::40]:
        (folder / path.name).write_bytes(path.read_bytes())
    assert not any(each.problem for each in import_sessions(folder, tmp_path / "tasks"))
    tasks = load_suite(tmp_path / "tasks")
    agent = LabelAgent(tasks)
    with closing(PPTArenaDocEnv(tools=("pptc",), score_when="end", judge=None)) as env:
        for task in tasks:
            observation, info = env.reset(seed=0, options={"task": task})
            agent.reset(info, 0)
            done = False
            while not done:
                call = agent.act(observation, info)
                observation, _, terminated, truncated, info = env.step(call)
                done = terminated or truncated
            assert (terminated, info["score"]) == (True, pytest.approx(1.0))
            assert judge_session(env.deck_bytes(), load_labels(task.id, task.place)).strict.matched
