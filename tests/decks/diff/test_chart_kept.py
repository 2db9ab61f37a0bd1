"""The order of series, the number formats and the workbook of charts."""

import io
import json
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml.ns import qn
from pptx.util import Inches
from tests.each_case import each_case

from pptarena.decks import Chart, Deck, read_deck
from pptarena.decks.diff import diff_decks

KINDS: Any = XL_CHART_TYPE
Edit = Callable[[Any], object]


def _file(edit: Edit | None = None, kind: Any = KINDS.COLUMN_CLUSTERED, code: str = "0.0") -> bytes:
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    make: Any = CategoryChartData
    data = make(number_format=code)
    data.categories = ["North", "South"]
    for name, values in (("S1", (1, 2)), ("S2", (3, 4)), ("S3", (5.5, None))):
        data.add_series(name, values)
    frame = slide.shapes.add_chart(kind, Inches(1), Inches(1), Inches(5), Inches(4), data)
    if edit is not None:
        edit(frame.chart._chartSpace)
    stream = io.BytesIO()
    presentation.save(stream)
    return stream.getvalue()


def _chart(deck: Deck) -> Chart:
    chart = deck.slides[0].shapes[0].chart
    assert chart is not None
    return chart


def _orders(*orders: int) -> Edit:
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
@each_case("kind", ["COLUMN_CLUSTERED", "BAR_STACKED", "LINE", "AREA", "RADAR"])
def test_series_are_in_the_order_that_is_shown(
    orders: Sequence[int], names: str, kind: str
) -> None:
    before, after = (read_deck(_file(e, KINDS[kind])) for e in (None, _orders(*orders)))
    assert [series.name for series in _chart(after).series] == names.split()
    (change,) = diff_decks(before, after)
    assert (change.aspect, change.what) == ("charts", "order of series")


@pytest.mark.parametrize("orders", [(0, 1, 2), (3, 4, 5), (0, 0, 0), (10, 20, 30)])
def test_other_numbers_of_the_same_order_are_no_change(orders: Sequence[int]) -> None:
    assert diff_decks(read_deck(_file()), read_deck(_file(_orders(*orders)))) == ()


def test_series_without_an_order_stay_where_they_are() -> None:
    def edit(space: Any) -> None:
        for element in list(space.iter(qn("c:order"))):
            element.getparent().remove(element)

    names = [series.name for series in _chart(read_deck(_file(edit))).series]
    assert names == ["S1", "S2", "S3"]


def _code(code: str) -> Edit:
    def edit(space: Any) -> None:
        next(space.iter(qn("c:val"))).find(".//" + qn("c:formatCode")).text = code

    return edit


@pytest.mark.slow
@each_case(
    "code",
    ["0%", "0.00", "General", "#,##0", '"$"#,##0', "yyyy", "0.0E+00", "#,##0;(#,##0)", "@", '0"x"'],
)
def test_a_number_format_is_seen(code: str) -> None:
    (change,) = diff_decks(read_deck(_file()), read_deck(_file(_code(code))))
    assert (change.aspect, change.what) == ("charts", "series 1 number format")


@pytest.mark.parametrize(
    ("one", "other"),
    [('"$"#,##0', "\\$#,##0"), ('0"x"', "0\\x"), ('0" pt"', "0\\ \\p\\t"), ("General", "")],
)
def test_formats_that_show_the_same_are_no_change(one: str, other: str) -> None:
    assert diff_decks(read_deck(_file(_code(one))), read_deck(_file(_code(other)))) == ()


