"""Read charts."""

from collections.abc import Iterator, Sequence
from operator import itemgetter

from lxml.etree import _Element

from pptarena.decks.facts.chart import Chart, Series
from pptarena.decks.facts.text import RunStyle
from pptarena.decks.package.names import A, C, find_path, local_name
from pptarena.decks.read.chart_titles import (
    chart_number,
    chart_text,
    chart_value,
    default_run_values,
    is_on,
    read_axis,
    read_layout,
    read_paragraphs,
    read_title,
)
from pptarena.decks.read.chart_unread import (
    CHART_SKIP,
    unread_chart_elements,
    unread_series_elements,
)
from pptarena.decks.read.chart_workbook import read_workbook
from pptarena.decks.read.color import first_color, resolve_color
from pptarena.decks.read.numbers import COUNT, int_attribute, real_number
from pptarena.decks.read.source import PartSource

__all__ = ["read_chart", "read_labels", "read_series"]

_TYPES = {"ofPie": "pie"}


def read_chart(root: _Element, part: str, source: PartSource) -> Chart | None:
    """Return the facts of a chart part; None for other parts."""
    chart = root.find(f"{C}chart")
    plot = find_path(chart, f"{C}plotArea")
    if chart is None or plot is None:
        return None
    groups = [each for each in plot if local_name(each).endswith("Chart")]
    series = _all_series(groups, part, source)
    axes = tuple(axis for axis in (read_axis(each, root, source) for each in plot) if axis)
    bars = next((each for each in groups if "bar" in local_name(each)), None)
    legend = chart.find(f"{C}legend")
    gap, overlap = chart_number(bars, "gapWidth"), chart_number(bars, "overlap")
    return Chart(
        type=_type(groups[0]) if groups else "",
        grouping=chart_value(groups[0], "grouping") if groups else "",
        title=_chart_title(chart, series),
        series=series,
        legend="" if legend is None else chart_value(legend, "legendPos", "r"),
        axis_titles=tuple(axis.title for axis in axes),
        axes=axes,
        data_labels=any(each.data_labels for each in series),
        gap_width_pct=None if bars is None else round(150 if gap is None else gap),
        overlap_pct=None if bars is None else round(overlap or 0),
        title_look=read_title(chart.find(f"{C}title"), root, source),
        plot_box_pct=read_layout(plot),
        legend_box_pct=read_layout(legend),
        fingerprint=source.fingerprints.located(unread_chart_elements(root), part, CHART_SKIP),
        workbook=read_workbook(root, part, source.package),
    )


def _all_series(groups: Sequence[_Element], part: str, source: PartSource) -> tuple[Series, ...]:
    series_list: list[Series] = []
    first_axes = _axis_ids(groups[0]) if groups else []
    for group in groups:
        secondary = _axis_ids(group) != first_axes
        labels = read_labels(group.find(f"{C}dLbls"))
        type_ = _type(group)  # computed once: the lookup visits all series
        for element in _ordered_series(group):
            series = read_series(element, type_, secondary, labels, part, source)
            series_list.append(series)
    return tuple(series_list)


def _ordered_series(group: _Element) -> list[_Element]:
    """Return the series of a group by ``c:order``; in file order if any of them lacks it."""
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


def _chart_title(chart: _Element, series: tuple[Series, ...]) -> str:
    element = chart.find(f"{C}title")
    explicit = chart_text(element)
    if explicit or len(series) != 1:
        return explicit
    # A chart with one series uses its name as title, unless the title was deleted.
    has_automatic_title = not is_on(chart, "autoTitleDeleted", default=True)
    return series[0].name if element is not None or has_automatic_title else ""


