"""Targets of tasks as facts: made once, kept on the disk, and never made for a wrong deck."""

from dataclasses import replace
from pathlib import Path

import pytest

from pptarena.envs import targets
from pptarena.envs.targets import TurnTargets, target_decks
from pptarena.errors import TaskError
from pptarena.tasks import Task, Turn, get_task
from pptarena.tasks.goals.editing import delete_slide, edited
from pptarena.tasks.targets import target_files

HIDE = get_task("meridian-hide-backup")
TURNS = get_task("meridian-second-thoughts")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path))
    targets._facts.cache_clear()
    return tmp_path


def refuse(task: Task, start: bytes | None = None) -> tuple[bytes, ...]:
    raise TaskError("made again")


def test_a_target_is_made_once_and_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (first,) = target_decks(HIDE, saved=False)
    assert first.slides[16].hidden
    assert len(list((home / "targets").iterdir())) == 1
    monkeypatch.setattr(targets, "target_files", refuse)
    assert target_decks(HIDE, saved=False)[0] is first
    targets._facts.cache_clear()
    assert target_decks(HIDE, saved=False) == (first,)


def test_what_cannot_be_made_is_no_target_and_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(targets, "target_files", refuse)
    assert target_decks(HIDE, saved=False) == ()
    assert "no target to compare with: made again" in caplog.text


def test_a_later_turn_on_a_deck_without_its_slide_has_none(
    home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    turn = TURNS.at(2)
    kept = edited(TURNS.deck_bytes())
    assert target_decks(turn, saved=False, start=kept)[0].slides[16].hidden
    cut = edited(TURNS.deck_bytes(), lambda deck: delete_slide(deck, 2))
    assert target_decks(turn, saved=False, start=cut) == ()
    assert caplog.text == ""
    assert not (home / "targets").exists()  # the deck of one agent is no other episode's


def test_the_gold_deck_of_a_later_turn_counts_where_the_turn_began_with_that_of_the_first() -> None:
    first, second = HIDE.deck_bytes(), target_files(HIDE)[0]
    turn = Turn("Hide it.", HIDE.rubric, HIDE.scope, gold=second)
    task = replace(HIDE, id="mine", gold=first, turns=(turn,)).at(2)
    (found,) = target_decks(task, saved=False, start=edited(first))
    assert found.slides[16].hidden
    cut = edited(first, lambda deck: delete_slide(deck, 2))
    assert target_decks(task, saved=False, start=cut) == ()


def test_targets_of_an_episode_are_made_in_the_background() -> None:
    prepared = TurnTargets(HIDE, saved=False)
    prepared.prepare()
    assert prepared.decks() == target_decks(HIDE, saved=False)
