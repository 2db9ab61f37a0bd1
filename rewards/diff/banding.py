"""The look of table cells that follows from the place of their row or column in a style."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pptarena.rewards.deck import Cell, Table
from pptarena.rewards.diff.change import Change
from pptarena.rewards.diff.same_shape import ShapePair
from pptarena.rewards.diff.tables import cell_differences, paired_lines

__all__ = ["is_banding"]

_PLACE = re.compile(r"row (\d+) column (\d+) ")
_Role = tuple[str, str]


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
    was = _peers(before, i, k, without=(i, k))
    now = _peers(before, *_place(after, before, j, m), without=(i, k))
    what = change.what.removeprefix(found[0])
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


def _peers(table: Table, row: int, column: int, *, without: tuple[int, int]) -> Iterator[Cell]:
    """Yield the other cells of a table with the role of a place."""
    roles = _roles(table, row), _roles(table, column, across=True)
    for i, cells in enumerate(table.rows):
        for k, cell in enumerate(cells):
            if (i, k) != without and roles == (_roles(table, i), _roles(table, k, across=True)):
                yield cell


def _place(after: Table, before: Table, row: int, column: int) -> tuple[int, int]:
    """Return a place of the table before that has the role of one now."""
    return (
        _alike(before, _roles(after, row), len(before.rows), across=False),
        _alike(before, _roles(after, column, across=True), len(before.column_widths), across=True),
    )


def _alike(table: Table, role: _Role, count: int, *, across: bool) -> int:
    found: Sequence[int] = [i for i in range(count) if _roles(table, i, across=across) == role]
    return found[0] if found else -1


def _roles(table: Table, index: int, *, across: bool = False) -> _Role:
    """Return what a row or column is to the style: which edge, and which band."""
    count = len(table.column_widths) if across else len(table.rows)
    first = table.first_column if across else table.header_row
    last = table.last_column if across else table.total_row
    banded = table.banded_columns if across else table.banded_rows
    if index < 0:
        return "none", ""
    # Borders differ at the edges of a table, whether a style names them or not.
    edge = "first" if index == 0 else "last" if index == count - 1 else ""
    if (first and index == 0) or (last and index == count - 1):
        return edge, ""
    return edge, str((index - first) % 2) if banded else ""
