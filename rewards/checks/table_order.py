"""Checks of the rows and columns of tables: their order, and which ones there are."""

import re
from itertools import pairwise

from pptarena.decks.match.likeness import multiset_likeness
from pptarena.decks.text_match import folded
from pptarena.rewards.checking.arguments import Cells, Line, Lines
from pptarena.rewards.checking.compare import in_order, share
from pptarena.rewards.checking.pairs import ShapePair
from pptarena.rewards.checking.registry import shape_check
from pptarena.rewards.checking.result import CheckResult, needed, noted
from pptarena.rewards.checks.tables import (
    best_line,
    first_texts,
    line_gone,
    position_of,
    table_texts,
)

_NUMBER = re.compile(r"[^\d.,-]*(-?\d[\d.,]*)[^\d]*")


@shape_check("tables", shape="@table")
def table_has_column(pair: ShapePair, cells: Cells, at: int | None = None) -> CheckResult:
    """Measure the share of right cells in the best column; elsewhere than wanted it earns 0.8."""
    columns = [list(column) for column in zip(*table_texts(pair.visible), strict=False)]
    return best_line("column", pair.label, columns, cells, at)


@shape_check("tables", shape="@table")
def table_lacks_column(pair: ShapePair, label: str) -> CheckResult:
    """Measure the share of a column's cells that are gone.

    Args:
        label: Text of the top cell.
    """
    lines = needed(table_texts(pair.after), f"{pair.label} is empty")
    before = None if pair.before is None or pair.before.table is None else table_texts(pair.before)
    columns = [list(column) for column in zip(*lines, strict=False)]
    had = None if before is None else [list(column) for column in zip(*before, strict=False)]
    return line_gone("column", pair.label, label, columns, had)


@shape_check("tables", shape="@table")
def table_row_order(pair: ShapePair, labels: Lines, whole: bool = False) -> CheckResult:
    """Measure the share of pairs of rows that stand in the right order.

    Args:
        whole: Whether only rows count that still have all the cells they had.
    """
    lines = table_texts(pair.visible)
    if whole and pair.before is not None and pair.before.table is not None:
        had = {tuple(map(folded, line)) for line in table_texts(pair.before)}
        lines = [line if tuple(map(folded, line)) in had else [""] * len(line) for line in lines]
    firsts = first_texts(lines)
    return in_order([position_of(each, firsts) for each in labels], f"rows of {pair.label}")


@shape_check("tables", shape="@table")
def table_column_order(pair: ShapePair, labels: Lines) -> CheckResult:
    """Measure the share of pairs of columns that stand in the right order."""
    heads = needed(table_texts(pair.visible), f"{pair.label} is empty")[0]
    return in_order([position_of(each, heads) for each in labels], f"columns of {pair.label}")


@shape_check("tables", shape="@table")
def table_sorted(
    pair: ShapePair,
    column: Line,
    descending: bool = False,
    header_rows: int = 1,
    total_rows: int = 0,
) -> CheckResult:
    """Measure the share of neighbouring rows in the right order, and that rows stayed whole."""
    lines = table_texts(pair.visible)
    place = position_of(column, lines[0] if lines else [])
    if place is None:
        return CheckResult(0.0, f"{pair.label} has no column {column!r}")
    body = lines[header_rows : len(lines) - total_rows]
    keys = [_sort_key(line[place] if place < len(line) else "") for line in body]
    pairs = needed(list(pairwise(keys)), f"{pair.label} has fewer than two rows to sort")
    right = sum((b <= a) if descending else (a <= b) for a, b in pairs)
    result = share(right, len(pairs), f"neighbouring rows of {pair.label} are in order")
    if pair.before is None or pair.before.table is None:
        return result
    before = table_texts(pair.before)
    before = before[header_rows : len(before) - total_rows]
    whole = multiset_likeness(*([tuple(map(folded, x)) for x in side] for side in (before, body)))
    torn = f"{whole:.0%} of the rows are still whole" if whole < 1 else ""
    return noted(CheckResult(whole * result.score, result.reason), torn)


def _sort_key(text: str) -> tuple[int, float, str]:
    """Return what a cell sorts by: numbers before words, numbers by value."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        return 1, 0.0, folded(text)
    number = match[1]
    # A last group of three digits behind a sign parts thousands, any other one a fraction.
    whole, sign, rest = number.rpartition(max(".", ",", key=number.rfind))
    if sign and len(rest) != 3:
        number = whole.replace(",", "").replace(".", "") + "." + rest
    else:
        number = number.replace(",", "").replace(".", "")
    try:
        return 0, float(number), ""
    except ValueError:
        return 1, 0.0, folded(text)
