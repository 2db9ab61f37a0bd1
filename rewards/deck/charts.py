"""Reading charts."""

from lxml.etree import _Element

from pptarena.rewards.deck.content_model import Chart, Series
from pptarena.rewards.deck.context import Context
from pptarena.rewards.deck.names import A, C, find_path, local_name
from pptarena.rewards.deck.paint import read_color

__all__ = ["read_chart"]

_MAX_POINTS = 20_000
_TYPES = {"ofPie": "pie", "pie": "pie", "surface": "surface"}


def read_chart(root: _Element, context: Context) -> Chart | None:
    """Return the facts of a chart part; None if it is no chart."""
    chart = root.find(f"{C}chart")
    plot = find_path(chart, f"{C}plotArea")
    if chart is None or plot is None:
        return None
    groups = [each for each in plot if local_name(each).endswith("Chart")]
    types = [_type(group) for group in groups]
    series = tuple(
        _series(each, kind, context)
        for group, kind in zip(groups, types, strict=True)
        for each in group.iterchildren(f"{C}ser")
    )
    grouping = find_path(groups[0] if groups else None, f"{C}grouping")
    legend = chart.find(f"{C}legend")
    side = find_path(legend, f"{C}legendPos")
    axes = (each for each in plot if local_name(each).endswith("Ax"))
    return Chart(
        type=types[0] if types else "",
        grouping="" if grouping is None else grouping.get("val") or "",
        title=_chart_title(chart, series),
        series=series,
        legend="" if legend is None else "r" if side is None else side.get("val") or "r",
        axis_titles=tuple(_title(axis.find(f"{C}title")) for axis in axes),
    )


def _type(group: _Element) -> str:
    name = local_name(group).removesuffix("Chart").removesuffix("3D")
    if name == "bar":
        direction = group.find(f"{C}barDir")
        upright = direction is None or direction.get("val") != "bar"
        return "column" if upright else "bar"
    return _TYPES.get(name, name)


def _chart_title(chart: _Element, series: tuple[Series, ...]) -> str:
    element = chart.find(f"{C}title")
    written = _title(element)
    if written or len(series) != 1:
        return written
    # A chart of one series is called by it, unless its title was deleted.
    deleted = chart.find(f"{C}autoTitleDeleted")
    kept = deleted is not None and deleted.get("val") in ("0", "false")
    return series[0].name if element is not None or kept else ""


def _title(element: _Element | None) -> str:
    text = find_path(element, f"{C}tx")
    if text is None:
        return ""
    lines = ("".join(t.text or "" for t in p.iter(f"{A}t")) for p in text.iter(f"{A}p"))
    found = "\n".join(lines)
    return found or " ".join(value.text or "" for value in text.iter(f"{C}v"))


def _series(element: _Element, kind: str, context: Context) -> Series:
    name = " ".join(v.text or "" for v in element.iterfind(f"{C}tx//{C}v"))
    categories = element.find(f"{C}cat")
    values = element.find(f"{C}val")
    across = element.find(f"{C}xVal") if categories is None else categories
    along = element.find(f"{C}yVal") if values is None else values
    fill = find_path(element, f"{C}spPr", f"{A}solidFill")
    return Series(
        name=name,
        type=kind,
        categories=tuple(_readable(text) for text in _points(across)),
        values=tuple(_number(text) for text in _points(along)),
        color=read_color(fill, context.colors),
    )


def _points(element: _Element | None) -> list[str]:
    """Return the cached points of a data source; what is missing in between is empty."""
    if element is None:
        return []
    levels = list(element.iter(f"{C}lvl"))
    holder = levels[0] if levels else element
    found: dict[int, str] = {}
    for point in holder.iter(f"{C}pt"):
        index = point.get("idx") or ""
        if index.isdecimal() and int(index) < _MAX_POINTS:
            found[int(index)] = point.findtext(f"{C}v") or ""
    return [found.get(index, "") for index in range(max(found, default=-1) + 1)]


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _readable(text: str) -> str:
    """Return a category with numbers written one way (``4.0`` and ``4`` are the same)."""
    number = _number(text)
    return text if number is None else f"{number:g}"
