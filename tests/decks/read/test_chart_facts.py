"""Facts of charts: axes, labels, points, data types, and the fingerprint of the rest."""

from dataclasses import replace
from typing import Any

import pytest
from pptx.chart.data import BubbleChartData, CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE, XL_LABEL_POSITION, XL_TICK_LABEL_POSITION
from pptx.util import Inches, Pt
from tests.decks.packing import pack, unpack

from pptarena.decks import Axis, Chart

CHART_TYPES: Any = XL_CHART_TYPE


def _chart(lab: Any, kind: Any, data: Any, edit: Any = None) -> Chart:
    def change(deck: Any) -> None:
        frame = deck.slides[4].shapes.add_chart(
            kind, Inches(1), Inches(1), Inches(4), Inches(3), data
        )
        if edit is not None:
            edit(frame.chart)

    chart: Chart = lab.edited(change).slides[4].shapes[-1].chart
    return chart


def _edited(lab: Any, edit: Any, **series: tuple[float, ...]) -> Chart:
    data = lab.chart_data(**(series or {"North": (1.0, 2.0), "South": (3.0, 4.0)}))
    return _chart(lab, CHART_TYPES.COLUMN_CLUSTERED, data, edit)


def test_axes(lab: Any) -> None:
    def edit(chart: Any) -> None:
        axis = chart.value_axis
        axis.minimum_scale, axis.maximum_scale, axis.major_unit = 0, 12.5, 2
        axis.has_major_gridlines, axis.has_minor_gridlines = False, True
        axis.tick_labels.number_format, axis.tick_labels.number_format_is_linked = "0.0", False
        axis.has_title = True
        axis.axis_title.text_frame.text = "Tonnes"
        chart.category_axis.visible = False
        chart.category_axis.reverse_order = True
        chart.category_axis.tick_label_position = XL_TICK_LABEL_POSITION.LOW

    chart = _edited(lab, edit)
    assert chart.axes[0] == Axis("category", hidden=True, reversed=True, labels="low", side="b")
    assert replace(chart.axes[1], title_look=None) == Axis(
        "value", "Tonnes", 0.0, 12.5, "0.0", False, False, True, 2.0, side="l"
    )
    assert chart.axis_titles == ("", "Tonnes")
    plain = _edited(lab, None)
    assert plain.axes[1].gridlines
    assert (plain.axes[1].minimum, plain.axes[1].number_format) == (None, "")


def test_gaps_and_overlap(lab: Any) -> None:
    def edit(chart: Any) -> None:
        chart.plots[0].gap_width, chart.plots[0].overlap = 40, -20

    chart = _edited(lab, edit)
    assert (chart.gap_width_pct, chart.overlap_pct) == (40, -20)
    line = _chart(lab, CHART_TYPES.LINE, lab.chart_data(A=(1.0, 2.0)))
    assert (line.gap_width_pct, line.overlap_pct) == (None, None)


def test_labels_of_all_series_and_of_one(lab: Any) -> None:
    def everywhere(chart: Any) -> None:
        chart.plots[0].has_data_labels = True
        chart.plots[0].data_labels.show_value = True

    def one(chart: Any) -> None:
        labels = chart.plots[0].series[1].data_labels
        labels.show_value, labels.show_category_name = True, True
        labels.position = XL_LABEL_POSITION.CENTER

    chart = _edited(lab, everywhere)
    assert chart.data_labels
    assert [series.data_labels for series in chart.series] == ["value", "value"]
    chart = _edited(lab, one)
    assert [series.data_labels for series in chart.series] == ["", "category value"]
    assert chart.series[1].label_place == "ctr"
    assert not _edited(lab, None).data_labels


def test_colors_of_series_and_points(lab: Any) -> None:
    def edit(chart: Any) -> None:
        series = chart.plots[0].series[0]
        series.format.fill.solid()
        series.format.fill.fore_color.rgb = lab.rgb("112233")
        point = series.points[1].format.fill
        point.solid()
        point.fore_color.rgb = lab.rgb("445566")

    chart = _edited(lab, edit)
    assert chart.series[0].color == "#112233"
    assert chart.series[0].point_colors == ((1, "#445566"),)
    assert chart.series[1].color is None


def test_line_series_use_the_line_color(lab: Any) -> None:
    def edit(chart: Any) -> None:
        series = chart.plots[0].series[0]
        series.format.line.color.rgb = lab.rgb("112233")
        series.smooth = True

    chart = _chart(lab, CHART_TYPES.LINE_MARKERS, lab.chart_data(A=(1.0, 2.0)), edit)
    assert (chart.series[0].color, chart.series[0].smooth) == ("#112233", True)


def test_scatter_and_bubble_charts(lab: Any) -> None:
    kind: Any = XyChartData
    data = kind()
    series = data.add_series("Trial")
    series.add_data_point(0.5, 10)
    series.add_data_point(1.5, 20)
    chart = _chart(lab, CHART_TYPES.XY_SCATTER, data)
    assert chart.type == "scatter"
    assert (chart.series[0].categories, chart.series[0].values) == (("0.5", "1.5"), (10.0, 20.0))
    kind = BubbleChartData
    data = kind()
    data.add_series("Trial").add_data_point(1, 2, 30)
    chart = _chart(lab, CHART_TYPES.BUBBLE, data)
    assert (chart.type, chart.series[0].sizes) == ("bubble", (30.0,))
    assert [axis.kind for axis in chart.axes] == ["value", "value"]


