"""The macro that chooses a file, on a simulated dialog."""

from collections.abc import Callable
from typing import Any

import pytest

from pptarena.agents.macros import Driver, Screen
from pptarena.agents.macros.pictures import choose_file
from pptarena.decks import read_deck
from pptarena.envs.actions import Action
from pptarena.errors import MacroError
from pptarena.tasks import get_task

Make = Callable[..., Any]


class FileDialog:
    """The dialog; it closes with Return unless it rejects the file."""

    def __init__(
        self, node: Make, screen: Make, *, accepts: bool = True, lost_characters: int = 0
    ) -> None:
        self._node, self._screen, self._accepts, self._lost_characters = (
            node,
            screen,
            accepts,
            lost_characters,
        )
        self.open, self.path = True, ""

    def screen(self) -> Screen:
        nodes = [self._node(0, -1, "frame", "aurora.pptx")]
        if self.open:
            nodes.append(self._node(1, -1, "file chooser", "Insert Image"))
            nodes.append(self._node(2, 1, "file chooser", "File FileDialog Widget"))
            nodes.append({**self._node(3, 2, "text", ""), "text": self.path})
        screen: Screen = self._screen(nodes)
        return screen

    def do(self, action: Action) -> Screen:
        if action.kind == "type":
            self.path += str(action.text)[self._lost_characters :]
        elif action.keys == "Return":
            self.open = not self._accepts
        return self.screen()


def play(dialog: FileDialog) -> None:
    driver = Driver(read_deck(get_task("aurora-team-photo").deck_bytes()))
    driver.screen = dialog.screen()
    steps = choose_file(driver, "team.png")
    action = next(steps)
    try:
        while True:
            action = steps.send(dialog.do(action))
    except StopIteration:
        return


def test_file_is_chosen_by_its_path(node: Make, screen: Make) -> None:
    dialog = FileDialog(node, screen)
    play(dialog)
    assert (dialog.path, dialog.open) == ("/home/agent/Documents/team.png", False)


def test_truncated_path_is_reported(node: Make, screen: Make) -> None:
    with pytest.raises(MacroError, match="expected a field with '/home/agent/Documents/team"):
        play(FileDialog(node, screen, lost_characters=1))


def test_rejected_file_is_reported(node: Make, screen: Make) -> None:
    with pytest.raises(
        MacroError, match=r"timed out waiting for the file dialog to accept 'team\.png'"
    ):
        play(FileDialog(node, screen, accepts=False))


def test_nothing_is_typed_without_the_dialog(node: Make, screen: Make) -> None:
    dialog = FileDialog(node, screen)
    dialog.open = False
    with pytest.raises(MacroError, match="timed out waiting for the file dialog"):
        play(dialog)
    assert dialog.path == ""
