"""Checks of the contents, order and formatting of tables."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, TypedDict, Unpack

from pptarena.decks import Cell, Shape
from pptarena.decks.column_order import column_readings
from pptarena.decks.diff.text import clip
from pptarena.decks.match.similarity import multiset_similarity
from pptarena.decks.text_match import normalize_caseless, text_similarity
from pptarena.rewards.checking.arguments import Cells, ColorOrNone, Line, Lines
from pptarena.rewards.checking.registry import shape_check
from pptarena.rewards.checking.result import (
    CheckResult,
    best_of,
    mean_of,
    require,
    score_absence,
    score_equal,
    score_near,
    score_order,
    score_share,
    with_note,
)
from pptarena.rewards.checking.values import COLOR_TOLERANCE, run_character_count, score_paint
from pptarena.rewards.checking.view import ShapePair
from pptarena.rewards.checks.formatting import TargetStyle, require_style, style_tests
from pptarena.rewards.checks.text import is_expected_number, score_text

_OTHER_POSITION_FACTOR = 0.8
_EMPTIED_CREDIT = 0.5


@shape_check(shape="@table")
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
    result = score_text(lines[i][j], text, match_case, where, before=texts_before(pair))
    if result.score < 1.0 and _is_number(text):
        return CheckResult(0.0, result.reason)
    return result


@shape_check(shape="@table")
def table_has_row(pair: ShapePair, cells: Cells, at: int | None = None) -> CheckResult:
    """Measure the share of right cells in the best row; a row in another position keeps 0.8."""
    return best_line("row", pair, table_texts(pair.visible), cells, at)


@shape_check(shape="@table")
def table_lacks(
    pair: ShapePair, line: Literal["row", "column"], label: str, emptied: bool = False
) -> CheckResult:
    """Measure the share of the cells of a row or column that were removed.

    If only the text is gone and an empty row or column is left, or one with another text between
    the same neighbors, it earns half.

    Args:
        label: Text of the first cell.
        emptied: Whether an empty or another row or column in its place counts as removed.
    """
    before = _table_before(pair)
    if line == "row":
        lines = table_texts(pair.visible)
    else:
        lines = _columns(require(table_texts(pair.after), f"{pair.label} is empty"))
        before = None if before is None else _columns(before)
    result = score_line_removal(line, pair.label, label, lines, before)
    if result.score == 1.0 and before is not None and not emptied:
        is_emptied = _was_only_emptied(lines, before, label)
        reason = f"{pair.label} has an empty or another {line} instead of {clip(label)}"
        return CheckResult(_EMPTIED_CREDIT, reason) if is_emptied else result
    return result


@shape_check(shape="@table", at_least_one=("rows", "columns"))
def table_size(pair: ShapePair, rows: int | None = None, columns: int | None = None) -> CheckResult:
    """Measure how near a table's numbers of rows and columns are to the wanted ones, as a mean."""
    table, description = (
        require(pair.visible.table, f"{pair.label} is not a table"),
        f"of {pair.label}",
    )
    results = [
        score_near(f"the number of rows {description}", len(table.rows), rows, 0, 1),
        score_near(f"the number of columns {description}", len(table.column_widths), columns, 0, 1),
    ]
    return mean_of(results, "sides")


def _was_only_emptied(
    lines: Sequence[Sequence[str]], before: Sequence[Sequence[str]], label: str
) -> bool:
    """Return whether a line lost only its text, or got another one between the same neighbors."""
    if sum(map(_is_empty, lines)) > sum(map(_is_empty, before)):
        return True
    heads_before, heads_now = (
        [normalize_caseless(head) for head in first_texts(side)] for side in (before, lines)
    )
    at = position_of(label, heads_before)
    if (
        at is None
        or not 0 < at < len(heads_before) - 1
        or len(heads_now) < len(heads_before)
        or heads_now[at] in heads_before
    ):
        return False
    return (heads_now[at - 1], heads_now[at + 1]) == (heads_before[at - 1], heads_before[at + 1])


def _is_empty(line: Sequence[str]) -> bool:
    return not any(character.isalnum() for text in line for character in text)


def table_texts(shape: Shape) -> list[list[str]]:
    """Return the texts of a table's cells by rows.

    Raises:
        NotThereError: If the shape is not a table.
    """
    table = require(shape.table, f"{shape.label} is not a table")
    return [[cell.text for cell in row] for row in table.rows]


