"""Every single edit of a chart is reported under its name."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Pt
from tests.conftest import rgb
from tests.each_case import each_case

from pptarena.decks.package_writer import write_package
from pptarena.rewards import diff_decks, read_deck

pytestmark = pytest.mark.slow

Edit = Callable[[Any], object]


def _xml(text: str) -> Any:
    end = min(at for at in (text.find(mark) for mark in (" ", ">", "/>")) if at > 0)
    return parse_xml(f"{text[:end]} {nsdecls('a', 'c')}{text[end:]}")


def _chart(deck: Any) -> Any:
    return next(s.chart for slide in deck.slides for s in slide.shapes if s.has_chart)


def _prepare(deck: Any) -> None:
    chart = _chart(deck)
    chart.chart_title.text_frame.text = "Revenue"
    chart.has_legend = True
    for axis in (chart.value_axis, chart.category_axis):
        axis.has_title = True
        axis.axis_title.text_frame.text = "Money"
    for series in chart.plots[0].series:
        series.format.fill.solid()
        series.format.fill.fore_color.rgb = rgb("3366CC")
        for point in (0, 1):
            label = series.points[point].data_label
            label.has_text_frame = True
            label.text_frame.text = "peak"
            fill = series.points[point].format.fill
            fill.solid()
            fill.fore_color.rgb = rgb("CC6633")


def _title_fill(chart: Any) -> None:
    fill = chart.chart_title.format.fill
    fill.solid()
    fill.fore_color.rgb = rgb("FFFF00")


def _title_line(chart: Any) -> None:
    line = chart.chart_title.format.line
    line.width = Pt(3)
    line.fill.solid()
    line.fill.fore_color.rgb = rgb("FF0000")


def _set_layout(element: Any, left: float, extent: str = "") -> None:
    xml = f'<c:layout><c:manualLayout><c:x val="{left}"/><c:y val="0.1"/>{extent}</c:manualLayout>'
    for old in element.findall(qn("c:layout")):
        element.remove(old)
    has_leading_element = len(element) > 0 and element[0].tag in (qn("c:tx"), qn("c:legendPos"))
    element.insert(int(has_leading_element), _xml(f"{xml}</c:layout>"))


def _title(chart: Any) -> Any:
    return chart.chart_title._element


def _second_run(chart: Any) -> None:
    run = chart.chart_title.text_frame.paragraphs[0].add_run()
    run.text, run.font.size = " today", Pt(40)


def _split_run(chart: Any) -> None:
    paragraph = chart.chart_title.text_frame.paragraphs[0]
    paragraph.runs[0].text = "Reve"
    run = paragraph.add_run()
    run.text, run.font.italic = "nue", True


def _alpha(holder: Any) -> None:
    color = next(holder.iter(qn("a:srgbClr")))
    etree.SubElement(color, qn("a:alpha")).set("val", "40000")


def _series(chart: Any) -> Any:
    return chart.plots[0].series[0]


def _label(chart: Any) -> Any:
    return _series(chart).points[0].data_label


def _point(chart: Any) -> Any:
    return _series(chart)._element.find(qn("c:dPt"))


def _axis_run(chart: Any) -> Any:
    return chart.value_axis.axis_title.text_frame.paragraphs[0].runs[0]


def _gradient(holder: Any) -> None:
    stops = "".join(
        f'<a:gs pos="{at}"><a:srgbClr val="{color}"/></a:gs>'
        for at, color in ((0, "FF0000"), (100000, "00FF00"))
    )
    old = holder.find(qn("a:solidFill"))
    holder.replace(old, _xml(f"<a:gradFill><a:gsLst>{stops}</a:gsLst></a:gradFill>"))


EDITS: dict[str, tuple[Edit, str]] = {
    "title fill": (_title_fill, "title fill"),
    "title frame": (_title_line, "title line"),
    "title place": (lambda c: _set_layout(_title(c), 0.5), "title place"),
    "title rotation": (lambda c: _title(c).find(f".//{qn('a:bodyPr')}").set("rot", "-5400000"),
                       "title rotation"),
    "title overlay": (lambda c: _title(c).find(qn("c:overlay")).set("val", "1"), "title overlay"),
    "title second run": (_second_run, "title"),
    "title split run": (_split_run, "title italic"),
    "title bold": (lambda c: setattr(
        c.chart_title.text_frame.paragraphs[0].runs[0].font, "bold", False), "title bold"),
    "axis title size": (lambda c: setattr(_axis_run(c).font, "size", Pt(30)), "title size"),
    "axis title bold": (lambda c: setattr(_axis_run(c).font, "bold", False), "title bold"),
    "axis title color": (lambda c: setattr(_axis_run(c).font.color, "rgb", rgb("FF00FF")),
                          "title color"),
    "axis title place": (lambda c: _set_layout(c.value_axis.axis_title._element, 0.3),
                         "title place"),
    "label text": (lambda c: setattr(_label(c).text_frame, "text", "low"), "point labels"),
    "label bold": (lambda c: setattr(
        _label(c).text_frame.paragraphs[0].runs[0].font, "bold", True), "point labels"),
    "label shows": (lambda c: _series(c)._element.find(
        f"{qn('c:dLbls')}/{qn('c:dLbl')}/{qn('c:showSerName')}").set("val", "1"), "point labels"),
    "label removed": (lambda c: _series(c)._element.find(qn("c:dLbls")).remove(
        _series(c)._element.find(f"{qn('c:dLbls')}/{qn('c:dLbl')}")), "point labels"),
    "series transparency": (lambda c: _alpha(_series(c)._element.find(qn("c:spPr"))), "opacity"),
    "point transparency": (lambda c: _alpha(_point(c)), "point opacities"),
    "point line": (
        lambda c: setattr(_series(c).points[0].format.line, "width", Pt(5)), "fingerprint"),
    "point gradient": (lambda c: _gradient(_point(c).find(qn("c:spPr"))), "fingerprint"),
    "series line color": (lambda c: setattr(_series(c).format.line.color, "rgb", rgb("112233")),
                           "fingerprint"),
    "legend place": (lambda c: _set_layout(c.legend._element, 0.7, '<c:w val="0.2"/>'),
                     "legend box"),
    "plot place": (lambda c: _set_layout(c._chartSpace.find(f".//{qn('c:plotArea')}"), 0.2),
                   "plot box"),
    "axis line": (lambda c: setattr(c.value_axis.format.line, "width", Pt(5)), "fingerprint"),
    "gridline color": (lambda c: setattr(
        c.value_axis.major_gridlines.format.line.color, "rgb", rgb("FF0000")), "fingerprint"),
    "axis label size": (
        lambda c: setattr(c.value_axis.tick_labels.font, "size", Pt(7)), "fingerprint"),
}  # fmt: skip


@pytest.fixture(scope="module")
def prepared(lab: Any) -> bytes:
    return _saved(lab.base, _prepare)


def _saved(data: bytes, edit: Edit) -> bytes:
    deck = Presentation(io.BytesIO(data))
    edit(deck)
    return write_package(deck)


@each_case("name", EDITS)
def test_chart_edit_is_reported_by_name(prepared: bytes, name: str) -> None:
    edit, expected = EDITS[name]
    edited = _saved(prepared, lambda deck: edit(_chart(deck)))
    changes = diff_decks(read_deck(prepared), read_deck(edited))
    assert {change.aspect for change in changes} == {"charts"}
    assert any(expected in change.what for change in changes), [change.text for change in changes]


def test_resaving_a_chart_changes_nothing(prepared: bytes) -> None:
    assert diff_decks(read_deck(prepared), read_deck(_saved(prepared, lambda deck: None))) == ()
