"""Checks of how tables look: cells, borders, merged cells, styles, widths."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, TypedDict, Unpack, cast

from pydantic import Field

from pptarena.decks import Cell
from pptarena.rewards.checking.arguments import ColorOrNone, Line
from pptarena.rewards.checking.compare import near, nearness, same
from pptarena.rewards.checking.pairs import ShapePair
from pptarena.rewards.checking.registry import shape_check
from pptarena.rewards.checking.result import CheckResult, mean_of, needed
from pptarena.rewards.checking.values import COLOR_TOLERANCE, letters_of, paint_is
from pptarena.rewards.checks.run_style import WantedStyle, require_style, style_tests
from pptarena.rewards.checks.tables import chosen_cells

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


def _need_property(values: Mapping[str, Any]) -> None:
    if all(values[name] is None for name in ("fill", "anchor", "align", "vertical")):
        require_style(values)


@shape_check("tables", shape="@table", more=_need_property)
def table_cell_format(
    pair: ShapePair,
    row: Line | None = None,
    column: Line | None = None,
    fill: ColorOrNone | None = None,
    anchor: Literal["top", "middle", "bottom"] | None = None,
    align: Literal["left", "center", "right", "justify"] | None = None,
    vertical: str | None = None,
    **style: Unpack[WantedStyle],
) -> CheckResult:
    """Measure the share of right properties of cells, of letters by their number.

    Args:
        row: Left out: all; as `column`.
        vertical: Text direction as in the file: `horz`, `vert270` and so on.
    """
    tests = list(style_tests(pair.deck, style))
    tolerance = style.get("color_tolerance", COLOR_TOLERANCE)

    def measure(cell: Cell, where: str) -> Iterator[CheckResult | None]:
        if fill is not None:
            yield paint_is(f"the fill of {where}", cell.fill, fill, pair.deck, tolerance)
        yield same(f"the anchor of {where}", cell.anchor, anchor)
        yield same(f"the text direction of {where}", cell.vertical, vertical)
        paragraphs = [p for p in cell.paragraphs if p.text.strip()]
        if align is not None and paragraphs:
            aligned = sum(p.align == align for p in paragraphs) / len(paragraphs)
            yield CheckResult(aligned, f"{where} is not aligned {align}")
        runs = [run for paragraph in paragraphs for run in paragraph.runs]
        total = letters_of(runs)
        for name, test in tests if total else ():
            right = letters_of(run for run in runs if test(run.style))
            yield CheckResult(right / total, f"{where} is not {name}")

    cells = chosen_cells(pair, row, column)
    results = (result for where, cell in cells for result in measure(cell, where))
    return mean_of(results, "properties of cells with text")


@shape_check("tables", shape="@table")
def table_cells_merged(
    pair: ShapePair, row: Line, column: Line, rows: int = 1, columns: int = 1
) -> CheckResult:
    """Measure whether a cell covers as many rows and columns as it should; half for one of both.

    Args:
        row: Upper left cell, as `column`.
        rows: How many it covers, as `columns`.
    """
    across, down = chosen_cells(pair, row, column)[0][1].spans
    sizes = (("columns", across, columns), ("rows", down, rows))
    results = [
        same(f"the number of {what} that the cell spans", size, wanted)
        for what, size, wanted in sizes
        if wanted != 1 or size != 1
    ]
    return mean_of(results, "sides") if results else CheckResult(1.0, "the cell is not merged")


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
    results: list[CheckResult | None] = []
    for where, cell in chosen_cells(pair, row, column):
        for side in sides:
            what, line = f"the {side} border of {where}", cell.borders[_SIDES.index(side)]
            if color is not None:
                results.append(paint_is(what, line.paint, color, pair.deck, color_tolerance))
            width = f"the width of {what} in pt"
            results.append(near(width, line.width_pt, width_pt, _WIDTH_TOLERANCE_PT))
    return mean_of(results, "properties of borders")


@shape_check("tables", "themes", shape="@table", at_least_one=tuple(Settings.__annotations__))
def table_style_is(pair: ShapePair, **wanted: Unpack[Settings]) -> CheckResult:
    """Measure the share of right settings of a table's style."""
    table = needed(pair.after.table, f"{pair.label} is not a table")
    results = [
        same(f"the {name.replace('_', ' ')} of {pair.label}", getattr(table, name), value)
        for name, value in cast(Mapping[str, str | bool | None], wanted).items()
    ]
    return mean_of(results, "settings")


@shape_check("tables", "arrangement", shape="@table")
def table_sizes_even(
    pair: ShapePair, axis: Literal["columns", "rows"], tolerance_pct: float = 3.0
) -> CheckResult:
    """Measure how far the widths of a table's columns, or the heights of its rows, differ."""
    table = needed(pair.after.table, f"{pair.label} is not a table")
    sizes = table.column_widths if axis == "columns" else table.row_heights
    mean = needed(sum(sizes), f"{pair.label} has no {axis}") / len(sizes)
    spread = (max(sizes) - min(sizes)) / mean
    score = nearness(spread, tolerance_pct / 100, 0.5)
    return CheckResult(score, f"the {axis} of {pair.label} differ by {spread:.0%}")
