"""The order of series, number formats, workbooks and point colors of charts."""

import io
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml.ns import qn
from pptx.util import Inches
from tests.conftest import rgb
from tests.decks.packing import pack, unpack
from tests.each_case import each_case

from pptarena.decks import Chart, Deck, read_deck
from pptarena.decks.diff import diff_decks
from pptarena.decks.package_writer import write_package

CHART_TYPES: Any = XL_CHART_TYPE
Edit = Callable[[Any], object]


def _chart_deck(edit: Edit | None = None, chart_type: Any = CHART_TYPES.COLUMN_CLUSTERED) -> bytes:
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    make: Any = CategoryChartData
    data = make(number_format="0.0")
    data.categories = ["North", "South"]
    for name, values in (("S1", (1, 2)), ("S2", (3, 4)), ("S3", (5.5, None))):
        data.add_series(name, values)
    frame = slide.shapes.add_chart(chart_type, Inches(1), Inches(1), Inches(5), Inches(4), data)
    if edit is not None:
        edit(frame.chart._chartSpace)
    return write_package(presentation)


def _read(edit: Edit | None = None, chart_type: Any = CHART_TYPES.COLUMN_CLUSTERED) -> Deck:
    return read_deck(_chart_deck(edit, chart_type))


def _chart(deck: Deck) -> Chart:
    chart = deck.slides[0].shapes[0].chart
    assert chart is not None
    return chart


def _set_orders(*orders: int) -> Edit:
    def edit(space: Any) -> None:
        for element, order in zip(space.iter(qn("c:order")), orders, strict=True):
            element.set("val", str(order))

    return edit


@pytest.mark.slow
@each_case(
    "orders, names",
    [
        ((5, 1, 2), "S2 S3 S1"),
        ((0, 2, 1), "S1 S3 S2"),
        ((2, 1, 0), "S3 S2 S1"),
        ((1, 0, 2), "S2 S1 S3"),
        ((7, 9, 8), "S1 S3 S2"),
        ((1, 1, 0), "S3 S1 S2"),
    ],
)
@each_case("chart_type", ["COLUMN_CLUSTERED", "BAR_STACKED", "LINE", "AREA", "RADAR"])
def test_series_are_listed_in_display_order(
    orders: Sequence[int], names: str, chart_type: str
) -> None:
    before, after = (_read(edit, CHART_TYPES[chart_type]) for edit in (None, _set_orders(*orders)))
    assert [series.name for series in _chart(after).series] == names.split()
    (change,) = diff_decks(before, after)
    assert (change.aspect, change.what) == ("charts", "order of series")


@pytest.mark.parametrize("orders", [(0, 1, 2), (3, 4, 5), (0, 0, 0), (10, 20, 30)])
def test_renumbering_series_in_the_same_order_changes_nothing(orders: Sequence[int]) -> None:
    assert diff_decks(_read(), _read(_set_orders(*orders))) == ()


def test_series_without_order_keep_their_place() -> None:
    def edit(space: Any) -> None:
        for element in list(space.iter(qn("c:order"))):
            element.getparent().remove(element)

    names = [series.name for series in _chart(_read(edit)).series]
    assert names == ["S1", "S2", "S3"]


def _set_number_format(number_format: str) -> Edit:
    def edit(space: Any) -> None:
        next(space.iter(qn("c:val"))).find(".//" + qn("c:formatCode")).text = number_format

    return edit


@pytest.mark.slow
@each_case(
    "number_format",
    ["0%", "0.00", "General", "#,##0", '"$"#,##0', "yyyy", "0.0E+00", "#,##0;(#,##0)", "@", '0"x"'],
)
def test_number_format_change_is_reported(number_format: str) -> None:
    (change,) = diff_decks(_read(), _read(_set_number_format(number_format)))
    assert (change.aspect, change.what) == ("charts", "series 1 number format")


