"""Text in every script can be typed and pasted, and is saved unchanged."""

import io
from collections.abc import Iterator

import pptx
import pytest
from tests.envs.machines.scripts import SCRIPTS

from pptarena.envs.machines.sandbox import SandboxMachine
from pptarena.vm_images.guest.protocol import Command

pytestmark = pytest.mark.image


@pytest.fixture
def machine(deck: bytes) -> Iterator[SandboxMachine]:
    """A machine in which the text of the first title is selected in a text edit."""
    with SandboxMachine() as machine:
        machine.load(deck, "garden.pptx")
        for keys in (("Tab",), ("F2",), ("Control_L", "a")):
            machine.perform(Command("key", keys=keys))
        yield machine


def lines_of_title(machine: SandboxMachine) -> dict[str, str]:
    """Return the lines of the first title by the name of their script."""
    title = pptx.Presentation(io.BytesIO(machine.save(commit_edit=True))).slides[0].shapes.title
    *lines, after = title.text_frame.text.split("\v")  # Return breaks the line of a title
    assert after == ""
    return dict(zip(SCRIPTS, lines, strict=True))


def test_every_script_can_be_typed(machine: SandboxMachine) -> None:
    for text in SCRIPTS.values():
        machine.perform(Command("type", text=text + "\n"))
    assert lines_of_title(machine) == SCRIPTS


def test_every_script_can_be_pasted(machine: SandboxMachine) -> None:
    for text in SCRIPTS.values():
        machine.perform(Command("copy_text", text=text))
        observed = machine.perform(Command("paste"))
        assert observed.clipboard == text
        machine.perform(Command("key", keys=("Return",)))
    assert lines_of_title(machine) == SCRIPTS