# Default label positions; some applications write them explicitly.
_DEFAULT_LABEL_PLACES = {
    "line": "r", "scatter": "r", "bubble": "r", "column": "outEnd", "bar": "outEnd",
    "radar": "outEnd", "pie": "bestFit",
}  # fmt: skip
# Cost of an empty series, in units of one tag or attribute.
_SERIES_COST = 250
_MAX_POINTS = 20_000
_MAX_LEVELS = 10
_LINES = frozenset(("line", "scatter", "radar", "stock"))
_LABEL_CONTENT = (
    ("showSerName", "series"),
    ("showCatName", "category"),
    ("showVal", "value"),
    ("showPercent", "percent"),
    ("showBubbleSize", "size"),
    ("showLegendKey", "key"),
)


def read_series(
    element: _Element, kind: str, secondary: bool, inherited: str, part: str, source: PartSource
) -> Series:
    """Return one series of a chart.

    `inherited` is the content of data labels that the series does not specify itself.
    """
    source.package.spend(_SERIES_COST)
    labels = element.find(f"{C}dLbls")
    category_source = _first(element, "cat", "xVal")
    value_source = _first(element, "val", "yVal")
    values = _values(value_source)
    levels = _levels(category_source, len(values))
    # A few tags may name a point with a high index, and all points before it are created.
    source.package.spend(len(values) + sum(map(len, levels)))
    marker = find_path(element, f"{C}marker")
    explosion = real_number(chart_value(element, "explosion", "0"))
    color, opacity = _color(element, kind, source)
    points = list(_points_with_colors(element, kind, source))
    unread = unread_series_elements(element, drawn_as_line=kind in _LINES)
    return Series(
        name=" ".join(v.text or "" for v in element.iterfind(f"{C}tx//{C}v")),
        type=kind,
        categories=levels[0] if levels else (),
        values=values,
        color=color,
        point_colors=tuple(sorted((index, color) for index, color, _ in points)),
        data_labels=inherited if labels is None else read_labels(labels),
        label_place=_label_place(labels, kind),
        trendline=" ".join(_trendline(each) for each in element.iterfind(f"{C}trendline")),
        sizes=_values(element.find(f"{C}bubbleSize")),
        outer_categories=levels[1:],
        marker=chart_value(marker, "symbol"),
        smooth=is_on(element, "smooth"),
        explosion_pct=round(explosion or 0),
        secondary=secondary,
        opacity_pct=opacity,
        point_opacities=tuple(sorted((index, pct) for index, _, pct in points if pct != 100)),
        point_labels=tuple(sorted(_point_labels(labels, kind, source))),
        fingerprint=source.fingerprints.located(unread, part, CHART_SKIP),
        number_format=_format_code(value_source) or "",
        category_format=_format_code(category_source),
    )


def read_labels(element: _Element | None) -> str:
    """Return the content of the labels of a ``c:dLbls``; empty for none."""
    if element is None or is_on(element, "delete"):
        return ""
    return " ".join(content for name, content in _LABEL_CONTENT if is_on(element, name))


def _label_place(labels: _Element | None, kind: str) -> str:
    if not read_labels(labels):
        return ""
    place = chart_value(labels, "dLblPos")
    return "" if place == _DEFAULT_LABEL_PLACES.get(kind) else place


def _first(element: _Element, *names: str) -> _Element | None:
    elements = (element.find(f"{C}{name}") for name in names)
    return next((each for each in elements if each is not None), None)


def _color(element: _Element, kind: str, source: PartSource) -> tuple[str | None, int]:
    """Return the color of a series or point, and its opacity in percent."""
    properties = element.find(f"{C}spPr")
    path = (f"{A}ln", f"{A}solidFill") if kind in _LINES else (f"{A}solidFill",)
    color = resolve_color(first_color(find_path(properties, *path)), source.context.colors)
    return (None, 0) if color[0] is None and _is_invisible(element, kind) else color


def _is_invisible(element: _Element, kind: str) -> bool:
    """Return whether a series has neither fill nor outline; for lines, neither line nor marker."""
    properties = element.find(f"{C}spPr")
    line = find_path(properties, f"{A}ln", f"{A}noFill")
    if line is None:
        return False
    if kind in _LINES:
        return chart_value(element.find(f"{C}marker"), "symbol") == "none"
    return find_path(properties, f"{A}noFill") is not None