def _columns(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    return [list(column) for column in zip(*rows, strict=False)]


def _table_before(pair: ShapePair) -> list[list[str]] | None:
    """Return the texts of a table's cells in the original; None if it had no such table."""
    return None if pair.before is None or pair.before.table is None else table_texts(pair.before)


def texts_before(pair: ShapePair) -> list[str]:
    """Return the texts of all cells of a table in the original; empty if it had no such table."""
    return [text for line in _table_before(pair) or () for text in line]


def first_texts(lines: Sequence[Sequence[str]]) -> list[str]:
    """Return the first text of each line; empty for a line without text."""
    return [line[0] if line else "" for line in lines]


def select_cells(pair: ShapePair, row: Line | None, column: Line | None) -> list[tuple[str, Cell]]:
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
    return require(cells, f"{pair.label} has no matching cells")


def position_of(line: Line, heads: Sequence[str]) -> int | None:
    """Return the 0-based position of a line by 1-based number or text; None if it is missing."""
    if isinstance(line, int):
        return line - 1 if 1 <= line <= len(heads) else None
    texts = [normalize_caseless(head) for head in heads]
    return texts.index(normalize_caseless(line)) if normalize_caseless(line) in texts else None


def best_line(
    kind: str, pair: ShapePair, lines: Sequence[Sequence[str]], cells: Cells, at: int | None
) -> CheckResult:
    """Measure the share of right cells in the best row or column; 0.8 of it in another position."""
    require(lines, f"{pair.label} is empty")
    original_texts = texts_before(pair)
    right, best = max(
        (_line_share(line, cells, original_texts), -i) for i, line in enumerate(lines)
    )
    description = f"{kind} {1 - best} of {pair.label} has {right:.0%} of the cells"
    if at is None or 1 - best == at:
        return CheckResult(right, description)
    return CheckResult(_OTHER_POSITION_FACTOR * right, f"{description}, but should be {kind} {at}")


def score_line_removal(
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
    result = score_absence(where, kind, label, first_texts(lines))
    at = position_of(label, first_texts(before or ()))
    if before is None or at is None:
        return result
    model = [normalize_caseless(text) for text in before[at]]
    other_heads = {normalize_caseless(head) for head in first_texts(before)} - {
        normalize_caseless(label)
    }
    remaining = max(
        (
            _count_remaining(model, line)
            for line in lines
            if normalize_caseless(line[0]) not in other_heads
        ),
        default=0,
    )
    total = sum(map(bool, model))
    if not remaining or not total:
        return result
    reason = f"{where} still has {remaining} of {total} cells of the {kind} {clip(label)}"
    return CheckResult(1 - remaining / total, reason)


def _count_remaining(model: Sequence[str], line: Sequence[str]) -> int:
    """Return how many of some texts a line still has, in any order."""
    expected, present = Counter(filter(None, model)), Counter(map(normalize_caseless, line))
    return (expected & present).total()


def _line_share(line: Sequence[str], cells: Cells, original_texts: Sequence[str]) -> float:
    """Return the share of right cells; None stands for any text.

    A line whose first cell shares nothing with the expected label is another line.
    """
    expected = [(i, text) for i, text in enumerate(cells) if text is not None]
    shares = [
        _cell_share(line[i], text, original_texts) if i < len(line) else 0.0 for i, text in expected
    ]
    if expected[0][0] == 0 and not shares[0]:
        return 0.0  # numbers without their label mean nothing
    return sum(shares) / len(shares)


def _cell_share(text: str, expected: str, original_texts: Sequence[str]) -> float:
    share = text_similarity(text, expected, match_case=False)
    if share < 1.0 and is_expected_number(text, expected, original_texts):
        return 1.0
    # A partly correct number is wrong.
    return float(share == 1.0) if _is_number(expected) else share


def _is_number(text: str) -> bool:
    return any(character.isdigit() for character in text) and not any(map(str.isalpha, text))


@shape_check(shape="@table")
def table_row_order(pair: ShapePair, labels: Lines, whole: bool = False) -> CheckResult:
    """Measure the share of pairs of rows in the right order.

    Args:
        whole: Whether only rows count that still have all of their original cells.
    """
    lines = table_texts(pair.visible)
    if whole and (before := _table_before(pair)) is not None:
        original_rows = {tuple(map(normalize_caseless, line)) for line in before}
        lines = [
            line if tuple(map(normalize_caseless, line)) in original_rows else [""] * len(line)
            for line in lines
        ]
    firsts = first_texts(lines)
    return score_order([position_of(each, firsts) for each in labels], f"rows of {pair.label}")


@shape_check(shape="@table")
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
    column_index = position_of(column, lines[0] if lines else [])
    if column_index is None:
        return CheckResult(0.0, f"{pair.label} has no column {column!r}")
    body = lines[header_rows : len(lines) - total_rows]
    before = _table_before(pair)
    if before is not None:
        before = before[header_rows : len(before) - total_rows]
    cells = [line[column_index] if column_index < len(line) else "" for line in body]
    require(cells[1:], f"{pair.label} has fewer than two rows to sort")
    result = best_of(_score_readings(pair, cells, before, column_index, descending))
    if before is None:
        return result
    intact_share = multiset_similarity(
        *([tuple(map(normalize_caseless, x)) for x in side] for side in (before, body))
    )
    note = f"{intact_share:.0%} of the rows are intact" if intact_share < 1 else ""
    return with_note(CheckResult(intact_share * result.score, result.reason), note)


def _score_readings(
    pair: ShapePair,
    cells: Sequence[str],
    before: Sequence[Sequence[str]] | None,
    column_index: int,
    descending: bool,
) -> Iterator[CheckResult]:
    """Yield the share of neighboring cells in order for each reading of a column."""
    original_cells = [line[column_index] for line in before or () if column_index < len(line)]
    others = [*texts_before(pair), *(slide.text for slide in pair.slide_pair.view.original.slides)]
    for reading in column_readings([*original_cells, *cells], others):
        pairs = list(pairwise(reading.keys(cells)))
        right = sum(reading.in_order(a, b, descending) for a, b in pairs)
        description = f"neighboring rows of {pair.label} are in order as {reading.name}"
        yield score_share(right, len(pairs), description)


Side = Literal["left", "right", "top", "bottom"]


class Settings(TypedDict, total=False):
    """The style of a table, and the parts that it formats differently."""

    style: str | None
    header_row: bool | None
    total_row: bool | None
    banded_rows: bool | None
    first_column: bool | None
    last_column: bool | None
    banded_columns: bool | None


def _require_property(values: Mapping[str, Any]) -> None:
    if all(values[name] is None for name in ("fill", "anchor", "align", "vertical")):
        require_style(values)


@shape_check(shape="@table", validate=_require_property)
def table_cell_format(
    pair: ShapePair,
    row: Line | None = None,
    column: Line | None = None,
    fill: ColorOrNone | None = None,
    anchor: Literal["top", "middle", "bottom"] | None = None,
    align: Literal["left", "center", "right", "justify"] | None = None,
    vertical: str | None = None,
    **style: Unpack[TargetStyle],
) -> CheckResult:
    """Measure the share of right properties of cells; text formatting counts by characters.

    Args:
        row: By default all rows; as `column`.
        vertical: Text direction as in the file: `horz`, `vert270` and so on.
    """
    tests = list(style_tests(pair.deck, style))
    tolerance = style.get("color_tolerance", COLOR_TOLERANCE)

    def measure(cell: Cell, where: str) -> Iterator[CheckResult | None]:
        yield score_paint(f"the fill of {where}", cell.fill, fill, pair.deck, tolerance)
        yield score_equal(f"the anchor of {where}", cell.anchor, anchor)
        yield score_equal(f"the text direction of {where}", cell.vertical, vertical)
        paragraphs = [p for p in cell.paragraphs if p.text.strip()]
        if align is not None and paragraphs:
            aligned_share = sum(p.align == align for p in paragraphs) / len(paragraphs)
            yield CheckResult(aligned_share, f"{where} is not aligned {align}")
        runs = [run for paragraph in paragraphs for run in paragraph.runs]
        total = run_character_count(runs)
        for name, test in tests if total else ():
            right = run_character_count(run for run in runs if test(run.style))
            yield CheckResult(right / total, f"{where} is not {name}")

    cells = select_cells(pair, row, column)
    results = (result for where, cell in cells for result in measure(cell, where))
    return mean_of(results, "properties of cells with text")
