"""Checks of tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pptarena.decks import Cell, Table
from pptarena.decks.diff.text import clip
from pptarena.decks.text_match import folded, text_share
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.text import same_words
from pptarena.rewards.checks.values import nearness
from pptarena.rewards.checks.view import ShapeArgs, ShapeView, View

__all__ = ["TableArgs", "chosen_cells", "line_share", "position_of", "table_texts"]


@dataclass(frozen=True, kw_only=True)
class TableArgs(ShapeArgs):
    """Names a table; by default the first one of the slide."""

    shape: str | None = None

    def __post_init__(self) -> None:
        if self.shape is None and self.shape_now is None:
            # The fields of a frozen dataclass are set this way before it is in use.
            object.__setattr__(self, "shape", "@table")
        super().__post_init__()


@dataclass(frozen=True, kw_only=True)
class CellText(TableArgs):
    """What a cell should say; row and column by position from 1, or by their first cell."""

    row: int | str
    column: int | str
    text: str
    match_case: bool = True


@dataclass(frozen=True, kw_only=True)
class HasRow(TableArgs):
    """A row that a table should have; None stands for any text."""

    cells: tuple[str | None, ...]
    at: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not any(self.cells):
            raise ValueError("expected cells with at least one text")


@dataclass(frozen=True, kw_only=True)
class LacksRow(TableArgs):
    """A row that a table should not have, by its first cell."""

    label: str


@dataclass(frozen=True, kw_only=True)
class TableSize(TableArgs):
    """How many rows and columns a table should have."""

    rows: int | None = None
    columns: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rows is None and self.columns is None:
            raise ValueError("expected rows or columns")


@check("table_cell_is", "tables")
def table_cell_is(view: View, args: CellText) -> CheckResult:
    """Measure whether a cell reads as it should; numbers are right or wrong, text may be nearly."""

    def judge(seen: ShapeView) -> CheckResult:
        table = seen.seen.table
        if table is None:
            return CheckResult(0.0, f"{seen.label} is no table")
        row = position_of(args.row, [_first(line) for line in table_texts(table)])
        column = position_of(args.column, table_texts(table)[0] if table.rows else [])
        if row is None or column is None or column >= len(table.rows[row]):
            missing = f"row {args.row!r}" if row is None else f"column {args.column!r}"
            return CheckResult(0.0, f"{seen.label} has no {missing}")
        text = table.rows[row][column].text
        found = same_words(text, args.text, args.match_case, f"the cell {args.row}, {args.column}")
        if found.score < 1.0 and _is_number(args.text):
            return CheckResult(0.0, found.reason)
        return found

    return view.on_shapes(args, judge)


@check("table_has_row", "tables")
def table_has_row(view: View, args: HasRow) -> CheckResult:
    """Measure the share of right cells in the row that fits best."""

    def judge(seen: ShapeView) -> CheckResult:
        table = seen.seen.table
        if table is None or not table.rows:
            return CheckResult(0.0, f"{seen.label} is no table")
        lines = table_texts(table)
        ranked = [(line_share(line, args.cells), -i) for i, line in enumerate(lines)]
        share, at = max(ranked)
        found = f"row {1 - at} of {seen.label} has {share:.0%} of the cells"
        if args.at is None or 1 - at == args.at:
            return CheckResult(share, found)
        return CheckResult(0.8 * share, f"{found}, but belongs to row {args.at}")

    return view.on_shapes(args, judge)


@check("table_lacks_row", "tables", is_binary=True)
def table_lacks_row(view: View, args: LacksRow) -> CheckResult:
    """Measure whether no row of a table begins with a text."""

    def judge(seen: ShapeView) -> CheckResult:
        table = seen.seen.table
        if table is None:
            return CheckResult(0.0, f"{seen.label} is no table")
        firsts = [folded(_first(line)) for line in table_texts(table)]
        return verdict(
            folded(args.label) not in firsts,
            f"{seen.label} has no row {clip(args.label)}",
            f"{seen.label} still has the row {clip(args.label)}",
        )

    return view.on_shapes(args, judge)


@check("table_size", "tables")
def table_size(view: View, args: TableSize) -> CheckResult:
    """Measure how near a table's rows and columns are to their right numbers."""

    def judge(seen: ShapeView) -> CheckResult:
        table = seen.seen.table
        if table is None:
            return CheckResult(0.0, f"{seen.label} is no table")
        sizes = (
            ("rows", len(table.rows), args.rows),
            ("columns", len(table.column_widths), args.columns),
        )
        return mean_of(
            [
                CheckResult(
                    nearness(found - wanted, 0, 1),
                    f"{seen.label} has {found} {name}, wanted {wanted}",
                )
                for name, found, wanted in sizes
                if wanted is not None
            ],
            "sides",
        )

    return view.on_shapes(args, judge)


def table_texts(table: Table | None) -> list[list[str]]:
    """Return the texts of a table's cells by rows; none of what is no table."""
    return [] if table is None else [[cell.text for cell in row] for row in table.rows]


def chosen_cells(
    table: Table | None, row: int | str | None, column: int | str | None
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


def position_of(wanted: int | str, heads: Sequence[str]) -> int | None:
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
