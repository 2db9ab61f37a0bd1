"""Checks of tables."""

from collections import Counter
from collections.abc import Sequence

from pptarena.decks import Cell, Shape
from pptarena.decks.diff.text import clip
from pptarena.decks.text_match import folded, text_share
from pptarena.rewards.checking.arguments import Cells, Line
from pptarena.rewards.checking.compare import lacks, near
from pptarena.rewards.checking.pairs import ShapePair
from pptarena.rewards.checking.registry import shape_check
from pptarena.rewards.checking.result import CheckResult, mean_of, needed
from pptarena.rewards.checks.text import is_wanted_number, same_words

__all__ = [
    "best_line",
    "chosen_cells",
    "first_texts",
    "line_gone",
    "position_of",
    "table_texts",
    "texts_before",
]

_ELSEWHERE = 0.8


@shape_check("tables", shape="@table")
def table_cell_is(
    pair: ShapePair, row: Line, column: Line, text: str, match_case: bool = True
) -> CheckResult:
    """Measure whether a cell has the wanted text; text may be nearly right, numbers may not.

    Any thousands separators are right, unless the original has the number with other separators.
    """
    lines = table_texts(pair.visible)
    i, j = position_of(row, first_texts(lines)), position_of(column, lines[0] if lines else [])
    if i is None or j is None or j >= len(lines[i]):
        missing = f"row {row!r}" if i is None else f"column {column!r}"
        return CheckResult(0.0, f"{pair.label} has no {missing}")
    where = f"the cell {row}, {column}"
    result = same_words(lines[i][j], text, match_case, where, before=texts_before(pair))
    if result.score < 1.0 and _is_number(text):
        return CheckResult(0.0, result.reason)
    return result


@shape_check("tables", shape="@table")
def table_has_row(pair: ShapePair, cells: Cells, at: int | None = None) -> CheckResult:
    """Measure the share of right cells in the best row; a row in another position keeps 0.8."""
    return best_line("row", pair, table_texts(pair.visible), cells, at)


@shape_check("tables", shape="@table")
def table_lacks_row(pair: ShapePair, label: str) -> CheckResult:
    """Measure the share of a row's cells that were removed.

    Args:
        label: Text of the first cell.
    """
    before = None if pair.before is None or pair.before.table is None else table_texts(pair.before)
    return line_gone("row", pair.label, label, table_texts(pair.visible), before)


@shape_check("tables", shape="@table", at_least_one=("rows", "columns"))
def table_size(pair: ShapePair, rows: int | None = None, columns: int | None = None) -> CheckResult:
    """Measure how near a table's numbers of rows and columns are to the wanted ones, as a mean."""
    table, what = needed(pair.visible.table, f"{pair.label} is not a table"), f"of {pair.label}"
    results = [
        near(f"the number of rows {what}", len(table.rows), rows, 0, 1),
        near(f"the number of columns {what}", len(table.column_widths), columns, 0, 1),
    ]
    return mean_of(results, "sides")


def table_texts(shape: Shape) -> list[list[str]]:
    """Return the texts of a table's cells by rows.

    Raises:
        NotThereError: If the shape is not a table.
    """
    table = needed(shape.table, f"{shape.label} is not a table")
    return [[cell.text for cell in row] for row in table.rows]


def texts_before(pair: ShapePair) -> list[str]:
    """Return the texts of all cells of a table in the original; empty if it had no such table."""
    if pair.before is None or pair.before.table is None:
        return []
    return [text for line in table_texts(pair.before) for text in line]


def first_texts(lines: Sequence[Sequence[str]]) -> list[str]:
    """Return the first text of each line; empty for a line without text."""
    return [line[0] if line else "" for line in lines]