def _cells(deck: bytes, *changes: tuple[str, str]) -> bytes:
    """Return a deck with parts of the XML of its chart's workbook replaced."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(deck)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, _workbook(data, changes) if name.endswith(".xlsx") else data)
    return out.getvalue()


def _workbook(data: bytes, changes: Sequence[tuple[str, str]]) -> bytes:
    out = io.BytesIO()
    missing = dict(changes)
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            for before, after in changes:
                if before.encode() in text:
                    missing.pop(before, None)
                text = text.replace(before.encode(), after.encode())
            new.writestr(name, text)
    assert not missing
    return out.getvalue()


SEVEN = ('"C2" s="2"><v>3</v>', '"C2" s="2"><v>7</v>')
"""What makes the 3 of the second series a 7."""

WORKBOOKS = [
    ("a number", [SEVEN], ["Sheet1!C2 is 7 where the chart shows 3"]),
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
        [SEVEN, ("<v>4</v>", "<v>8</v>")],
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
@each_case("changes, found", [case[1:] for case in WORKBOOKS], ids=[case[0] for case in WORKBOOKS])
def test_a_workbook_that_differs_from_the_chart(
    changes: Sequence[tuple[str, str]], found: Sequence[str]
) -> None:
    before, after = read_deck(_file()), read_deck(_cells(_file(), *changes))
    assert [str(each) for each in _chart(after).workbook_mismatches or ()] == found
    (change,) = diff_decks(before, after)
    assert (change.aspect, change.what) == ("charts", "workbook mismatches")
    assert found[0] in change.after


@pytest.mark.parametrize(
    "changes",
    [
        [('s="2"><v>3</v>', 's="2"><v>3.0</v>')],
        [("<v>5.5</v>", "<v>5.5000000000001</v>")],
        [('<row r="2"', '<row r="2" hidden="1"'), SEVEN],
        [('<c r="C2" s="2"><v>3</v>', '<c r="C2" t="e"><v>#N/A</v>')],
        [('name="Sheet1"', 'name="Data"'), SEVEN],
        [SEVEN, ('r="C2"', 'r="?"')],
        [("</sheetData>", '<row r="9"><c r="J9"><v>1</v></c></row></sheetData>')],
    ],
)
def test_what_is_the_same_or_uncertain_is_no_mismatch(changes: Sequence[tuple[str, str]]) -> None:
    deck = read_deck(_cells(_file(), *changes))
    assert _chart(deck).workbook_mismatches == ()
    assert diff_decks(read_deck(_file()), deck) == ()


def test_equal_charts_have_equal_representations() -> None:
    first, second = (_chart(read_deck(file)) for file in (_file(), _cells(_file())))
    assert first == second
    assert repr(first) == repr(second)


def test_a_chart_of_too_many_cells_is_not_compared() -> None:
    def edit(space: Any) -> None:
        for formula in space.iter(qn("c:f")):
            formula.text = "Sheet1!$C$2:$C$9000"

    chart = _chart(read_deck(_cells(_file(edit), SEVEN)))
    assert chart.workbook is not None
    assert chart.workbook_mismatches is None


def _without_workbook(space: Any) -> None:
    space.remove(space.find(qn("c:externalData")))


def test_a_workbook_that_is_not_saved_is_no_change() -> None:
    whole, without = read_deck(_file()), read_deck(_file(_without_workbook))
    differs = read_deck(_cells(_file(), SEVEN))
    assert _chart(whole).workbook_mismatches == ()
    assert _chart(without).workbook_mismatches is None
    assert diff_decks(whole, without) == diff_decks(differs, without) == ()


@pytest.mark.parametrize("data", [b"", b"no zip file", b"PK\x03\x04 cut off"])
def test_a_broken_workbook_does_not_hide_the_chart(data: bytes) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(_file())) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, data if name.endswith(".xlsx") else old.read(name))
    chart = _chart(read_deck(out.getvalue()))
    assert chart.workbook_mismatches is None
    assert [series.name for series in chart.series] == ["S1", "S2", "S3"]


def test_new_data_is_one_change_in_chart_and_workbook() -> None:
    def with_data(value: float) -> Deck:
        presentation = Presentation(io.BytesIO(_file()))
        make: Any = CategoryChartData
        data = make(number_format="0.0")
        data.categories = ["North", "South"]
        data.add_series("S1", (1, value))
        presentation.slides[0].shapes[0].chart.replace_data(data)
        stream = io.BytesIO()
        presentation.save(stream)
        return read_deck(stream.getvalue())

    (change,) = diff_decks(with_data(2), with_data(3))
    assert change.what == "series 1 values"


def test_a_chart_with_its_workbook_is_plain_data() -> None:
    deck = read_deck(_cells(_file(), SEVEN))
    shape = deck.slides[0].shapes[0]
    bare = replace(deck.slides[0], shapes=(replace(shape, chart=None),))
    (change,) = diff_decks(deck, replace(deck, slides=(bare,)))
    plain = json.loads(json.dumps(change.to_json()))["value_before"]
    assert plain["workbook"] == [{"cell": "Sheet1!C2", "shown": "3", "in_workbook": "7"}]
