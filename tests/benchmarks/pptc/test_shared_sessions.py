"""The benchmark's own sessions: all are read, carried out, and match themselves."""

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
from pptarena.benchmarks.pptc.labels import judge_session, labels_of
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
        reason=f"no PPTC sessions in {FOLDER}: let PPTARENA_SHARED name the shared folder",
    ),
]


@cache
def sessions() -> tuple[Session, ...]:
    return tuple(map(load_session, PATHS))


@cache
def labels(path: Path) -> tuple[LabelDeck, ...]:
    """Return the decks after each turn of a session; both tests of relations need them."""
    return tuple(label_decks(load_session(path)))


def test_all_sessions_are_read() -> None:
    assert all(session.turns for session in sessions())
    relations = [each for s in sessions() for turn in s.turns for each in turn.relations]
    assert relations
    assert all(each.slide < 20 for each in relations)


def test_every_call_is_known() -> None:
    names = {call.name for s in sessions() for turn in s.turns for call in turn.calls}
    assert names <= set(APIS)
    assert len(names - LABEL_ONLY) >= 40


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_labels_are_carried_out_and_match_themselves(path: Path) -> None:
    session = load_session(path)
    before, deck = read_deck(Executor().to_bytes()), None
    for turn, made in zip(session.turns, labels(path), strict=True):
        # Labels now and then choose a table before there is one, and go on.
        assert len(made.errors) <= 1
        deck = read_deck(made.deck)
        result = match_turn(deck, deck, turn.relations)
        assert result.mismatches == ()
        # Some labels do not do what their own relation asks for; none is a mismatch.
        assert result.verdict == ("match" if not result.reasons else "unjudged")
        nothing = match_turn(before, deck, turn.relations, strict=True, base=before)
        assert nothing.verdict in ("mismatch", "unjudged")
        before = deck
    assert deck is not None
    again = read_deck(list(label_decks(session))[-1].deck)
    final = match_session(again, deck, [turn.relations for turn in session.turns], strict=True)
    assert final.mismatches == ()
    assert final.verdict != "mismatch"


@pytest.mark.slow
def test_most_relations_hold_in_the_labels() -> None:
    held: Counter[str] = Counter()
    for path, session in zip(PATHS, sessions(), strict=True):
        if any(turn.relations for turn in session.turns):
            for turn, made in zip(session.turns, labels(path), strict=True):
                if turn.relations:
                    outcomes = match_turn(made.deck, made.deck, turn.relations).relations
                    held.update(outcome.status for outcome in outcomes)
    assert held["violated"] == 0
    assert held["holds"] / held.total() > 0.8


@pytest.mark.slow
def test_labels_reach_the_goal_through_the_environment(tmp_path: Path) -> None:
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
            over = False
            while not over:
                call = agent.act(observation, info)
                observation, _, terminated, truncated, info = env.step(call)
                over = terminated or truncated
            assert (terminated, info["score"]) == (True, pytest.approx(1.0))
            assert judge_session(env.deck_bytes(), labels_of(task.id, task.place)).strict.matched
