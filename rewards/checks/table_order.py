"""Checks of the rows and columns of tables: their order, and which ones there are."""

import re
from dataclasses import dataclass
from itertools import combinations, pairwise

from pptarena.decks.diff.text import clip
from pptarena.decks.match.likeness import multiset_likeness
from pptarena.decks.text_match import folded
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, verdict
from pptarena.rewards.checks.tables import TableArgs, line_share, position_of, table_texts
from pptarena.rewards.checks.view import ShapeView, View

_NUMBER = re.compile(r"[^\d.,-]*(-?\d[\d.,]*)[^\d]*")
_ELSEWHERE = 0.8


@dataclass(frozen=True, kw_only=True)
class HasColumn(TableArgs):
    """A column that a table should have; None stands for any text."""

    cells: tuple[str | None, ...]
    at: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not any(self.cells):
            raise ValueError("expected cells with at least one text")


@dataclass(frozen=True, kw_only=True)
class LacksColumn(TableArgs):
    """A column that a table should not have, by its top cell."""

    label: str


@dataclass(frozen=True, kw_only=True)
class LineOrder(TableArgs):
    """Rows, or columns, by their first cell, in the order that they should have."""

    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(set(self.labels)) != len(self.labels) or len(self.labels) < 2:
            raise ValueError("expected two or more different labels")


@dataclass(frozen=True, kw_only=True)
class Sorted(TableArgs):
    """The column, by position from 1 or its top cell, that the rows should be sorted by."""

    column: int | str
    descending: bool = False
    header_rows: int = 1
    total_rows: int = 0


@check("table_has_column", "tables")
def table_has_column(view: View, args: HasColumn) -> CheckResult:
    """Measure the share of right cells in the column that fits best."""

    def judge(seen: ShapeView) -> CheckResult:
        lines = table_texts(seen.seen.table)
        columns = [list(column) for column in zip(*lines, strict=False)]
        if not columns:
            return CheckResult(0.0, f"{seen.label} is no table")
        share, at = max((line_share(line, args.cells), -i) for i, line in enumerate(columns))
        found = f"column {1 - at} of {seen.label} has {share:.0%} of the cells"
        if args.at is None or 1 - at == args.at:
            return CheckResult(share, found)
        return CheckResult(_ELSEWHERE * share, f"{found}, but belongs to column {args.at}")

    return view.on_shapes(args, judge)


@check("table_lacks_column", "tables", is_binary=True)
def table_lacks_column(view: View, args: LacksColumn) -> CheckResult:
    """Measure whether no column of a table begins with a text."""

    def judge(seen: ShapeView) -> CheckResult:
        lines = table_texts(seen.current.table)
        if not lines:
            return CheckResult(0.0, f"{seen.label} is no table")
        return verdict(
            folded(args.label) not in [folded(text) for text in lines[0]],
            f"{seen.label} has no column {clip(args.label)}",
            f"{seen.label} still has the column {clip(args.label)}",
        )

    return view.on_shapes(args, judge)


@check("table_row_order", "tables")
def table_row_order(view: View, args: LineOrder) -> CheckResult:
    """Measure the share of pairs of rows that stand in the right order."""

    def judge(seen: ShapeView) -> CheckResult:
        firsts = [line[0] if line else "" for line in table_texts(seen.seen.table)]
        return _in_order(firsts, args.labels, f"rows of {seen.label}")

    return view.on_shapes(args, judge)


@check("table_column_order", "tables")
def table_column_order(view: View, args: LineOrder) -> CheckResult:
    """Measure the share of pairs of columns that stand in the right order."""

    def judge(seen: ShapeView) -> CheckResult:
        lines = table_texts(seen.seen.table)
        return _in_order(lines[0] if lines else [], args.labels, f"columns of {seen.label}")

    return view.on_shapes(args, judge)


@check("table_sorted", "tables")
def table_sorted(view: View, args: Sorted) -> CheckResult:
    """Measure the share of neighbouring rows in the right order, and that rows stayed whole."""

    def judge(seen: ShapeView) -> CheckResult:
        lines = table_texts(seen.seen.table)
        column = position_of(args.column, lines[0] if lines else [])
        if column is None:
            return CheckResult(0.0, f"{seen.label} has no column {args.column!r}")
        body = lines[args.header_rows : len(lines) - args.total_rows]
        keys = [_sort_key(line[column] if column < len(line) else "") for line in body]
        pairs = list(pairwise(keys))
        if not pairs:
            return CheckResult(0.0, f"{seen.label} has fewer than two rows to sort")
        right = sum((b <= a) if args.descending else (a <= b) for a, b in pairs)
        value = right / len(pairs)
        reason = f"{right} of {len(pairs)} neighbouring rows of {seen.label} are in order"
        if seen.original is not None and seen.original.table is not None:
            before = table_texts(seen.original.table)
            before = before[args.header_rows : len(before) - args.total_rows]
            sides = ([tuple(map(folded, line)) for line in side] for side in (before, body))
            kept = multiset_likeness(*sides)
            if kept < 1:
                value, reason = value * kept, f"{reason}; {kept:.0%} of the rows are still whole"
        return CheckResult(value, reason)

    return view.on_shapes(args, judge)


def _in_order(present: list[str], labels: tuple[str, ...], what: str) -> CheckResult:
    texts = [folded(text) for text in present]
    places = [texts.index(folded(label)) if folded(label) in texts else None for label in labels]
    pairs = list(combinations(places, 2))
    right = sum(a is not None and b is not None and a < b for a, b in pairs)
    return CheckResult(right / len(pairs), f"{right} of {len(pairs)} pairs of {what} are in order")


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
