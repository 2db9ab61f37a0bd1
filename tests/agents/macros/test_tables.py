"""Macros on tables, on one that is made by hand."""

from collections.abc import Callable
from typing import Any

import pytest

from pptarena.agents.macros import Desk, Screen
from pptarena.agents.macros.tables import delete_column, insert_row
from pptarena.decks import read_deck
from pptarena.envs.actions import Action
from pptarena.errors import MacroError
from pptarena.tasks import get_task

Make = Callable[..., Any]

_ENTRIES = {
    "Delete Columns": (0, -1),
}
_WAYS = ("Format", "Table", "Insert Rows", *_ENTRIES)
_BELOW, _OK = "Below selection", "OK"


class Table:
    """A table of six rows and four columns, and a menu with what changes that."""

    def __init__(self, node: Make, screen: Make, *, works: bool = True) -> None:
        self._node, self._screen, self._works = node, screen, works
        self.rows, self.columns = 6, 4
        self.cell, self.editing, self.chosen = "", False, list[str]()
        self._seen = self.screen()

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
        if self.chosen[-1:] in (["Insert Rows"], [_BELOW]):
            dialog = len(nodes)
            nodes.append(self._node(dialog, -1, "dialog", "Insert Rows"))
            nodes.append(self._node(len(nodes), dialog, "radio button", _BELOW))
            nodes.append(self._node(len(nodes), dialog, "button", _OK))
        for name in _WAYS[1:]:
            nodes.append(self._node(len(nodes), 3, "menu item", name, "sensitive", "enabled"))
        found: Screen = self._screen(nodes, slide=7, slide_count=1, editing=self.editing)
        self._seen = found
        return found

    def do(self, action: Action) -> Screen:
        if action.kind in ("click", "double_click", "triple_click") and action.element:
            name = self._seen.nodes[action.element - 1]["name"]
            if name in (*_WAYS, _BELOW, _OK):
                self.chosen.append(name)
                more = {**_ENTRIES, _OK: (1, 0)}.get(name, (0, 0)) if self._works else (0, 0)
                self.rows, self.columns = self.rows + more[0], self.columns + more[1]
            else:
                self.cell, self.editing = name, action.kind != "click"
        elif action.keys == "Escape":
            self.editing = False
        return self.screen()


def play(table: Table, macro: Make, number: int) -> None:
    desk = Desk(read_deck(get_task("clinic-drop-2024").deck_bytes()))
    desk.screen = table.screen()
    steps = macro(desk, 7, "@table", number)
    action = next(steps)
    try:
        while True:
            action = steps.send(table.do(action))
    except StopIteration:
        return


@pytest.mark.parametrize(
    ("macro", "cell", "chosen", "size"),
    [
        (delete_column, "B1", ["Format", "Table", "Delete Columns"], (6, 3)),
        (insert_row, "A2", ["Format", "Table", "Insert Rows", _BELOW, _OK], (7, 4)),
    ],
)
def test_rows_and_columns_come_and_go_by_the_menu(
    node: Make, screen: Make, macro: Make, cell: str, chosen: list[str], size: tuple[int, int]
) -> None:
    table = Table(node, screen)
    play(table, macro, 2)
    assert (table.cell, table.chosen) == (cell, chosen)
    assert (table.rows, table.columns) == size


def test_a_table_that_stays_as_it_is_is_told(node: Make, screen: Make) -> None:
    with pytest.raises(MacroError, match="'@table' of slide 7 with 6 rows and 3 columns"):
        play(Table(node, screen, works=False), delete_column, 2)


def test_a_cell_that_is_not_there_is_told(node: Make, screen: Make) -> None:
    with pytest.raises(MacroError, match="expected a cell in row 9, column 1"):
        play(Table(node, screen), insert_row, 9)
