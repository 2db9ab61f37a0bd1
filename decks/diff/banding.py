"""The look of table cells that follows from the place of their row or column in a style."""

import re
from collections.abc import Iterator
from dataclasses import replace

from pptarena.decks import Cell, Table
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.same_shape import ShapePair
from pptarena.decks.diff.tables import cell_differences, paired_lines

__all__ = ["is_banding"]

_PLACE = re.compile(r"row (\d+) column (\d+) ")
_Role = tuple[tuple[str, int], ...]


def is_banding(change: Change, _cause: Change, pair: ShapePair) -> bool:
    """Return whether a cell merely looks as its table's style has it at its new place.

    So it looked like the cells of its role before, and looks like those of its role now: a cell
    that was or is painted by itself does neither.
    """
    before, after = pair.old.table, pair.new.table
    found = _PLACE.match(change.what)
    if before is None or after is None or found is None:
        return change.what == "row heights" and change.aspect == "geometry"
    i, k = int(found[1]) - 1, int(found[2]) - 1
    rows, columns = paired_lines(before, after)
    j = next((now for was, now in rows if was == i), None)
    m = next((now for was, now in columns if was == k), None)
    if j is None or m is None:
        return False
    old, new = before.rows[i][k], after.rows[j][m]
    what = change.what.removeprefix(found[0])
    edges = "border" in what
    role, role_now = _role(before, i, k, edges=edges), _role(after, j, m, edges=edges)
    was, now = (_peers(before, each, (i, k), edges=edges) for each in (role, role_now))
    return any(_same(old, each, what) for each in was) and any(
        _same(new, each, what) for each in now
    )


def _same(first: Cell, second: Cell, what: str) -> bool:
    """Return whether two cells look alike in one property, whatever they say."""
    words = second.paragraphs
    if first.paragraphs and words and words[0].runs and first.paragraphs[0].runs:
        style = words[0].runs[0].style
        words = tuple(
            replace(p, runs=tuple(replace(run, style=style) for run in p.runs))
            for p in first.paragraphs
        )
    differ = cell_differences(first, replace(second, paragraphs=words), "")
    return all(each.what.strip() != what for each in differ)


def _peers(table: Table, role: _Role, without: tuple[int, int], *, edges: bool) -> Iterator[Cell]:
    """Yield the cells of a role, one apart."""
    for i, cells in enumerate(table.rows):
        for k, cell in enumerate(cells):
            if (i, k) != without and _role(table, i, k, edges=edges) == role:
                yield cell


def _role(table: Table, row: int, column: int, *, edges: bool) -> _Role:
    """Return what a place is to the table's style; borders also differ at the table's edges."""
    lines = (
        (row, len(table.rows), table.header_row, table.total_row, table.banded_rows),
        (column, len(table.column_widths), table.first_column, table.last_column,
         table.banded_columns),
    )  # fmt: skip
    return tuple(_line_role(*line, edges=edges) for line in lines)


def _line_role(
    index: int, count: int, first: bool, last: bool, banded: bool, *, edges: bool
) -> tuple[str, int]:
    edge = "first" if index == 0 else "last" if index == count - 1 else ""
    if (edge == "first" and first) or (edge == "last" and last):
        return f"own {edge}", 0
    return edge if edges else "", (index - first) % 2 if banded else 0