def test_multi_level_categories(lab: Any) -> None:
    kind: Any = CategoryChartData
    data = kind()
    for year in ("2025", "2026"):
        group = data.add_category(year)
        group.add_sub_category("Q1")
        group.add_sub_category("Q2")
    data.add_series("A", (1, 2, 3, 4))
    series = _chart(lab, CHART_TYPES.COLUMN_CLUSTERED, data).series[0]
    assert series.categories == ("Q1", "Q2", "Q1", "Q2")
    assert series.outer_categories == (("2025", "2025", "2026", "2026"),)


def _combined(stage: Any, ids: str) -> Chart:
    """Return a chart of columns and a line; `ids` are the axes of the line."""

    def series(name: str) -> str:
        return (
            f'<c:ser><c:idx val="0"/><c:order val="0"/><c:tx><c:v>{name}</c:v></c:tx><c:trendline>'
            '<c:trendlineType val="poly"/><c:order val="3"/></c:trendline><c:val><c:numLit>'
            '<c:pt idx="1"><c:v>5</c:v></c:pt></c:numLit></c:val></c:ser>'
        )

    axes = "".join(
        f'<c:{kind}><c:axId val="{number}"/><c:delete val="{number // 3}"/></c:{kind}>'
        for number, kind in enumerate(("catAx", "valAx", "dateAx", "valAx"), start=1)
    )
    text = stage.with_namespaces("<c:chartSpace>") + (
        '<c:chart><c:plotArea><c:barChart><c:barDir val="col"/>'
        f'{series("Sales")}<c:axId val="1"/><c:axId val="2"/></c:barChart><c:lineChart>'
        f"{series('Share')}{ids}</c:lineChart>{axes}</c:plotArea></c:chart></c:chartSpace>"
    )
    xml = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="908" name="C"/><p:cNvGraphicFramePr/>'
        '<p:nvPr/></p:nvGraphicFramePr><p:xfrm/><a:graphic><a:graphicData uri="x"><c:chart '
        'r:id="rId74"/></a:graphicData></a:graphic></p:graphicFrame>'
    )
    rels = stage.rel("rId74", "chart", "/ppt/charts/combined.xml")
    chart: Chart = stage.shape(xml, rels=rels, parts={"ppt/charts/combined.xml": text}).chart
    return chart


def test_combined_charts(stage: Any) -> None:
    chart = _combined(stage, '<c:axId val="3"/><c:axId val="4"/>')
    assert [series.type for series in chart.series] == ["column", "line"]
    assert [series.secondary for series in chart.series] == [False, True]
    assert [series.trendline for series in chart.series] == ["poly 3", "poly 3"]
    assert chart.series[0].values == (None, 5.0)
    assert [axis.kind for axis in chart.axes] == ["category", "value", "date", "value"]
    assert [axis.hidden for axis in chart.axes] == [False, False, True, True]
    same = _combined(stage, '<c:axId val="1"/><c:axId val="2"/>')
    assert not same.series[1].secondary


def test_title_style(lab: Any) -> None:
    def edit(chart: Any) -> None:
        chart.has_title = True
        chart.font.size = Pt(10)
        chart.chart_title.text_frame.text = "Sales"
        chart.chart_title.text_frame.paragraphs[0].runs[0].font.italic = True

    style = _edited(lab, edit).title_style
    assert style is not None
    assert (style.size_pt, style.italic, style.font) == (12.0, True, "Calibri")
    assert _edited(lab, lambda chart: setattr(chart, "has_title", False)).title_style is None


@pytest.mark.parametrize("owner", ["chart", "series"])
def test_unread_chart_details_change_the_fingerprint(lab: Any, owner: str) -> None:
    def edit(chart: Any) -> None:
        if owner == "chart":
            chart.has_legend = True
            chart.legend.include_in_layout = True
        else:
            chart.plots[0].series[0].format.line.width = Pt(7)

    def facts(chart: Chart) -> tuple[str, str]:
        return chart.fingerprint, chart.series[0].fingerprint

    plain, again, changed = (facts(_edited(lab, each)) for each in (None, None, edit))
    assert plain == again
    assert [a == b for a, b in zip(plain, changed, strict=True)] == [
        owner != "chart",
        owner != "series",
    ]


@pytest.mark.parametrize("same_cells", [True, False])
def test_only_the_workbook_cells_matter(lab: Any, same_cells: bool) -> None:
    def edit(deck: Any) -> None:
        part = lab.shape_named(deck, 4, "Revenue chart").chart.part.chart_workbook.xlsx_part
        part._blob = (
            pack(dict(reversed(unpack(part.blob).items()))) if same_cells else b"no workbook"
        )

    before, after = (
        next(s for s in deck.slides[3].shapes if s.chart)
        for deck in (lab.original, lab.edited(edit))
    )
    assert (before.chart == after.chart) is same_cells
