"""Find chart content that no reader reads, by its exact location.

An element that is read in one location (``c:title`` of a chart) may be unread in another, so the
schema of read elements is a tree. All other elements go into a digest together with their location.
"""

from collections.abc import Iterator

from lxml.etree import _Element

from pptarena.decks.package.names import C, local_name
from pptarena.decks.read.unread import FILLS_READ, Schema, schema, unread

__all__ = ["CHART_SKIP", "unread_chart_elements", "unread_series_elements"]

CHART_SKIP = frozenset(("f", "ea", "cs", "sym"))
"""References to workbook cells, and typefaces of scripts that are not read."""

_LABEL_FLAGS = (
    "showSerName", "showCatName", "showVal", "showPercent", "showBubbleSize", "showLegendKey",
    "delete",
)  # fmt: skip
_POSITION = schema(manualLayout=schema("x", "y"))
_BOX = schema(manualLayout=schema("x", "y", "w", "h"))
_TEXT_BODY = schema("p", "lstStyle", bodyPr=schema())
_TITLE = schema(
    "overlay",
    layout=_POSITION,
    tx=schema("strRef", rich=_TEXT_BODY),
    txPr=_TEXT_BODY,
    spPr=schema(*FILLS_READ, "ln"),
)
_AXIS = schema(
    "axId", "crossAx", "delete", "majorUnit", "tickLblPos", "axPos", "numFmt",
    scaling=schema("min", "max", "orientation", "logBase"),
    title=_TITLE,
    majorGridlines=schema(),
    minorGridlines=schema(),
)  # fmt: skip
_GROUP = schema("ser", "barDir", "axId", dLbls=schema(*_LABEL_FLAGS))
_FIRST_GROUP = schema("grouping", **_GROUP)
_BARS = ("gapWidth", "overlap")
_AXES = ("catAx", "valAx", "dateAx", "serAx")

_SOLID_FILL = schema(
    solidFill=schema("srgbClr", "schemeClr", "sysClr", "prstClr", "scrgbClr", "hslClr")
)
_FILL_COLOR = schema(spPr=_SOLID_FILL)
_LINE_COLOR = schema(spPr=schema(ln=_SOLID_FILL))
_LABEL = schema("idx", "dLblPos", *_LABEL_FLAGS, tx=schema(rich=_TEXT_BODY))
_SERIES = schema(
    "idx", "order", "tx", "cat", "val", "xVal", "yVal", "bubbleSize", "smooth", "explosion",
    marker=schema("symbol"),
    trendline=schema("trendlineType", "order", "period"),
    dPt=schema("idx"),
    dLbls=schema("dLblPos", *_LABEL_FLAGS, dLbl=_LABEL),
)  # fmt: skip
# Elements that applications write even if they are off.
_OFF = frozenset(("invertIfNegative", "bubble3D"))
_FALSE = frozenset(("0", "false"))


def unread_chart_elements(root: _Element) -> Iterator[tuple[str, _Element]]:
    """Yield the unread elements of a ``c:chartSpace`` with their location, except for series."""
    groups: dict[str, Schema] = {}
    plot = root.find(f"{C}chart/{C}plotArea")
    parts: dict[str, Schema] = {name: _AXIS for name in _AXES}
    for group in () if plot is None else plot:
        name = local_name(group)
        if name.endswith("Chart"):
            groups[name] = schema(**_GROUP) if groups else _FIRST_GROUP
            if "bar" in name and not any("bar" in each for each in list(groups)[:-1]):
                groups[name] = schema(*_BARS, **groups[name])
    area = schema(layout=_BOX, **parts, **groups)
    chart = schema(
        "autoTitleDeleted", "plotVisOnly", title=_TITLE, plotArea=area,
        legend=schema("legendPos", layout=_BOX),
    )  # fmt: skip
    space = schema("date1904", "lang", "externalData", "printSettings", chart=chart)
    for element in unread(root, space):
        name = local_name(element)
        if name == "varyColors" and _has_point_fills(element.getparent()):
            continue  # without effect, and LibreOffice changes it when copying
        if name == "roundedCorners" and element.get("val") in _FALSE:
            continue  # applications write it even if it is off
        yield _location(element, root), element


def unread_series_elements(
    element: _Element, *, drawn_as_line: bool
) -> Iterator[tuple[str, _Element]]:
    """Yield the unread elements of a ``c:ser``, each with its location.

    If the series is `drawn_as_line`, its color is that of its line.
    """
    color = _LINE_COLOR if drawn_as_line else _FILL_COLOR
    tree = {**_SERIES, **color, "dPt": {**(_SERIES["dPt"] or {}), **color}}
    for child in unread(element, tree):
        if local_name(child) in _OFF and child.get("val") in ("0", "false"):
            continue
        if local_name(child) == "txPr" and _has_own_text(child.getparent()):
            continue
        yield _location(child, element), child


def _has_point_fills(group: _Element | None) -> bool:
    """Return whether every point of a series group has an explicit fill."""
    series = [] if group is None else group.findall(f"{C}ser")
    for each in series:
        counts = [count.get("val", "") for count in each.findall(f"{C}val//{C}ptCount")]
        filled = sum(point.find(f"{C}spPr") is not None for point in each.findall(f"{C}dPt"))
        if counts != [str(filled)]:
            return False
    return bool(series)


def _has_own_text(label: _Element | None) -> bool:
    """Return whether a label has its own formatted text."""
    return label is not None and label.tag == f"{C}dLbl" and label.find(f"{C}tx") is not None


def _location(element: _Element, root: _Element) -> str:
    """Return the path from a root to an element, with indexes of points and axes."""
    segments: list[str] = []
    for parent in element.iterancestors():
        if parent is root:
            break
        number = parent.find(f"{C}idx")
        segments.append(f"{local_name(parent)}{'' if number is None else number.get('val')}")
    return "/".join(reversed(segments))
