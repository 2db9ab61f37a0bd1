"""Checks of the rows and columns of tables: their order, and which ones there are."""

import re
from itertools import combinations, pairwise

from pptarena.decks.diff.text import clip
from pptarena.decks.match.likeness import multiset_likeness
from pptarena.decks.text_match import folded
from pptarena.rewards.checks.arguments import Cells, Line, Lines
from pptarena.rewards.checks.pairs import ShapePair
from pptarena.rewards.checks.registry import shape_check
from pptarena.rewards.checks.result import CheckResult, verdict
from pptarena.rewards.checks.tables import line_share, position_of, table_texts

_NUMBER = re.compile(r"[^\d.,-]*(-?\d[\d.,]*)[^\d]*")
_ELSEWHERE = 0.8


@shape_check("tables", shape="@table")
def table_has_column(pair: ShapePair, cells: Cells, at: int | None = None) -> CheckResult:
    """Measure the share of right cells in the best column; elsewhere than wanted it earns 0.8."""
    lines = table_texts(pair.visible.table)
    columns = [list(column) for column in zip(*lines, strict=False)]
    if not columns:
        return CheckResult(0.0, f"{pair.label} is no table")
    share, best = max((line_share(line, cells), -i) for i, line in enumerate(columns))
    found = f"column {1 - best} of {pair.label} has {share:.0%} of the cells"
    if at is None or 1 - best == at:
        return CheckResult(share, found)
    return CheckResult(_ELSEWHERE * share, f"{found}, but belongs to column {at}")


@shape_check("tables", is_binary=True, shape="@table")
def table_lacks_column(pair: ShapePair, label: str) -> CheckResult:
    """Measure whether no column of a table begins with a text.

    Args:
        label: Text of the top cell.
    """
    lines = table_texts(pair.after.table)
    if not lines:
        return CheckResult(0.0, f"{pair.label} is no table")
    return verdict(
        folded(label) not in [folded(text) for text in lines[0]],
        f"{pair.label} has no column {clip(label)}",
        f"{pair.label} still has the column {clip(label)}",
    )


@shape_check("tables", shape="@table")
def table_row_order(pair: ShapePair, labels: Lines) -> CheckResult:
    """Measure the share of pairs of rows that stand in the right order."""
    firsts = [line[0] if line else "" for line in table_texts(pair.visible.table)]
    return _in_order(firsts, labels, f"rows of {pair.label}")


@shape_check("tables", shape="@table")
def table_column_order(pair: ShapePair, labels: Lines) -> CheckResult:
    """Measure the share of pairs of columns that stand in the right order."""
    lines = table_texts(pair.visible.table)
    return _in_order(lines[0] if lines else [], labels, f"columns of {pair.label}")


@shape_check("tables", shape="@table")
def table_sorted(
    pair: ShapePair,
    column: Line,
    descending: bool = False,
    header_rows: int = 1,
    total_rows: int = 0,
) -> CheckResult:
    """Measure the share of neighbouring rows in the right order, and that rows stayed whole."""
    lines = table_texts(pair.visible.table)
    place = position_of(column, lines[0] if lines else [])
    if place is None:
        return CheckResult(0.0, f"{pair.label} has no column {column!r}")
    body = lines[header_rows : len(lines) - total_rows]
    keys = [_sort_key(line[place] if place < len(line) else "") for line in body]
    pairs = list(pairwise(keys))
    if not pairs:
        return CheckResult(0.0, f"{pair.label} has fewer than two rows to sort")
    right = sum((b <= a) if descending else (a <= b) for a, b in pairs)
    value = right / len(pairs)
    reason = f"{right} of {len(pairs)} neighbouring rows of {pair.label} are in order"
    if pair.before is not None and pair.before.table is not None:
        before = table_texts(pair.before.table)
        before = before[header_rows : len(before) - total_rows]
        sides = ([tuple(map(folded, line)) for line in side] for side in (before, body))
        kept = multiset_likeness(*sides)
        if kept < 1:
            value, reason = value * kept, f"{reason}; {kept:.0%} of the rows are still whole"
    return CheckResult(value, reason)


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
