"""Checks of how tables look: cells, borders, merged cells, styles, widths."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pptarena.decks import Cell, Line
from pptarena.decks.text_match import folded
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.run_look import RunLook, run_tests
from pptarena.rewards.checks.tables import TableArgs, chosen_cells
from pptarena.rewards.checks.values import (
    COLOR_TOLERANCE,
    color_matches,
    letters,
    nearness,
    require_color,
    wanted_color,
)
from pptarena.rewards.checks.view import ShapeView, View

Side = Literal["left", "right", "top", "bottom"]

_SIDES: tuple[Side, ...] = ("left", "right", "top", "bottom")
_WIDTH_TOLERANCE_PT = 0.3
_PARTS = (
    "header_row", "total_row", "banded_rows", "first_column", "last_column", "banded_columns",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class CellFormat(RunLook, TableArgs):
    """How cells should look; without row and column all of them, what is left out does not matter.

    Row and column are positions from 1, or the text of the first cell.
    """

    row: int | str | None = None
    column: int | str | None = None
    fill: str | None = None
    anchor: Literal["top", "middle", "bottom"] | None = None
    align: Literal["left", "center", "right", "justify"] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        require_color(self.color)
        require_color(self.fill, none_allowed=True)
        if (self.fill, self.anchor, self.align) == (None,) * 3 and not self.says_something:
            raise ValueError("expected at least one property, such as fill, align or bold")


@dataclass(frozen=True, kw_only=True)
class Merged(TableArgs):
    """A cell and how many rows and columns it should cover."""

    row: int | str
    column: int | str
    rows: int = 1
    columns: int = 1


@dataclass(frozen=True, kw_only=True)
class BordersAre(TableArgs):
    """How borders of cells should look; without row and column those of all cells."""

    row: int | str | None = None
    column: int | str | None = None
    sides: tuple[Side, ...] = _SIDES
    color: str | None = None
    width_pt: float | None = None
    color_tolerance: float = COLOR_TOLERANCE

    def __post_init__(self) -> None:
        super().__post_init__()
        require_color(self.color, none_allowed=True)
        if not self.sides or (self.color is None and self.width_pt is None):
            raise ValueError("expected sides, and color or width_pt")


@dataclass(frozen=True, kw_only=True)
class StyleIs(TableArgs):
    """The style of a table, and the parts that it treats apart."""

    style: str | None = None
    header_row: bool | None = None
    total_row: bool | None = None
    banded_rows: bool | None = None
    first_column: bool | None = None
    last_column: bool | None = None
    banded_columns: bool | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.style is None and all(getattr(self, name) is None for name in _PARTS):
            raise ValueError(f"expected style or at least one of {', '.join(_PARTS)}")


@dataclass(frozen=True, kw_only=True)
class EvenSizes(TableArgs):
    """Columns that should be equally wide, or rows equally high."""

    axis: Literal["columns", "rows"]
    tolerance_pct: float = 3.0


@check("table_cell_format", "tables")
def table_cell_format(view: View, args: CellFormat) -> CheckResult:
    """Measure the share of right properties of cells, of letters by their number."""
    tests = run_tests(view, args)

    def judge_cell(cell: Cell, where: str) -> Iterator[CheckResult]:
        if args.fill is not None:
            right = _is_filled(view, cell, args.fill, args.color_tolerance)
            yield CheckResult(float(right), f"the fill of {where} is {cell.fill.color or 'none'}")
        if args.anchor is not None:
            right = cell.anchor == args.anchor
            yield CheckResult(float(right), f"the text of {where} stands at the {cell.anchor}")
        said = [p for p in cell.paragraphs if p.text.strip()]
        if args.align is not None and said:
            share = sum(p.align == args.align for p in said) / len(said)
            yield CheckResult(share, f"{where} is not aligned {args.align}")
        runs = [run for paragraph in said for run in paragraph.runs]
        total = sum(letters(run.text) for run in runs)
        for name, test in tests if total else ():
            share = sum(letters(run.text) for run in runs if test(run.style)) / total
            yield CheckResult(share, f"{where} is not {name}")

    def judge(seen: ShapeView) -> CheckResult:
        results: list[CheckResult] = []
        for row, column, cell in chosen_cells(seen.current.table, args.row, args.column):
            results += judge_cell(cell, f"cell {row + 1}, {column + 1}")
        empty = CheckResult(0.0, f"{seen.label} has no such cells with text")
        return mean_of(results, "properties of cells") if results else empty

    return view.on_shapes(args, judge)


@check("table_cells_merged", "tables")
def table_cells_merged(view: View, args: Merged) -> CheckResult:
    """Measure whether a cell covers as many rows and columns as it should; half for one of both."""

    def judge(seen: ShapeView) -> CheckResult:
        found = list(chosen_cells(seen.current.table, args.row, args.column))
        if not found:
            return CheckResult(0.0, f"{seen.label} has no cell {args.row}, {args.column}")
        across, down = found[0][2].spans
        results = [
            CheckResult(float(size == wanted), f"the cell covers {size} {what}, {wanted} wanted")
            for what, size, wanted in (("columns", across, args.columns), ("rows", down, args.rows))
            if wanted != 1 or size != 1
        ]
        return mean_of(results, "sides") if results else CheckResult(1.0, "the cell is by itself")

    return view.on_shapes(args, judge)


@check("table_borders", "tables")
def table_borders(view: View, args: BordersAre) -> CheckResult:
    """Measure the share of borders of cells that look as they should."""

    def judge(seen: ShapeView) -> CheckResult:
        results: list[CheckResult] = []
        for row, column, cell in chosen_cells(seen.current.table, args.row, args.column):
            for side in args.sides:
                line = cell.borders[_SIDES.index(side)]
                where = f"the {side} border of cell {row + 1}, {column + 1}"
                results += _border_results(view, line, args, where)
        empty = CheckResult(0.0, f"{seen.label} has no such cells")
        return mean_of(results, "properties of borders") if results else empty

    return view.on_shapes(args, judge)


@check("table_style_is", "tables", "themes")
def table_style_is(view: View, args: StyleIs) -> CheckResult:
    """Measure the share of right settings of a table's style."""

    def judge(seen: ShapeView) -> CheckResult:
        table = seen.current.table
        if table is None:
            return CheckResult(0.0, f"{seen.label} is no table")
        results = []
        if args.style is not None:
            right = folded(table.style) == folded(args.style)
            reason = f"{seen.label} has the style {table.style or 'none'}"
            results.append(CheckResult(float(right), reason))
        for name in _PARTS:
            wanted = getattr(args, name)
            if wanted is not None:
                right = getattr(table, name) == wanted
                words = name.replace("_", " ")
                state = f"{seen.label} has {'' if right == wanted else 'no '}{words}"
                results.append(CheckResult(float(right), state))
        return mean_of(results, "settings")

    return view.on_shapes(args, judge)


