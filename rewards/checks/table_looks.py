"""Checks of how tables look: cells, borders, merged cells, styles, widths."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, TypedDict, Unpack

from pydantic import Field

from pptarena.decks import Cell, Deck
from pptarena.decks import Line as Border
from pptarena.decks.text_match import folded
from pptarena.rewards.checks.arguments import ColorOrNone, Line
from pptarena.rewards.checks.pairs import ShapePair
from pptarena.rewards.checks.registry import shape_check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.run_look import RunLook, require_look, run_tests
from pptarena.rewards.checks.tables import chosen_cells
from pptarena.rewards.checks.values import (
    COLOR_TOLERANCE,
    color_matches,
    letters,
    nearness,
    wanted_color,
)

Side = Literal["left", "right", "top", "bottom"]

_SIDES: tuple[Side, ...] = ("left", "right", "top", "bottom")
_WIDTH_TOLERANCE_PT = 0.3


class Settings(TypedDict, total=False):
    """The style of a table, and the parts that it treats apart."""

    style: str | None
    header_row: bool | None
    total_row: bool | None
    banded_rows: bool | None
    first_column: bool | None
    last_column: bool | None
    banded_columns: bool | None


_SETTINGS = tuple(Settings.__annotations__)


def _need_property(values: Mapping[str, Any]) -> None:
    if all(values[name] is None for name in ("fill", "anchor", "align")):
        require_look(values)


@shape_check("tables", shape="@table", more=_need_property)
def table_cell_format(
    pair: ShapePair,
    row: Line | None = None,
    column: Line | None = None,
    fill: ColorOrNone | None = None,
    anchor: Literal["top", "middle", "bottom"] | None = None,
    align: Literal["left", "center", "right", "justify"] | None = None,
    **look: Unpack[RunLook],
) -> CheckResult:
    """Measure the share of right properties of cells, of letters by their number.

    Args:
        row: Left out: all; as `column`.
    """
    tests = run_tests(pair.deck, look)
    tolerance = look.get("color_tolerance", COLOR_TOLERANCE)

    def measure(cell: Cell, where: str) -> Iterator[CheckResult]:
        if fill is not None:
            right = _is_filled(pair.deck, cell, fill, tolerance)
            yield CheckResult(float(right), f"the fill of {where} is {cell.fill.color or 'none'}")
        if anchor is not None:
            right = cell.anchor == anchor
            yield CheckResult(float(right), f"the text of {where} stands at the {cell.anchor}")
        said = [p for p in cell.paragraphs if p.text.strip()]
        if align is not None and said:
            share = sum(p.align == align for p in said) / len(said)
            yield CheckResult(share, f"{where} is not aligned {align}")
        runs = [run for paragraph in said for run in paragraph.runs]
        total = sum(letters(run.text) for run in runs)
        for name, test in tests if total else ():
            share = sum(letters(run.text) for run in runs if test(run.style)) / total
            yield CheckResult(share, f"{where} is not {name}")

    results: list[CheckResult] = []
    for i, j, cell in chosen_cells(pair.after.table, row, column):
        results += measure(cell, f"cell {i + 1}, {j + 1}")
    empty = CheckResult(0.0, f"{pair.label} has no such cells with text")
    return mean_of(results, "properties of cells") if results else empty


@shape_check("tables", shape="@table")
def table_cells_merged(
    pair: ShapePair, row: Line, column: Line, rows: int = 1, columns: int = 1
) -> CheckResult:
    """Measure whether a cell covers as many rows and columns as it should; half for one of both.

    Args:
        row: Upper left cell, as `column`.
        rows: How many it covers, as `columns`.
    """
    found = list(chosen_cells(pair.after.table, row, column))
    if not found:
        return CheckResult(0.0, f"{pair.label} has no cell {row}, {column}")
    across, down = found[0][2].spans
    results = [
        CheckResult(float(size == wanted), f"the cell covers {size} {what}, {wanted} wanted")
        for what, size, wanted in (("columns", across, columns), ("rows", down, rows))
        if wanted != 1 or size != 1
    ]
    return mean_of(results, "sides") if results else CheckResult(1.0, "the cell is by itself")


@shape_check("tables", shape="@table", at_least_one=("color", "width_pt"))
def table_borders(
    pair: ShapePair,
    row: Line | None = None,
    column: Line | None = None,
    sides: Annotated[tuple[Side, ...], Field(min_length=1)] = _SIDES,
    color: ColorOrNone | None = None,
    width_pt: float | None = None,
    color_tolerance: float = COLOR_TOLERANCE,
) -> CheckResult:
    """Measure the share of borders of cells that look as they should.

    Args:
        row: Left out: all; as `column`.
    """
    results: list[CheckResult] = []
    for i, j, cell in chosen_cells(pair.after.table, row, column):
        for side in sides:
            line = cell.borders[_SIDES.index(side)]
            where = f"the {side} border of cell {i + 1}, {j + 1}"
            if color is not None:
                wanted = None if color == "none" else wanted_color(color, pair.deck)
                results.append(_border_color(line, color, wanted, color_tolerance, where))
            if width_pt is not None:
                right = abs(line.width_pt - width_pt) <= _WIDTH_TOLERANCE_PT
                results.append(CheckResult(float(right), f"{where} is {line.width_pt:g} pt wide"))
    empty = CheckResult(0.0, f"{pair.label} has no such cells")
    return mean_of(results, "properties of borders") if results else empty


@shape_check("tables", "themes", shape="@table", at_least_one=_SETTINGS)
def table_style_is(pair: ShapePair, **wanted: Unpack[Settings]) -> CheckResult:
    """Measure the share of right settings of a table's style."""
    table = pair.after.table
    if table is None:
        return CheckResult(0.0, f"{pair.label} is no table")
    results = []
    for name, value in wanted.items():
        if isinstance(value, str):
            reason = f"{pair.label} has the style {table.style or 'none'}"
            results.append(CheckResult(float(folded(table.style) == folded(value)), reason))
        elif value is not None:
            has = getattr(table, name)
            state = f"{pair.label} has {'' if has == value else 'no '}{name.replace('_', ' ')}"
            results.append(CheckResult(float(has == value), state))
    return mean_of(results, "settings")


@shape_check("tables", "arrangement", shape="@table")
def table_sizes_even(
    pair: ShapePair, axis: Literal["columns", "rows"], tolerance_pct: float = 3.0
) -> CheckResult:
    """Measure how far the widths of a table's columns, or the heights of its rows, differ."""
    table = pair.after.table
    if table is None:
        return CheckResult(0.0, f"{pair.label} is no table")
    sizes = table.column_widths if axis == "columns" else table.row_heights
    mean = sum(sizes) / max(1, len(sizes))
    if not mean:
        return CheckResult(0.0, f"{pair.label} has no {axis}")
    spread = (max(sizes) - min(sizes)) / mean
    value = nearness(spread, tolerance_pct / 100, 0.5)
    return CheckResult(value, f"the {axis} of {pair.label} differ by {spread:.0%}")


def _is_filled(deck: Deck, cell: Cell, color: str, tolerance: float) -> bool:
    if color == "none":
        return cell.fill.kind == "none"
    return color_matches(cell.fill.color, wanted_color(color, deck), tolerance)


def _border_color(
    line: Border, color: str, wanted: str | None, tolerance: float, where: str
) -> CheckResult:
    if wanted is None:
        return verdict(line.paint.kind == "none", f"{where} is gone", f"{where} is still there")
    right = color_matches(line.paint.color, wanted, tolerance)
    return verdict(right, f"{where} is {color}", f"{where} is {line.paint.color}")
