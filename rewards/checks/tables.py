"""Checks of tables."""

from collections.abc import Iterator, Sequence

from pptarena.decks import Cell, Table
from pptarena.decks.diff.text import clip
from pptarena.decks.text_match import folded, text_share
from pptarena.rewards.checks.arguments import Cells, Line
from pptarena.rewards.checks.pairs import ShapePair
from pptarena.rewards.checks.registry import shape_check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.text import same_words
from pptarena.rewards.checks.values import nearness

__all__ = ["chosen_cells", "line_share", "position_of", "table_texts"]


@shape_check("tables", shape="@table")
def table_cell_is(
    pair: ShapePair, row: Line, column: Line, text: str, match_case: bool = True
) -> CheckResult:
    """Measure whether a cell reads as it should; numbers are right or wrong, text may be nearly."""
    table = pair.visible.table
    if table is None:
        return CheckResult(0.0, f"{pair.label} is no table")
    i = position_of(row, [_first(line) for line in table_texts(table)])
    j = position_of(column, table_texts(table)[0] if table.rows else [])
    if i is None or j is None or j >= len(table.rows[i]):
        missing = f"row {row!r}" if i is None else f"column {column!r}"
        return CheckResult(0.0, f"{pair.label} has no {missing}")
    said = table.rows[i][j].text
    found = same_words(said, text, match_case, f"the cell {row}, {column}")
    if found.score < 1.0 and _is_number(text):
        return CheckResult(0.0, found.reason)
    return found


@shape_check("tables", shape="@table")
def table_has_row(pair: ShapePair, cells: Cells, at: int | None = None) -> CheckResult:
    """Measure the share of right cells in the best row; elsewhere than wanted it earns 0.8."""
    table = pair.visible.table
    if table is None or not table.rows:
        return CheckResult(0.0, f"{pair.label} is no table")
    lines = table_texts(table)
    ranked = [(line_share(line, cells), -i) for i, line in enumerate(lines)]
    share, best = max(ranked)
    found = f"row {1 - best} of {pair.label} has {share:.0%} of the cells"
    if at is None or 1 - best == at:
        return CheckResult(share, found)
    return CheckResult(0.8 * share, f"{found}, but belongs to row {at}")


@shape_check("tables", is_binary=True, shape="@table")
def table_lacks_row(pair: ShapePair, label: str) -> CheckResult:
    """Measure whether no row of a table begins with a text.

    Args:
        label: Text of the first cell.
    """
    table = pair.visible.table
    if table is None:
        return CheckResult(0.0, f"{pair.label} is no table")
    firsts = [folded(_first(line)) for line in table_texts(table)]
    return verdict(
        folded(label) not in firsts,
        f"{pair.label} has no row {clip(label)}",
        f"{pair.label} still has the row {clip(label)}",
    )


@shape_check("tables", shape="@table", at_least_one=("rows", "columns"))
def table_size(pair: ShapePair, rows: int | None = None, columns: int | None = None) -> CheckResult:
    """Measure how near a table's rows and columns are to their right numbers, the mean of both."""
    table = pair.visible.table
    if table is None:
        return CheckResult(0.0, f"{pair.label} is no table")
    sizes = (
        ("rows", len(table.rows), rows),
        ("columns", len(table.column_widths), columns),
    )
    return mean_of(
        [
            CheckResult(
                nearness(found - wanted, 0, 1),
                f"{pair.label} has {found} {name}, wanted {wanted}",
            )
            for name, found, wanted in sizes
            if wanted is not None
        ],
        "sides",
    )


def table_texts(table: Table | None) -> list[list[str]]:
    """Return the texts of a table's cells by rows; none of what is no table."""
    return [] if table is None else [[cell.text for cell in row] for row in table.rows]


def chosen_cells(
    table: Table | None, row: Line | None, column: Line | None
) -> Iterator[tuple[int, int, Cell]]:
    """Yield row and column from 0 and cell of those that are named, all of them for None."""
    if table is None or not table.rows:
        return
    lines = table_texts(table)
    at_row = None if row is None else position_of(row, [_first(line) for line in lines])
    at_column = None if column is None else position_of(column, lines[0])
    if (row is not None and at_row is None) or (column is not None and at_column is None):
        return
    for i, cells in enumerate(table.rows):
        for j, cell in enumerate(cells):
            if at_row in (None, i) and at_column in (None, j) and cell.spans != (0, 0):
                yield i, j, cell


def _first(line: Sequence[str]) -> str:
    return line[0] if line else ""


def position_of(wanted: Line, heads: Sequence[str]) -> int | None:
    """Return a position from 0 by number from 1 or by text; None if there is none."""
    if isinstance(wanted, int):
        return wanted - 1 if 1 <= wanted <= len(heads) else None
    texts = [folded(head) for head in heads]
    return texts.index(folded(wanted)) if folded(wanted) in texts else None


def line_share(line: Sequence[str], cells: Sequence[str | None]) -> float:
    """Return the share of cells that are right; None stands for any text."""
    wanted = [(i, text) for i, text in enumerate(cells) if text is not None]
    shares = [_cell_share(line[i], text) if i < len(line) else 0.0 for i, text in wanted]
    return sum(shares) / len(shares)


def _cell_share(text: str, wanted: str) -> float:
    share = text_share(text, wanted, match_case=False)
    # Half of a number is no number.
    return float(share == 1.0) if _is_number(wanted) else share


def _is_number(text: str) -> bool:
    return any(letter.isdigit() for letter in text) and not any(map(str.isalpha, text))
