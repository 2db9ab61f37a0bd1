"""Checks of table formatting: cells, borders, merged cells, styles and widths."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypedDict, Unpack

from pptarena.decks import Cell
from pptarena.rewards.checking.arguments import ColorOrNone, Line
from pptarena.rewards.checking.compare import same
from pptarena.rewards.checking.pairs import ShapePair
from pptarena.rewards.checking.registry import shape_check
from pptarena.rewards.checking.result import CheckResult, mean_of
from pptarena.rewards.checking.values import COLOR_TOLERANCE, letters_of, paint_is
from pptarena.rewards.checks.run_style import WantedStyle, require_style, style_tests
from pptarena.rewards.checks.tables import chosen_cells

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
    """Measure the share of right properties of cells; text formatting counts by characters.

    Args:
        row: By default all rows; as `column`.
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
