"""Checks of the rows and columns of tables: which ones exist, and their order."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pptarena.decks.column_order import column_readings
from pptarena.decks.match.likeness import multiset_likeness
from pptarena.decks.text_match import folded
from pptarena.rewards.checking.arguments import Line, Lines
from pptarena.rewards.checking.compare import in_order, share
from pptarena.rewards.checking.pairs import ShapePair
from pptarena.rewards.checking.registry import shape_check
from pptarena.rewards.checking.result import CheckResult, best_of, needed, noted
from pptarena.rewards.checks.tables import (
    first_texts,
    line_gone,
    position_of,
    table_texts,
    texts_before,
)


@shape_check("tables", shape="@table")
def table_lacks_column(pair: ShapePair, label: str) -> CheckResult:
    """Measure the share of a column's cells that were removed.

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
    """Measure the share of pairs of rows in the right order.

    Args:
        whole: Whether only rows count that still have all of their original cells.
    """
    lines = table_texts(pair.visible)
    if whole and pair.before is not None and pair.before.table is not None:
        had = {tuple(map(folded, line)) for line in table_texts(pair.before)}
        lines = [line if tuple(map(folded, line)) in had else [""] * len(line) for line in lines]
    firsts = first_texts(lines)
    return in_order([position_of(each, firsts) for each in labels], f"rows of {pair.label}")


@shape_check("tables", shape="@table")
def table_sorted(
    pair: ShapePair,
    column: Line,
    descending: bool = False,
    header_rows: int = 1,
    total_rows: int = 0,
) -> CheckResult:
    """Measure the share of neighboring rows in the right order, times the share of intact rows.

    The cells of the column determine its type: numbers with signs, currencies and units such as K;
    fractions; dates, months, quarters and weeks; times; days of the week; ranges; or text. In text,
    numbers sort by value and accents are ignored. Empty cells, dashes, "n/a" and cells without a
    value sort last in both directions.

    If a column is ambiguous, the order of each reading is right. Examples are 01/02/2024 with the
    day or the month first; 1.250 as thousands or decimals; weeks that begin on Monday or Sunday;
    words of which only some are names of days or months; accented characters as plain ones or in
    the order of a language that has them.
    """
    lines = table_texts(pair.visible)
    place = position_of(column, lines[0] if lines else [])
    if place is None:
        return CheckResult(0.0, f"{pair.label} has no column {column!r}")
    body = lines[header_rows : len(lines) - total_rows]
    before = None
    if pair.before is not None and pair.before.table is not None:
        before = table_texts(pair.before)
        before = before[header_rows : len(before) - total_rows]
    cells = [line[place] if place < len(line) else "" for line in body]
    needed(cells[1:], f"{pair.label} has fewer than two rows to sort")
    result = best_of(_sorted_as(pair, cells, before, place, descending))
    if before is None:
        return result
    whole = multiset_likeness(*([tuple(map(folded, x)) for x in side] for side in (before, body)))
    torn = f"{whole:.0%} of the rows are intact" if whole < 1 else ""
    return noted(CheckResult(whole * result.score, result.reason), torn)


def _sorted_as(
    pair: ShapePair,
    cells: Sequence[str],
    before: Sequence[Sequence[str]] | None,
    place: int,
    descending: bool,
) -> Iterator[CheckResult]:
    """Yield the share of neighboring cells in order for each reading of a column."""
    had = [line[place] for line in before or () if place < len(line)]
    others = [*texts_before(pair), *(slide.text for slide in pair.on.view.original.slides)]
    for reading in column_readings([*had, *cells], others):
        pairs = list(pairwise(reading.keys(cells)))
        right = sum(reading.in_order(a, b, descending) for a, b in pairs)
        what = f"neighboring rows of {pair.label} are in order as {reading.name}"
        yield share(right, len(pairs), what)
