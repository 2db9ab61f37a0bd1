"""Decks with animations, dialogs or slow loading can be edited like others."""

import io

import numpy as np
import pptx
import pytest
from tests.envs.machines.busy_decks import BUSY

from pptarena.envs.machines.base import MachineObservation
from pptarena.envs.machines.sandbox import SandboxMachine
from pptarena.vm_images.guest.protocol import Command

pytestmark = pytest.mark.image

_EDIT = (
    Command("key", keys=("Tab",)),
    Command("key", keys=("F2",)),
    Command("key", keys=("Control_L", "a")),
    Command("type", text="Summer"),
    Command("key", keys=("Escape",)),
)


def play(deck: bytes) -> tuple[list[MachineObservation], bytes]:
    """Open a deck, change its title, and save it."""
    with SandboxMachine() as machine:
        observations = [machine.load(deck, "busy.pptx")]
        observations += [machine.perform(command) for command in _EDIT]
        return observations, machine.save()


@pytest.mark.parametrize("name", BUSY)
def test_busy_deck_opens_and_can_be_edited(name: str) -> None:
    observations, saved = play(BUSY[name]())
    # The application opens this deck read-only and asks for the password before an edit.
    locked = name == "a password for changes"
    window = "busy.pptx (read-only)" if locked else "busy.pptx"
    assert {each.window_titles for each in observations} == {(f"{window} — LibreOffice Impress",)}
    title = "First" if locked else "Summer"
    assert pptx.Presentation(io.BytesIO(saved)).slides[0].shapes.title.text == title


def test_closed_dialog_leaves_no_trace() -> None:
    deck = BUSY["a diagram without a drawing"]()
    (first, _), (second, _) = play(deck), play(deck)
    for one, other in zip(first, second, strict=True):
        assert one.tree == other.tree
        assert np.array_equal(one.screenshot, other.screenshot)