def chosen_cells(pair: ShapePair, row: Line | None, column: Line | None) -> list[tuple[str, Cell]]:
    """Return position and cell of the given cells, or of all cells for None.

    Raises:
        NotThereError: If there are none.
    """
    lines = table_texts(pair.after)
    at_row = None if row is None else position_of(row, first_texts(lines))
    at_column = None if column is None or not lines else position_of(column, lines[0])
    cells = [
        (f"cell {i + 1}, {j + 1}", cell)
        for i, line in enumerate(pair.after.table.rows if pair.after.table is not None else ())
        for j, cell in enumerate(line)
        if (row is None or i == at_row) and (column is None or j == at_column)
        if cell.spans != (0, 0)
    ]
    return needed(cells, f"{pair.label} has no matching cells")


def position_of(wanted: Line, heads: Sequence[str]) -> int | None:
    """Return a position from 0 by number from 1 or by text; None if there is none."""
    if isinstance(wanted, int):
        return wanted - 1 if 1 <= wanted <= len(heads) else None
    texts = [folded(head) for head in heads]
    return texts.index(folded(wanted)) if folded(wanted) in texts else None


def best_line(
    kind: str, pair: ShapePair, lines: Sequence[Sequence[str]], cells: Cells, at: int | None
) -> CheckResult:
    """Measure the share of right cells in the best row or column; 0.8 of it in another position."""
    needed(lines, f"{pair.label} is empty")
    had = texts_before(pair)
    right, best = max((_line_share(line, cells, had), -i) for i, line in enumerate(lines))
    found = f"{kind} {1 - best} of {pair.label} has {right:.0%} of the cells"
    if at is None or 1 - best == at:
        return CheckResult(right, found)
    return CheckResult(_ELSEWHERE * right, f"{found}, but should be {kind} {at}")


def line_gone(
    kind: str,
    where: str,
    label: str,
    lines: Sequence[Sequence[str]],
    before: Sequence[Sequence[str]] | None,
) -> CheckResult:
    """Measure the share of the cells of a row or column that were removed.

    A line that lost only its first cell, or some of its cells, is still there with the others. A
    line that begins like another line of the original is that other line.

    Args:
        kind: `row` or `column`.
        where: Name of the table for the reason.
        label: The first text of the line.
        lines: The current lines of the table.
        before: The original's lines; None if there was no such table.
    """
    result = lacks(where, kind, label, first_texts(lines))
    at = position_of(label, first_texts(before or ()))
    if before is None or at is None:
        return result
    model = [folded(text) for text in before[at]]
    known = {folded(head) for head in first_texts(before)} - {folded(label)}
    left = max((_left_of(model, line) for line in lines if folded(line[0]) not in known), default=0)
    said = sum(map(bool, model))
    if not left or not said:
        return result
    reason = f"{where} still has {left} of {said} cells of the {kind} {clip(label)}"
    return CheckResult(1 - left / said, reason)


def _left_of(model: Sequence[str], line: Sequence[str]) -> int:
    """Return how many of some texts a line still has, in any order."""
    had, has = Counter(filter(None, model)), Counter(map(folded, line))
    return (had & has).total()


def _line_share(line: Sequence[str], cells: Cells, had: Sequence[str]) -> float:
    """Return the share of right cells; None stands for any text.

    A line whose first cell has nothing of the wanted label is another line.
    """
    wanted = [(i, text) for i, text in enumerate(cells) if text is not None]
    shares = [_cell_share(line[i], text, had) if i < len(line) else 0.0 for i, text in wanted]
    if wanted[0][0] == 0 and not shares[0]:
        return 0.0  # numbers without their label mean nothing
    return sum(shares) / len(shares)


def _cell_share(text: str, wanted: str, had: Sequence[str]) -> float:
    share = text_share(text, wanted, match_case=False)
    if share < 1.0 and is_wanted_number(text, wanted, had):
        return 1.0
    # Half of a number is not a number.
    return float(share == 1.0) if _is_number(wanted) else share


def _is_number(text: str) -> bool:
    return any(letter.isdigit() for letter in text) and not any(map(str.isalpha, text))
