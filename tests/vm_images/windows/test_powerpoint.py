"""The PowerPoint driver, on a stand-in for PowerPoint's object model."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pptarena.vm_images.guest.errors import (
    CommandError,
    DeckUnreadableError,
    OfficeLostError,
    OfficeTimeoutError,
)
from pptarena.vm_images.windows.com_calls import ComCalls
from pptarena.vm_images.windows.powerpoint import PowerPoint

World = Any  # the stand-in of conftest
Title = Callable[[bytes], str]


@pytest.fixture
def office(world: World, com_error: type[Exception], tmp_path: Path) -> PowerPoint:
    def kill() -> None:
        world.code = 1

    powerpoint = PowerPoint(
        world.connect,
        ComCalls(kill, 5.0),
        world.exit_code,
        (com_error,),
        tmp_path / "observed.pptx",
    )
    powerpoint.start(1.0)
    return powerpoint


@pytest.fixture
def loaded(office: PowerPoint, deck_file: Path) -> PowerPoint:
    office.load(deck_file, 1.0)
    return office


def save_deck(office: PowerPoint, folder: Path, commit: bool = False) -> bytes:
    copied = office.save(folder / "copy.pptx", commit, 1.0)
    return (folder / "copy.pptx" if copied else office.path).read_bytes()


def test_start_disables_alerts_and_macros(office: PowerPoint, world: World) -> None:
    assert world.settings == {"Visible": -1, "DisplayAlerts": 1, "AutomationSecurity": 3}
    assert office.version == "Microsoft PowerPoint 16.0 build 17928"
    assert not office.state(1.0).open


def test_deck_opens_on_its_first_slide(loaded: PowerPoint, world: World) -> None:
    state = loaded.state(1.0)
    assert (state.open, state.editing, state.slide, state.slide_count) == (True, False, 1, 2)
    world.view_slide = 2
    assert loaded.state(1.0).slide == 2
    world.view_slide = None  # the slide sorter
    assert loaded.state(1.0).slide == 0


def test_invalid_deck_is_rejected_and_the_next_one_opens(
    office: PowerPoint, tmp_path: Path, deck_file: Path
) -> None:
    (tmp_path / "broken.pptx").write_bytes(b"no deck")
    with pytest.raises(DeckUnreadableError, match="PowerPoint cannot open the deck"):
        office.load(tmp_path / "broken.pptx", 1.0)
    office.load(deck_file, 1.0)
    assert office.state(1.0).open


def test_state_of_an_unchanged_deck_needs_no_save(
    loaded: PowerPoint, world: World, tmp_path: Path, first_title: Title
) -> None:
    before = loaded.state(1.0)
    assert loaded.state(1.0) == before
    assert world.saves == 0
    assert first_title(save_deck(loaded, tmp_path)) == "Harvest"
    assert loaded.state(1.0) == before


def test_revision_increases_with_changes_only(
    loaded: PowerPoint, world: World, tmp_path: Path, first_title: Title
) -> None:
    first = loaded.state(1.0).revision
    world.edit("Summer")
    second = loaded.state(1.0).revision
    assert second > first
    assert loaded.state(1.0).revision == second, "the flag stays, the deck does not change"
    saves = world.saves
    assert first_title(save_deck(loaded, tmp_path)) == "Summer"
    assert world.saves <= saves + 1
    world.saved = -1  # the user saves to the disk
    assert loaded.state(1.0).revision == second
    world.edit("Autumn")
    world.saved = -1  # changed and saved between two observations
    assert loaded.state(1.0).revision > second
    assert world.saved == -1, "the guest wrote the flag"


def test_undone_change_increases_the_revision(loaded: PowerPoint, world: World) -> None:
    revisions = []
    for title in ("Summer", "Harvest", "Summer"):
        world.edit(title)
        revisions.append(loaded.state(1.0).revision)
    assert revisions == sorted(set(revisions))


def test_open_text_edit_is_reported_and_not_saved(
    loaded: PowerPoint, world: World, tmp_path: Path, first_title: Title
) -> None:
    first = loaded.state(1.0).revision
    world.selection = 3
    world.edit("Harvest m")
    state = loaded.state(1.0)
    assert state.editing
    assert world.saves == 0, "half a text was saved"
    with pytest.raises(CommandError, match="text edit is open"):
        save_deck(loaded, tmp_path)
    world.edit("Harvest moon")
    assert first_title(save_deck(loaded, tmp_path, commit=True)) == "Harvest moon"
    state = loaded.state(1.0)
    assert not state.editing
    assert state.revision > first


def test_text_edit_saved_by_the_user_increases_the_revision(
    loaded: PowerPoint, world: World
) -> None:
    first = loaded.state(1.0).revision
    world.selection = 3
    world.edit("Summer")
    loaded.state(1.0)
    world.saved = -1  # Ctrl+S with the caret still in the text
    world.selection = 2
    assert loaded.state(1.0).revision > first


def test_closed_deck_is_read_from_the_file_and_reopened(
    loaded: PowerPoint, world: World, tmp_path: Path, first_title: Title
) -> None:
    world.edit("Summer")
    revision = loaded.state(1.0).revision
    world.is_open = False
    state = loaded.state(1.0)
    assert not state.open
    assert state.revision > revision  # the file is scored now
    assert first_title(save_deck(loaded, tmp_path)) == "Harvest"
    loaded.reopen(time.monotonic() + 1)
    assert loaded.state(1.0).open
    assert loaded.state(1.0).revision > revision
    assert world.starts == 1


def test_powerpoint_closed_by_the_user_is_restarted(
    loaded: PowerPoint, world: World, tmp_path: Path, first_title: Title
) -> None:
    world.code = 0
    loaded.require_alive()
    assert not loaded.state(1.0).open
    assert first_title(save_deck(loaded, tmp_path)) == "Harvest"
    loaded.reopen(time.monotonic() + 1)
    assert loaded.state(1.0).open
    assert world.starts == 2


def test_killed_powerpoint_is_lost(loaded: PowerPoint, world: World, tmp_path: Path) -> None:
    world.code = 1
    with pytest.raises(OfficeLostError, match="ended with code 1"):
        loaded.require_alive()
    with pytest.raises(OfficeLostError):
        loaded.state(1.0)
    with pytest.raises(OfficeLostError):
        save_deck(loaded, tmp_path)
    loaded.start(1.0)
    assert not loaded.state(1.0).open


@pytest.mark.slow
def test_rejected_calls_are_retried(loaded: PowerPoint, world: World) -> None:
    world.calls_to_reject = 3
    assert loaded.state(1.0).open
    world.calls_to_reject = 10_000
    with pytest.raises(OfficeTimeoutError, match="accepted no call within"):
        loaded.state(0.2)
