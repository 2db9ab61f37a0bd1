"""Read charts."""

from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter

from lxml.etree import _Element

from pptarena.decks.facts.chart import Axis, Chart, Series
from pptarena.decks.package.names import C, find_path, local_name
from pptarena.decks.read.chart_axes import (
    chart_number,
    chart_text,
    chart_value,
    is_on,
    read_axis,
)
from pptarena.decks.read.chart_series import read_labels, read_series
from pptarena.decks.read.chart_titles import read_layout, read_title
from pptarena.decks.read.chart_unread import CHART_SKIP, unread_of_chart
from pptarena.decks.read.chart_workbook import read_workbook
from pptarena.decks.read.numbers import COUNT, int_attribute
from pptarena.decks.read.source import PartSource

__all__ = ["read_chart"]

_TYPES = {"ofPie": "pie"}


def read_chart(root: _Element, part: str, source: PartSource) -> Chart | None:
    """Return the facts of a chart part; None for other parts.

    Args:
        root: Root of the part.
        part: Name of the part.
        source: State shared by the slide's readers.
    """
    chart = root.find(f"{C}chart")
    plot = find_path(chart, f"{C}plotArea")
    if chart is None or plot is None:
        return None
    groups = [each for each in plot if local_name(each).endswith("Chart")]
    series = _all_series(groups, part, source)
    axes = tuple(axis for axis in (_axis(each, root, source) for each in plot) if axis)
    bars = next((each for each in groups if "bar" in local_name(each)), None)
    gap, overlap = chart_number(bars, "gapWidth"), chart_number(bars, "overlap")
    return Chart(
        type=_type(groups[0]) if groups else "",
        grouping=chart_value(groups[0], "grouping") if groups else "",
        title=_chart_title(chart, series),
        series=series,
        legend=_legend(chart),
        axis_titles=tuple(axis.title for axis in axes),
        axes=axes,
        data_labels=any(each.data_labels for each in series),
        gap_width_pct=None if bars is None else round(150 if gap is None else gap),
        overlap_pct=None if bars is None else round(overlap or 0),
        title_look=read_title(chart.find(f"{C}title"), root, source),
        plot_box_pct=read_layout(plot),
        legend_box_pct=read_layout(chart.find(f"{C}legend")),
        fingerprint=source.fingerprints.placed(unread_of_chart(root), part, CHART_SKIP),
        workbook=read_workbook(root, part, source.package),
    )


def _axis(element: _Element, root: _Element, source: PartSource) -> Axis | None:
    axis = read_axis(element)
    if axis is None:
        return None
    look = read_title(element.find(f"{C}title"), root, source, of_axis=True)
    return replace(axis, title_look=look)


def _all_series(groups: Sequence[_Element], part: str, source: PartSource) -> tuple[Series, ...]:
    found: list[Series] = []
    first_axes = _axis_ids(groups[0]) if groups else []
    for group in groups:
        secondary = _axis_ids(group) != first_axes
        labels = read_labels(group.find(f"{C}dLbls"))
        type_ = _type(group)  # computed once: the lookup visits all series
        for element in _in_order(group):
            series = read_series(element, type_, secondary, labels, part, source)
            found.append(series)
    return tuple(found)


def _in_order(group: _Element) -> list[_Element]:
    """Return the series of a group by ``c:order``; in file order if one of them has none."""
    series = group.findall(f"{C}ser")
    orders = [int_attribute(each.find(f"{C}order"), "val", COUNT) for each in series]
    if None in orders:
        return series
    return [each for _, each in sorted(zip(orders, series, strict=True), key=itemgetter(0))]


def _axis_ids(group: _Element) -> list[str]:
    return [each.get("val") or "" for each in group.iterchildren(f"{C}axId")]


def _type(group: _Element) -> str:
    name = local_name(group).removesuffix("Chart").removesuffix("3D")
    if name == "bar":
        return "bar" if chart_value(group, "barDir") == "bar" else "column"
    return _TYPES.get(name, name)


def _legend(chart: _Element) -> str:
    legend = chart.find(f"{C}legend")
    return "" if legend is None else chart_value(legend, "legendPos", "r")


def _chart_title(chart: _Element, series: tuple[Series, ...]) -> str:
    element = chart.find(f"{C}title")
    written = chart_text(element)
    if written or len(series) != 1:
        return written
    # A chart with one series uses its name as title, unless the title was deleted.
    kept = not is_on(chart, "autoTitleDeleted", usual=True)
    return series[0].name if element is not None or kept else ""