def _points_with_colors(
    element: _Element, kind: str, source: PartSource
) -> Iterator[tuple[int, str, int]]:
    for point in element.iterfind(f"{C}dPt"):
        index = int_attribute(point.find(f"{C}idx"), "val", COUNT) or 0
        color, opacity = _color(point, kind, source)
        if color is not None:
            yield index, color, opacity


def _point_labels(
    labels: _Element | None, kind: str, source: PartSource
) -> Iterator[tuple[int, str]]:
    """Yield index and description of each individually formatted label."""
    for label in () if labels is None else labels.iterfind(f"{C}dLbl"):
        index = int_attribute(label.find(f"{C}idx"), "val", COUNT) or 0
        rich = find_path(label, f"{C}tx", f"{C}rich")
        char_values = default_run_values(label.find(f"{C}txPr"), source)
        runs = [run for each in read_paragraphs(rich, char_values, source) for run in each.runs]
        parts = [read_labels(label) or "none", _label_place(label, kind)]
        parts += [f"'{run.text}' {_describe_style(run.style)}" for run in runs]
        yield index, " ".join(filter(None, parts))


def _describe_style(style: RunStyle) -> str:
    parts = [style.font, f"{style.size_pt:g} pt", style.color or "no color"]
    return " ".join(parts + ["bold"] * style.bold + ["italic"] * style.italic)


def _trendline(element: _Element) -> str:
    kind = chart_value(element, "trendlineType", "linear")
    number = {"poly": "order", "movingAvg": "period"}.get(kind)
    return f"{kind} {chart_value(element, number, '2')}" if number else kind


def _values(element: _Element | None) -> tuple[float | None, ...]:
    return tuple(real_number(text) for text in _points(element))


def _format_code(element: _Element | None) -> str | None:
    """Return the format code of cached numbers, empty for ``General``; None for no numbers."""
    cache = find_path(element, f"{C}numRef", f"{C}numCache")
    if cache is None:
        cache = find_path(element, f"{C}numLit")
    if cache is None:
        return None
    code = cache.findtext(f"{C}formatCode") or ""
    return "" if code == "General" else code


def _levels(element: _Element | None, length: int) -> tuple[tuple[str, ...], ...]:
    """Return the category names, one tuple per level, the innermost level first."""
    if element is None:
        return ()
    level_elements = list(element.iter(f"{C}lvl"))[:_MAX_LEVELS]
    if not level_elements:
        return (tuple(_readable(text) for text in _points(element)),)
    inner = _points(level_elements[0])
    length = max(length, len(inner))
    outer = [_fill_gaps(_points(level_element), length) for level_element in level_elements[1:]]
    return (tuple(map(_readable, inner)), *outer)


def _fill_gaps(names: Sequence[str], length: int) -> tuple[str, ...]:
    """Return a name for every point; outer levels name only the first point of a group."""
    filled: list[str] = []
    for index in range(length):
        name = names[index] if index < len(names) else ""
        filled.append(name or (filled[-1] if filled else ""))
    return tuple(filled)


def _points(element: _Element | None) -> list[str]:
    """Return the cached points of a data source; missing points are empty."""
    if element is None:
        return []
    texts: dict[int, str] = {}
    for point in element.iter(f"{C}pt"):
        index = int_attribute(point, "idx", COUNT)
        if index is not None and 0 <= index < _MAX_POINTS:
            texts[index] = point.findtext(f"{C}v") or ""
    return [texts.get(index, "") for index in range(max(texts, default=-1) + 1)]


def _readable(text: str) -> str:
    """Return a category with numbers normalized (``4.0`` and ``4`` are the same)."""
    number = real_number(text)
    return text if number is None else f"{number:g}"
