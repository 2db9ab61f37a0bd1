"""Differences in tables: added and removed rows and columns, then cell by cell."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from pptarena.decks import Cell, Table
from pptarena.decks.diff.change import Difference
from pptarena.decks.diff.fields import field_differences
from pptarena.decks.diff.text import format_differences, text_differences
from pptarena.decks.match.sequences import opcodes
from pptarena.decks.match.values import (
    LENGTH_TOLERANCE_EMU,
    clip,
    describe_line,
    same_line,
    shown,
)

__all__ = ["cell_differences", "paired_lines", "table_differences"]

_Pairs = list[tuple[int | None, int | None]]
_SIDES = ("left", "right", "upper", "lower")


def table_differences(before: Table, after: Table) -> Iterator[Difference]:
    """Yield the differences between two tables."""
    yield from field_differences(before, after, "style")
    rows, columns = paired_lines(before, after)
    yield from _came_and_went(before, after, rows, "row")
    yield from _came_and_went(before, after, columns, "column")
    for i, j in rows:
        if i is None or j is None or before.rows[i] == after.rows[j]:
            continue
        old, new = before.rows[i], after.rows[j]
        for k, m in columns:
            if k is not None and m is not None and k < len(old) and m < len(new):
                yield from cell_differences(old[k], new[m], f"row {i + 1} column {k + 1}")
    sizes = ("column widths", columns, before.column_widths, after.column_widths)
    yield from _size_differences(*sizes)
    yield from _size_differences("row heights", rows, before.row_heights, after.row_heights)


def paired_lines(before: Table, after: Table) -> tuple[_Pairs, _Pairs]:
    """Return the pairs of rows and of columns; None for an added or removed one."""
    rows = _paired(_row_keys(before), _row_keys(after))
    return rows, _paired(_column_keys(before), _column_keys(after))


def _row_keys(table: Table) -> list[str]:
    return ["\t".join(cell.text.strip() for cell in row) for row in table.rows]


def _column_keys(table: Table) -> list[str]:
    columns = zip_longest(*(tuple(cell.text.strip() for cell in row) for row in table.rows))
    return ["\t".join(text or "" for text in column) for column in columns]


def _paired(before: Sequence[str], after: Sequence[str]) -> _Pairs:
    """Return the pairs of lines; None for an added or removed one. Equal counts pair in order."""
    if len(before) == len(after):
        return [(i, i) for i in range(len(before))]
    pairs: _Pairs = []
    for _, i1, i2, j1, j2 in opcodes(before, after):
        if i2 - i1 == j2 - j1:
            pairs += zip(range(i1, i2), range(j1, j2), strict=True)
            continue
        # A row inserted above a total changes the total, too: pairing by label keeps the total.
        labels = (
            [key.partition("\t")[0] for key in keys] for keys in (before[i1:i2], after[j1:j2])
        )
        for _, k1, k2, m1, m2 in opcodes(*labels):
            # In a stretch that differs, the first lines count as changed, the rest as added.
            pairs += zip_longest(range(i1 + k1, i1 + k2), range(j1 + m1, j1 + m2))
    return pairs


def _came_and_went(before: Table, after: Table, pairs: _Pairs, what: str) -> Iterator[Difference]:
    old_keys, new_keys = (
        (_row_keys(side) if what == "row" else _column_keys(side)) for side in (before, after)
    )
    for i, j in pairs:
        if j is None and i is not None:
            texts = tuple(old_keys[i].split("\t"))
            yield Difference("tables", f"{what} {i + 1}", _said(texts), "", texts, None)
        elif i is None and j is not None:
            texts = tuple(new_keys[j].split("\t"))
            yield Difference("tables", f"{what} {j + 1}", "", _said(texts), None, texts)


def _said(texts: Sequence[str]) -> str:
    return clip(" | ".join(texts))


def cell_differences(before: Cell, after: Cell, place: str) -> Iterator[Difference]:
    """Yield the differences between two cells, with the cell's position before each property."""
    if before == after:
        return
    moves = {before.anchor, after.anchor} != {"top"}
    yield from text_differences(
        before.paragraphs, after.paragraphs, "tables", place, lines_after=moves
    )
    for each in field_differences(before, after, "style", f"{place} "):
        if each.what.endswith(" borders"):
            yield from _border_differences(before, after, place)
        elif each.what.endswith(" spans"):
            yield replace(each, aspect="tables")
        elif each.what.endswith((" anchor", " insets", " vertical", " centered")):
            yield replace(each, aspect="formatting")
        else:
            yield each
    yield from format_differences(before.paragraphs, after.paragraphs, f"{place} ")


def _border_differences(before: Cell, after: Cell, place: str) -> Iterator[Difference]:
    for side, old, new in zip(_SIDES, before.borders, after.borders, strict=True):
        if not same_line(old, new):
            what = f"{place} {side} border"
            yield Difference.of("style", what, old, new, describe_line)


def _size_differences(
    what: str, pairs: _Pairs, before: Sequence[int], after: Sequence[int]
) -> Iterator[Difference]:
    there = [
        (before[i], after[j])
        for i, j in pairs
        if i is not None and j is not None and i < len(before) and j < len(after)
    ]
    if any(abs(old - new) > LENGTH_TOLERANCE_EMU for old, new in there):
        old, new = (tuple(side) for side in zip(*there, strict=True))
        said = shown(old, "in"), shown(new, "in")
        yield Difference("geometry", what, *said, tuple(before), tuple(after))
