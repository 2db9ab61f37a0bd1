"""Macros for tables, on a simulated table."""

from collections.abc import Callable
from typing import Any

import pytest

from pptarena.agents.macros import Driver, Screen
from pptarena.agents.macros.tables import delete_column, insert_row
from pptarena.decks import read_deck
from pptarena.envs.actions import Action
from pptarena.errors import MacroError
from pptarena.tasks import get_task

Make = Callable[..., Any]

_SIZE_CHANGES = {
    "Delete Columns": (0, -1),
}
_MENU_ENTRIES = ("Format", "Table", "Insert Rows", *_SIZE_CHANGES)
_BELOW, _OK = "Below selection", "OK"


class Table:
    """A table of six rows and four columns, and a menu that changes its size."""

    def __init__(self, node: Make, screen: Make, *, works: bool = True) -> None:
        self._node, self._screen, self._works = node, screen, works
        self.rows, self.columns = 6, 4
        self.cell, self.editing, self.clicked = "", False, list[str]()
        self._last_screen = self.screen()

    def screen(self) -> Screen:
        nodes = [
            self._node(0, -1, "document presentation", "deck"),
            self._node(1, 0, "panel", "PageShape: Incidents by ward", box=(176, 174, 730, 411)),
            self._node(2, 0, "table", "Incidents by ward", box=(214, 306, 367, 200)),
            self._node(3, -1, "menu", "Format", "sensitive", "enabled"),
        ]
        for row in range(self.rows):
            for column in range(self.columns):
                name, box = f"{'ABCDE'[column]}{row + 1}", (80 * column, 30 * row, 80, 30)
                nodes.append(self._node(len(nodes), 2, "table cell", name, box=box))
        if self.clicked[-1:] in (["Insert Rows"], [_BELOW]):
            dialog = len(nodes)
            nodes.append(self._node(dialog, -1, "dialog", "Insert Rows"))
            nodes.append(self._node(len(nodes), dialog, "radio button", _BELOW))
            nodes.append(self._node(len(nodes), dialog, "button", _OK))
        for name in _MENU_ENTRIES[1:]:
            nodes.append(self._node(len(nodes), 3, "menu item", name, "sensitive", "enabled"))
        screen: Screen = self._screen(nodes, slide=7, slide_count=1, editing=self.editing)
        self._last_screen = screen
        return screen

    def do(self, action: Action) -> Screen:
        if action.kind in ("click", "double_click", "triple_click") and action.element:
            name = self._last_screen.nodes[action.element - 1]["name"]
            if name in (*_MENU_ENTRIES, _BELOW, _OK):
                self.clicked.append(name)
                change = {**_SIZE_CHANGES, _OK: (1, 0)}.get(name, (0, 0)) if self._works else (0, 0)
                self.rows, self.columns = self.rows + change[0], self.columns + change[1]
            else:
                self.cell, self.editing = name, action.kind != "click"
        elif action.keys == "Escape":
            self.editing = False
        return self.screen()


def play(table: Table, macro: Make, number: int) -> None:
    driver = Driver(read_deck(get_task("clinic-drop-2024").deck_bytes()))
    driver.screen = table.screen()
    steps = macro(driver, 7, "@table", number)
    action = next(steps)
    try:
        while True:
            action = steps.send(table.do(action))
    except StopIteration:
        return


@pytest.mark.parametrize(
    ("macro", "cell", "clicked", "size"),
    [
        (delete_column, "B1", ["Format", "Table", "Delete Columns"], (6, 3)),
        (insert_row, "A2", ["Format", "Table", "Insert Rows", _BELOW, _OK], (7, 4)),
    ],
)
def test_menu_inserts_rows_and_deletes_columns(
    node: Make, screen: Make, macro: Make, cell: str, clicked: list[str], size: tuple[int, int]
) -> None:
    table = Table(node, screen)
    play(table, macro, 2)
    assert (table.cell, table.clicked) == (cell, clicked)
    assert (table.rows, table.columns) == size


def test_unchanged_table_is_reported(node: Make, screen: Make) -> None:
    with pytest.raises(MacroError, match="'@table' of slide 7 with 6 rows and 3 columns"):
        play(Table(node, screen, works=False), delete_column, 2)


def test_nonexistent_cell_is_reported(node: Make, screen: Make) -> None:
    with pytest.raises(MacroError, match="expected a cell in row 9, column 1"):
        play(Table(node, screen), insert_row, 9)
