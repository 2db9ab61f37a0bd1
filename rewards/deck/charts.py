"""Reading charts."""

from collections.abc import Sequence

from lxml.etree import _Element

from pptarena.rewards.deck.chart_axes import (
    chart_number,
    chart_text,
    chart_value,
    is_on,
    read_axis,
)
from pptarena.rewards.deck.chart_model import Chart, Series
from pptarena.rewards.deck.chart_series import read_labels, read_series
from pptarena.rewards.deck.names import A, C, children, find_path, local_name
from pptarena.rewards.deck.source import PartSource
from pptarena.rewards.deck.text_model import RunStyle
from pptarena.rewards.deck.text_values import RunValues, run_values

__all__ = ["read_chart"]

_TYPES = {"ofPie": "pie"}
# What is read elsewhere, what names things within the file, and what the application counts.
_READ = frozenset((
    "ser", "externalData", "printSettings", "date1904", "lang", "axId", "crossAx", "barDir",
    "grouping", "gapWidth", "overlap", "legendPos", "autoTitleDeleted", "plotVisOnly", "t", "v",
    "min", "max", "numFmt", "delete", "majorUnit", "orientation", "logBase", "tickLblPos",
    "showVal", "showCatName", "showSerName", "showPercent", "showBubbleSize", "showLegendKey",
    "title", "f", "pt", "ptCount", "dLblPos", "ea", "cs", "sym",
))  # fmt: skip
_TITLE_SIZE_PT = 18.0
_TITLE_SCALE = 1.2


def read_chart(root: _Element, part: str, source: PartSource) -> Chart | None:
    """Return the facts of a chart part; None if it is no chart.

    Args:
        root: Root of the part.
        part: Name of the part.
        source: What the slide's readers share.
    """
    chart = root.find(f"{C}chart")
    plot = find_path(chart, f"{C}plotArea")
    if chart is None or plot is None:
        return None
    groups = [each for each in plot if local_name(each).endswith("Chart")]
    series = _all_series(groups, part, source)
    axes = tuple(axis for axis in map(read_axis, plot) if axis is not None)
    bars = next((each for each in groups if "bar" in local_name(each)), None)
    gap, overlap = chart_number(bars, "gapWidth"), chart_number(bars, "overlap")
    title = chart.find(f"{C}title")
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
        title_style=None if title is None else _title_style(title, root, source),
        opaque=source.opaques.elements([root], part, _READ),
    )


def _all_series(groups: Sequence[_Element], part: str, source: PartSource) -> tuple[Series, ...]:
    found: list[Series] = []
    first_axes = _axis_ids(groups[0]) if groups else []
    for group in groups:
        secondary = _axis_ids(group) != first_axes
        labels = read_labels(group.find(f"{C}dLbls"))
        for element in group.iterchildren(f"{C}ser"):
            series = read_series(element, _type(group), secondary, labels, part, source)
            found.append(series)
    return tuple(found)


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
    # A chart of one series is called by it, unless its title was deleted.
    kept = not is_on(chart, "autoTitleDeleted", usual=True)
    return series[0].name if element is not None or kept else ""


def _title_style(title: _Element, root: _Element, source: PartSource) -> RunStyle:
    """Return what the first letters of a title look like."""
    context = source.context
    values: RunValues = {
        "size_pt": _TITLE_SIZE_PT,
        "bold": True,
        "font": context.theme.minor_font,
        "color": context.colors.get("tx1", "#000000"),
    }
    everywhere = _default(root.find(f"{C}txPr"))
    if everywhere is not None:
        values |= run_values(everywhere, context.colors, context.theme)
        if everywhere.get("sz") is not None:
            values["size_pt"] = round(values["size_pt"] * _TITLE_SCALE, 1)
    rich = find_path(title, f"{C}tx", f"{C}rich")
    letters = [_default(title.find(f"{C}txPr")), _default(rich)]
    if rich is not None:
        letters.append(next((run.find(f"{A}rPr") for run in rich.iter(f"{A}r")), None))
    for element in letters:
        if element is not None:
            values |= run_values(element, context.colors, context.theme)
    return RunStyle(**values)


def _default(body: _Element | None) -> _Element | None:
    """Return the ``a:defRPr`` of the first paragraph of a text body."""
    for child in children(body):
        if child.tag == f"{A}p":
            return find_path(child, f"{A}pPr", f"{A}defRPr")
    return None
