"""Targets of tasks as facts: made once, kept on the disk, and never made for a wrong deck."""

from dataclasses import replace
from pathlib import Path

import pytest

from pptarena.envs.targets import TaskTargets
from pptarena.errors import TaskError
from pptarena.rewards import read_deck
from pptarena.tasks import Task, get_task, targets
from pptarena.tasks.targets import target_decks

HIDE = get_task("meridian-hide-backup")
TURNS = get_task("meridian-second-thoughts")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path))
    targets._facts.cache_clear()
    return tmp_path


def refuse(task: Task) -> tuple[bytes, ...]:
    raise TaskError("made again")


def test_a_target_is_made_once_and_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (first,) = target_decks(HIDE)
    assert first.slides[16].hidden
    assert len(list((home / "targets").iterdir())) == 1
    monkeypatch.setattr(targets, "target_files", refuse)
    assert target_decks(HIDE)[0] is first
    targets._facts.cache_clear()
    assert target_decks(HIDE) == (first,)


def test_what_cannot_be_made_is_no_target_and_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(targets, "target_files", refuse)
    assert target_decks(HIDE) == ()
    assert "no target to compare with: made again" in caplog.text


@pytest.mark.slow
def test_a_turn_is_written_for_the_target_of_the_turns_before() -> None:
    found = TaskTargets(TURNS)
    first = read_deck(TURNS.deck_bytes())
    assert found.reference(1, first) is None
    assert found.reference(2, first) is found.decks(1)[0]
    context = found.context(2, first)
    assert context is not None
    assert context.targets == tuple(found.decks(number)[0] for number in (1, 2, 3))
    assert TaskTargets(HIDE).context(1, first) is None


def test_a_turn_after_one_that_cannot_be_done_is_written_for_the_deck_before() -> None:
    first = read_deck(TURNS.deck_bytes())
    refused = TaskTargets(replace(TURNS, feasible=False))
    assert refused.reference(2, first) is first


@pytest.mark.slow
def test_targets_of_an_episode_are_made_in_the_background() -> None:
    prepared = TaskTargets(TURNS)
    prepared.prepare()
    assert prepared.decks(3) == target_decks(TURNS.at(3))