@pytest.mark.parametrize(
    ("first", "second"),
    [('"$"#,##0', "\\$#,##0"), ('0"x"', "0\\x"), ('0" pt"', "0\\ \\p\\t"), ("General", "")],
)
def test_equivalent_number_formats_are_equal(first: str, second: str) -> None:
    before, after = (_read(_set_number_format(each)) for each in (first, second))
    assert diff_decks(before, after) == ()


def _edit_workbook(*changes: tuple[str, str], edit: Edit | None = None) -> Deck:
    """Return a deck with parts of the XML of its chart's workbook replaced."""
    parts = unpack(_chart_deck(edit))
    (name,) = (name for name in parts if name.endswith(".xlsx"))
    workbook = unpack(parts[name])
    for old, new in changes:
        assert any(old.encode() in part for part in workbook.values())
        workbook = {
            each: part.replace(old.encode(), new.encode()) for each, part in workbook.items()
        }
    return read_deck(pack(parts | {name: pack(workbook)}))


SET_C2_TO_7 = ('"C2" s="2"><v>3</v>', '"C2" s="2"><v>7</v>')

WORKBOOKS = [
    ("a number", [SET_C2_TO_7], ["Sheet1!C2 is 7 where the chart shows 3"]),
    (
        "a fraction",
        [("<v>5.5</v>", "<v>5.75</v>")],
        ["Sheet1!D2 is 5.75 where the chart shows 5.5"],
    ),
    ("a category", [("North", "East")], ["Sheet1!A2 is East where the chart shows North"]),
    ("a name", [("<t>S2</t>", "<t>Plan</t>")], ["Sheet1!C1 is Plan where the chart shows S2"]),
    (
        "an empty cell",
        [('<c r="C2" s="2"><v>3</v></c>', "")],
        ["Sheet1!C2 is nothing where the chart shows 3"],
    ),
    (
        "two cells",
        [SET_C2_TO_7, ("<v>4</v>", "<v>8</v>")],
        ["Sheet1!C2 is 7 where the chart shows 3", "Sheet1!C3 is 8 where the chart shows 4"],
    ),
    (
        "a text in the cell",
        [("<v>5.5</v>", "<v>1e3</v>")],
        ["Sheet1!D2 is 1000 where the chart shows 5.5"],
    ),
    (
        "the result of a formula",
        [('s="2"><v>3</v>', 's="2"><f>1+8</f><v>9</v>')],
        ["Sheet1!C2 is 9 where the chart shows 3"],
    ),
    (
        "an inline text",
        [
            (
                '<c r="A2" s="1" t="s"><v>0</v></c>',
                '<c r="A2" t="inlineStr"><is><t>West</t></is></c>',
            )
        ],
        ["Sheet1!A2 is West where the chart shows North"],
    ),
]


@pytest.mark.slow
@each_case(
    "changes, mismatches", [case[1:] for case in WORKBOOKS], ids=[case[0] for case in WORKBOOKS]
)
def test_workbook_mismatches_are_reported(
    changes: Sequence[tuple[str, str]], mismatches: Sequence[str]
) -> None:
    before, after = _read(), _edit_workbook(*changes)
    assert [str(each) for each in _chart(after).workbook_mismatches or ()] == mismatches
    (change,) = diff_decks(before, after)
    assert (change.aspect, change.what) == ("charts", "workbook mismatches")
    assert mismatches[0] in change.after


@pytest.mark.parametrize(
    "changes",
    [
        [('s="2"><v>3</v>', 's="2"><v>3.0</v>')],
        [("<v>5.5</v>", "<v>5.5000000000001</v>")],
        [('<row r="2"', '<row r="2" hidden="1"'), SET_C2_TO_7],
        [('<c r="C2" s="2"><v>3</v>', '<c r="C2" t="e"><v>#N/A</v>')],
        [('name="Sheet1"', 'name="Data"'), SET_C2_TO_7],
        [SET_C2_TO_7, ('r="C2"', 'r="?"')],
        [("</sheetData>", '<row r="9"><c r="J9"><v>1</v></c></row></sheetData>')],
    ],
)
def test_equal_or_unreadable_cells_are_no_mismatch(changes: Sequence[tuple[str, str]]) -> None:
    deck = _edit_workbook(*changes)
    assert _chart(deck).workbook_mismatches == ()
    assert diff_decks(_read(), deck) == ()


