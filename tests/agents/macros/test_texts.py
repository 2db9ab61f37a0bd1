"""Macros that write text, on a simulated text box."""

from collections.abc import Callable
from typing import Any

import pytest

from pptarena.agents.macros import Driver, Screen
from pptarena.agents.macros.driver import Steps
from pptarena.agents.macros.texts import edit_text, replace_open_text
from pptarena.decks import read_deck
from pptarena.envs.actions import Action
from pptarena.errors import MacroError
from pptarena.tasks import get_task

Make = Callable[..., Any]


class Box:
    """A title that keeps a part of its old text the first `stubborn` times it is replaced."""

    def __init__(self, node: Make, screen: Make, stubborn: int) -> None:
        self._node, self._screen, self._stubborn = node, screen, stubborn
        self.text, self.editing = "Four targets", False
        self.states: tuple[str, ...] = ()

    def screen(self) -> Screen:
        states = ("focused",) if self.editing else ()
        paragraph = self._node(3, 2, "paragraph", "", *states, box=(306, 208, 574, 57))
        nodes = [
            self._node(0, -1, "document presentation", "deck"),
            self._node(1, 0, "panel", "PageShape: Four targets", box=(176, 192, 730, 411)),
            self._node(2, 0, "panel", "Title 1", *self.states, box=(306, 208, 574, 57)),
            {**paragraph, "text": self.text},
        ]
        screen: Screen = self._screen(nodes, slide=5, editing=self.editing)
        return screen

    def do(self, action: Action) -> Screen:
        if action.kind == "click":
            self.editing = True
        elif action.kind == "type":
            self.text = str(action.text) + " targets" * (self._stubborn > 0)
            self._stubborn -= 1
        elif action.keys == "Escape":
            self.editing = False
        return self.screen()


def driver_of(box: Box) -> Driver:
    driver = Driver(read_deck(get_task("resistance-cell-picture").deck_bytes()))
    driver.screen = box.screen()
    return driver


def run_macro(box: Box, steps: Steps[None]) -> list[Action]:
    """Return the actions of a macro."""
    actions = []
    try:
        actions.append(next(steps))
        while True:
            actions.append(steps.send(box.do(actions[-1])))
    except StopIteration:
        return actions


def play(box: Box, text: str) -> list[str]:
    """Return the typed texts."""
    actions = run_macro(box, edit_text(driver_of(box), 5, "@title", text))
    return [str(action.text) for action in actions if action.kind == "type"]


def test_text_is_typed_once_if_the_old_text_is_gone(node: Make, screen: Make) -> None:
    box = Box(node, screen, stubborn=0)
    assert play(box, "Why it matters") == ["Why it matters"]
    assert (box.text, box.editing) == ("Why it matters", False)


def test_text_is_typed_again_if_old_text_remains(node: Make, screen: Make) -> None:
    box = Box(node, screen, stubborn=1)
    assert play(box, "Why it matters") == ["Why it matters", "Why it matters"]
    assert box.text == "Why it matters"


def test_unchanged_text_is_reported(node: Make, screen: Make) -> None:
    with pytest.raises(MacroError, match="'@title' of slide 5 to read 'Why it matters'"):
        play(Box(node, screen, stubborn=9), "Why it matters")


class CorrectedBox(Box):
    """A title whose first letter is capitalized if more than one letter is typed."""

    def do(self, action: Action) -> Screen:
        if action.kind != "type":
            return super().do(action)
        typed = str(action.text)
        if len(typed) > 1:
            self.text = typed[0].upper() + typed[1:]
        else:
            self.text = typed + self.text[1:]
        return self.screen()


def test_autocorrected_capital_is_undone(node: Make, screen: Make) -> None:
    box = CorrectedBox(node, screen, 0)
    assert play(box, "three targets") == ["three targets", "t"]
    assert box.text == "three targets"
    box = CorrectedBox(node, screen, 0)
    assert play(box, "Three targets") == ["Three targets"]


def test_first_letter_in_a_cell_is_reached_from_the_end(node: Make, screen: Make) -> None:
    box = CorrectedBox(node, screen, 0)
    driver = driver_of(box)
    steps = replace_open_text(driver, "to do", lambda: driver.screen.shapes()[0], in_cell=True)
    keys = [
        (action.keys, action.amount) for action in run_macro(box, steps) if action.kind == "key"
    ]
    assert keys == [("ctrl+a", 1), ("Left", 5), ("shift+Right", 1)]
    assert box.text == "to do"


class FramedBox(Box):
    """A title that a click only selects; F2 opens it."""

    def do(self, action: Action) -> Screen:
        self.states = ("selected", "focused")
        if action.kind == "key" and action.keys == "F2":
            self.editing = True
        elif "click" not in action.kind:
            return super().do(action)
        return self.screen()


def test_text_opened_with_f2_is_clicked_before_cursor_keys(node: Make, screen: Make) -> None:
    box = FramedBox(node, screen, 0)
    actions = run_macro(box, edit_text(driver_of(box), 5, "@title", "Why it matters"))
    kinds = [action.keys if action.kind == "key" else action.kind for action in actions]
    assert kinds[kinds.index("F2") + 1] == "click"
    assert box.text == "Why it matters"
