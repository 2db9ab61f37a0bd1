"""Target decks of tasks: created once, cached on disk, and one for each turn."""

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


def fail_to_create(task: Task) -> tuple[bytes, ...]:
    raise TaskError("created again")


def test_target_is_created_once_and_cached(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (first,) = target_decks(HIDE)
    assert first.slides[16].hidden
    assert len(list((home / "targets").iterdir())) == 1
    monkeypatch.setattr(targets, "target_files", fail_to_create)
    assert target_decks(HIDE)[0] is first
    targets._facts.cache_clear()
    assert target_decks(HIDE) == (first,)


def test_failed_target_is_empty_and_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(targets, "target_files", fail_to_create)
    assert target_decks(HIDE) == ()
    assert "no target to compare with: created again" in caplog.text


@pytest.mark.slow
def test_reference_of_a_turn_is_the_target_of_the_previous_turn() -> None:
    task_targets = TaskTargets(TURNS)
    first = read_deck(TURNS.deck_bytes())
    assert task_targets.reference(1, first) is None
    assert task_targets.reference(2, first) is task_targets.decks(1)[0]
    context = task_targets.context(2, first)
    assert context is not None
    assert context.targets == tuple(task_targets.decks(number)[0] for number in (1, 2, 3))
    assert TaskTargets(HIDE).context(1, first) is None


def test_infeasible_turn_leaves_the_reference_unchanged() -> None:
    first = read_deck(TURNS.deck_bytes())
    task_targets = TaskTargets(replace(TURNS, feasible=False))
    assert task_targets.reference(2, first) is first


@pytest.mark.slow
def test_targets_are_prepared_in_the_background() -> None:
    prepared = TaskTargets(TURNS)
    prepared.prepare()
    assert prepared.decks(3) == target_decks(TURNS.at(3))