def test_equal_charts_have_equal_representations() -> None:
    first, second = _chart(_read()), _chart(_edit_workbook())
    assert first == second
    assert repr(first) == repr(second)


def test_workbook_of_too_many_cells_is_not_compared() -> None:
    def edit(space: Any) -> None:
        for formula in space.iter(qn("c:f")):
            formula.text = "Sheet1!$C$2:$C$9000"

    chart = _chart(_edit_workbook(SET_C2_TO_7, edit=edit))
    assert chart.workbook is not None
    assert chart.workbook_mismatches is None


def _without_workbook(space: Any) -> None:
    space.remove(space.find(qn("c:externalData")))


def test_missing_workbook_is_no_change() -> None:
    complete, without = _read(), _read(_without_workbook)
    differs = _edit_workbook(SET_C2_TO_7)
    assert _chart(complete).workbook_mismatches == ()
    assert _chart(without).workbook_mismatches is None
    assert diff_decks(complete, without) == diff_decks(differs, without) == ()


@pytest.mark.parametrize("data", [b"", b"no zip file", b"PK\x03\x04 cut off"])
def test_broken_workbook_leaves_the_chart_readable(data: bytes) -> None:
    parts = {
        name: data if name.endswith(".xlsx") else old for name, old in unpack(_chart_deck()).items()
    }
    chart = _chart(read_deck(pack(parts)))
    assert chart.workbook_mismatches is None
    assert [series.name for series in chart.series] == ["S1", "S2", "S3"]


def test_new_chart_data_is_one_change() -> None:
    def with_data(value: float) -> Deck:
        presentation = Presentation(io.BytesIO(_chart_deck()))
        make: Any = CategoryChartData
        data = make(number_format="0.0")
        data.categories = ["North", "South"]
        data.add_series("S1", (1, value))
        presentation.slides[0].shapes[0].chart.replace_data(data)
        return read_deck(write_package(presentation))

    (change,) = diff_decks(with_data(2), with_data(3))
    assert change.what == "series 1 values"


def test_chart_with_workbook_serializes_to_json() -> None:
    deck = _edit_workbook(SET_C2_TO_7)
    shape = deck.slides[0].shapes[0]
    bare = replace(deck.slides[0], shapes=(replace(shape, chart=None),))
    (change,) = diff_decks(deck, replace(deck, slides=(bare,)))
    plain = json.loads(json.dumps(change.to_json()))["value_before"]
    assert plain["workbook"] == [{"cell": "Sheet1!C2", "shown": "3", "in_workbook": "7"}]


@pytest.mark.slow
@each_case("painted, count", [(0, 1), (2, 1), (3, 0)])
def test_colors_by_point_matter_unless_all_points_have_a_fill(painted: int, count: int) -> None:
    def deck(*, vary: bool) -> Deck:
        presentation = Presentation()
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        position = (Inches(1), Inches(1), Inches(6), Inches(4))
        data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
        data.categories = ("A", "B", "C")
        data.add_series("Sales", (1, 2, 3))
        chart = slide.shapes.add_chart(CHART_TYPES.COLUMN_CLUSTERED, *position, data).chart
        chart.plots[0].vary_by_categories = vary
        for index in range(painted):
            fill = chart.plots[0].series[0].points[index].format.fill
            fill.solid()
            fill.fore_color.rgb = rgb("1F77B4")
        return read_deck(write_package(presentation))

    assert len(diff_decks(deck(vary=True), deck(vary=False))) == count
