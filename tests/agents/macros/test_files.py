"""The dialog in which a file is chosen, made by hand."""

from collections.abc import Callable
from typing import Any

import pytest

from pptarena.agents.macros import Desk, Screen
from pptarena.agents.macros.pictures import choose_file
from pptarena.decks import read_deck
from pptarena.envs.actions import Action
from pptarena.errors import MacroError
from pptarena.tasks import get_task

Make = Callable[..., Any]


class Chooser:
    """The dialog; it closes with Return when a path is in its field, unless it is stubborn."""

    def __init__(self, node: Make, screen: Make, *, takes: bool = True, cuts: int = 0) -> None:
        self._node, self._screen, self._takes, self._cuts = node, screen, takes, cuts
        self.open, self.path = True, ""

    def screen(self) -> Screen:
        nodes = [self._node(0, -1, "frame", "aurora.pptx")]
        if self.open:
            nodes.append(self._node(1, -1, "file chooser", "Insert Image"))
            nodes.append(self._node(2, 1, "file chooser", "File Chooser Widget"))
            nodes.append({**self._node(3, 2, "text", ""), "text": self.path})
        found: Screen = self._screen(nodes)
        return found

    def do(self, action: Action) -> Screen:
        if action.kind == "type":
            self.path += str(action.text)[self._cuts :]
        elif action.keys == "Return":
            self.open = not self._takes
        return self.screen()


def play(chooser: Chooser) -> None:
    desk = Desk(read_deck(get_task("aurora-team-photo").deck_bytes()))
    desk.screen = chooser.screen()
    steps = choose_file(desk, "team.png")
    action = next(steps)
    try:
        while True:
            action = steps.send(chooser.do(action))
    except StopIteration:
        return


def test_a_file_is_chosen_by_its_path(node: Make, screen: Make) -> None:
    chooser = Chooser(node, screen)
    play(chooser)
    assert (chooser.path, chooser.open) == ("/home/agent/Documents/team.png", False)


def test_a_path_that_does_not_arrive_is_told(node: Make, screen: Make) -> None:
    with pytest.raises(MacroError, match="expected a field with '/home/agent/Documents/team"):
        play(Chooser(node, screen, cuts=1))


def test_a_file_that_is_not_taken_is_told(node: Make, screen: Make) -> None:
    with pytest.raises(MacroError, match=r"expected the file 'team\.png' to be taken"):
        play(Chooser(node, screen, takes=False))


def test_without_the_dialog_nothing_is_typed(node: Make, screen: Make) -> None:
    chooser = Chooser(node, screen)
    chooser.open = False
    with pytest.raises(MacroError, match="expected the dialog in which a file is chosen"):
        play(chooser)
    assert chooser.path == ""
