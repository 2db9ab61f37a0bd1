"""A running sandbox serves again only when it looks exactly like a fresh one."""

from collections.abc import Iterator
from contextlib import closing
from uuid import uuid4

import numpy as np
import pytest

from pptarena.envs.machines.base import Observed
from pptarena.envs.machines.sandbox import SandboxConfig, SandboxMachine
from pptarena.tasks.deck_files import read_deck_file
from pptarena.vm_images.guest.protocol import Command

pytestmark = pytest.mark.image

DECK = read_deck_file("meridian")


@pytest.fixture
def machine() -> Iterator[SandboxMachine]:
    with closing(SandboxMachine(SandboxConfig(reuse=3, spare=False))) as made:
        yield made


def _center(observed: Observed, role: str, name: str) -> tuple[int, int]:
    node = next(n for n in observed.tree.nodes if (n.role, n.name) == (role, name))
    left, top, width, height = node.box
    return left + width // 2, top + height // 2


def _same(first: Observed, second: Observed) -> bool:
    return bool((first.screenshot == second.screenshot).all()) and first.tree == second.tree


def test_after_edits_it_comes_back_as_new(machine: SandboxMachine) -> None:
    fresh = machine.load(DECK, "deck.pptx")
    pid, saved = machine.pid, machine.save()
    x, y = _center(fresh, "panel", "Agenda")
    machine.perform(Command("click", x=x, y=y))
    machine.perform(Command("key", keys=("Delete",)))
    seen = machine.perform(Command("copy_text", text="left behind"))
    x, y = _center(seen, "panel", "Title 1")
    machine.perform(Command("double_click", x=x, y=y))
    edited = machine.perform(Command("type", text="under edit"))
    assert edited.document.editing
    again = machine.load(DECK, "deck.pptx")
    assert machine.pid == pid, "the application was not used again"
    assert _same(fresh, again)
    assert (again.clipboard, again.document.slide_count) == ("", fresh.document.slide_count)
    assert len(machine.save()) == pytest.approx(len(saved), rel=0.01)


def test_what_looks_different_is_replaced(machine: SandboxMachine) -> None:
    fresh = machine.load(DECK, "deck.pptx")
    pid = machine.pid
    hidden = machine.perform(Command("key", keys=("Control_L", "F5")))  # hides the sidebar
    assert (hidden.screenshot != fresh.screenshot).any()
    again = machine.load(DECK, "deck.pptx")
    assert machine.pid != pid
    assert _same(fresh, again)


def test_an_open_dialog_is_replaced(machine: SandboxMachine) -> None:
    fresh = machine.load(DECK, "deck.pptx")
    pid = machine.pid
    shown = machine.perform(Command("key", keys=("Control_L", "h")))
    assert len(shown.window_titles) == 2
    assert _same(fresh, machine.load(DECK, "deck.pptx"))
    assert machine.pid != pid


def test_a_dialog_that_was_open_is_the_last(machine: SandboxMachine) -> None:
    machine.load(DECK, "deck.pptx")
    pid = machine.pid
    machine.perform(Command("key", keys=("Control_L", "h")))
    shut = machine.perform(Command("key", keys=("Escape",)))
    assert len(shut.window_titles) == 1
    machine.load(DECK, "deck.pptx")
    assert machine.pid != pid


def test_a_setting_that_does_not_show_is_replaced(
    machine: SandboxMachine, caplog: pytest.LogCaptureFixture
) -> None:
    fresh = machine.load(DECK, "deck.pptx")
    pid = machine.pid
    machine.perform(Command("key", keys=("Shift_L", "Escape")))
    machine.perform(Command("type", text="Snap to Grid"))
    seen = machine.perform(Command("key", keys=("Return",)))
    assert len(seen.window_titles) == 1
    with caplog.at_level("INFO"):
        again = machine.load(DECK, "deck.pptx")
    assert machine.pid != pid
    assert _same(fresh, again)
    assert "registrymodifications.xcu" in caplog.text or "unlike a fresh one" in caplog.text


def test_it_serves_only_so_often_and_only_decks_it_knows(machine: SandboxMachine) -> None:
    machine.load(DECK, "deck.pptx")
    pids = [machine.pid]
    for _ in range(4):
        machine.load(DECK, "deck.pptx")
        pids.append(machine.pid)
    assert [pid == pids[0] for pid in pids] == [True] * 4 + [False]
    # Looks are shared by the machines of a process, so no other test may have shown this one.
    other = machine.load(read_deck_file("resistance"), f"{uuid4().hex}.pptx")
    assert machine.pid != pids[-1], "how a fresh one looks with this deck was not known"
    assert other.document.slide_count == 20


def test_by_default_every_episode_has_a_fresh_one() -> None:
    with closing(SandboxMachine(SandboxConfig(spare=False))) as machine:
        first = machine.load(DECK, "deck.pptx")
        pid = machine.pid
        assert _same(first, machine.load(DECK, "deck.pptx"))
        assert machine.pid != pid
        assert np.asarray(first.screenshot).any()