@check("table_sizes_even", "tables", "arrangement")
def table_sizes_even(view: View, args: EvenSizes) -> CheckResult:
    """Measure how far the widths of a table's columns, or the heights of its rows, differ."""

    def judge(seen: ShapeView) -> CheckResult:
        table = seen.current.table
        if table is None:
            return CheckResult(0.0, f"{seen.label} is no table")
        sizes = table.column_widths if args.axis == "columns" else table.row_heights
        mean = sum(sizes) / max(1, len(sizes))
        if not mean:
            return CheckResult(0.0, f"{seen.label} has no {args.axis}")
        spread = (max(sizes) - min(sizes)) / mean
        value = nearness(spread, args.tolerance_pct / 100, 0.5)
        return CheckResult(value, f"the {args.axis} of {seen.label} differ by {spread:.0%}")

    return view.on_shapes(args, judge)


def _is_filled(view: View, cell: Cell, color: str, tolerance: float) -> bool:
    if color == "none":
        return cell.fill.kind == "none"
    return color_matches(cell.fill.color, wanted_color(color, view.current), tolerance)


def _border_results(view: View, line: Line, args: BordersAre, where: str) -> Iterator[CheckResult]:
    if args.color == "none":
        yield verdict(line.paint.kind == "none", f"{where} is gone", f"{where} is still there")
    elif args.color is not None:
        wanted = wanted_color(args.color, view.current)
        right = color_matches(line.paint.color, wanted, args.color_tolerance)
        yield verdict(right, f"{where} is {args.color}", f"{where} is {line.paint.color}")
    if args.width_pt is not None:
        right = abs(line.width_pt - args.width_pt) <= _WIDTH_TOLERANCE_PT
        found = f"{where} is {line.width_pt:g} pt wide"
        yield verdict(right, found, found)
