"""Decks that move, ask or take long when the application opens them are as playable as others."""

import io

import numpy as np
import pptx
import pytest
from tests.envs.machines.busy_decks import BUSY

from pptarena.envs.machines.base import Observed
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


def played(deck: bytes) -> tuple[list[Observed], bytes]:
    """Open a deck, give its title other words, and save it."""
    with SandboxMachine() as machine:
        seen = [machine.load(deck, "busy.pptx")]
        seen += [machine.perform(command) for command in _EDIT]
        return seen, machine.save()


@pytest.mark.parametrize("name", BUSY)
def test_it_opens_and_can_be_edited(name: str) -> None:
    seen, saved = played(BUSY[name]())
    # The application opens this one for reading only, and asks for the password before an edit.
    locked = name == "a password for changes"
    window = "busy.pptx (read-only)" if locked else "busy.pptx"
    assert {each.window_titles for each in seen} == {(f"{window} — LibreOffice Impress",)}
    title = "First" if locked else "Summer"
    assert pptx.Presentation(io.BytesIO(saved)).slides[0].shapes.title.text == title


def test_a_message_that_was_closed_leaves_no_trace() -> None:
    deck = BUSY["a diagram without a drawing"]()
    (first, _), (second, _) = played(deck), played(deck)
    for one, other in zip(first, second, strict=True):
        assert one.tree == other.tree
        assert np.array_equal(one.screenshot, other.screenshot)
