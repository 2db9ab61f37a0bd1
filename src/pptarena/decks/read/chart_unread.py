"""Find chart content that no reader reads, by its exact location.

An element that is read in one location (``c:title`` of a chart) may be unread in another one, so
the known elements form a tree of locations. Everything else goes into a digest, each element with
its location.
"""

from collections.abc import Iterator

from lxml.etree import _Element

from pptarena.decks.package.names import C, local_name
from pptarena.decks.read.unread import FILLS_READ, Known, known, unread

__all__ = ["CHART_SKIP", "unread_of_chart", "unread_of_series"]

CHART_SKIP = frozenset(("f", "ea", "cs", "sym"))
"""References to workbook cells, and typefaces of scripts that are not read."""

_SHOWN = (
    "showSerName", "showCatName", "showVal", "showPercent", "showBubbleSize", "showLegendKey",
    "delete",
)  # fmt: skip
_PLACE = known(manualLayout=known("x", "y"))
_BOX = known(manualLayout=known("x", "y", "w", "h"))
_LETTERS = known("p", "lstStyle", bodyPr=known())
_TITLE = known(
    "overlay",
    layout=_PLACE,
    tx=known("strRef", rich=_LETTERS),
    txPr=_LETTERS,
    spPr=known(*FILLS_READ, "ln"),
)
_AXIS = known(
    "axId", "crossAx", "delete", "majorUnit", "tickLblPos", "axPos", "numFmt",
    scaling=known("min", "max", "orientation", "logBase"),
    title=_TITLE,
    majorGridlines=known(),
    minorGridlines=known(),
)  # fmt: skip
_GROUP = known("ser", "barDir", "axId", dLbls=known(*_SHOWN))
_FIRST_GROUP = known("grouping", **_GROUP)
_BARS = ("gapWidth", "overlap")
_AXES = ("catAx", "valAx", "dateAx", "serAx")

_OWN_FILL = known(
    solidFill=known("srgbClr", "schemeClr", "sysClr", "prstClr", "scrgbClr", "hslClr")
)
_FILLED = known(spPr=_OWN_FILL)
_LINED = known(spPr=known(ln=_OWN_FILL))
_LABEL = known("idx", "dLblPos", *_SHOWN, tx=known(rich=_LETTERS))
_SERIES = known(
    "idx", "order", "tx", "cat", "val", "xVal", "yVal", "bubbleSize", "smooth", "explosion",
    marker=known("symbol"),
    trendline=known("trendlineType", "order", "period"),
    dPt=known("idx"),
    dLbls=known("dLblPos", *_SHOWN, dLbl=_LABEL),
)  # fmt: skip
# Elements that applications write even if they are off.
_OFF = frozenset(("invertIfNegative", "bubble3D"))
_FALSE = frozenset(("0", "false"))


def unread_of_chart(root: _Element) -> Iterator[tuple[str, _Element]]:
    """Yield the unread elements of a ``c:chartSpace`` with their location, except for series."""
    groups: dict[str, Known] = {}
    plot = root.find(f"{C}chart/{C}plotArea")
    parts: dict[str, Known] = {name: _AXIS for name in _AXES}
    for group in () if plot is None else plot:
        name = local_name(group)
        if name.endswith("Chart"):
            groups[name] = known(**_GROUP) if groups else _FIRST_GROUP
            if "bar" in name and not any("bar" in each for each in list(groups)[:-1]):
                groups[name] = known(*_BARS, **groups[name])
    area = known(layout=_BOX, **parts, **groups)
    chart = known(
        "autoTitleDeleted", "plotVisOnly", title=_TITLE, plotArea=area,
        legend=known("legendPos", layout=_BOX),
    )  # fmt: skip
    space = known("date1904", "lang", "externalData", "printSettings", chart=chart)
    for element in unread(root, space):
        name = local_name(element)
        if name == "varyColors" and _is_painted(element.getparent()):
            continue  # without effect, and LibreOffice changes it when copying
        if name == "roundedCorners" and element.get("val") in _FALSE:
            continue  # applications write it even if it is off
        yield _place(element, root), element


def unread_of_series(element: _Element, *, drawn_as_line: bool) -> Iterator[tuple[str, _Element]]:
    """Yield the unread elements of a ``c:ser``, each with its location.

    If the series is `drawn_as_line`, its color is that of its line.
    """
    colored = _LINED if drawn_as_line else _FILLED
    tree = {**_SERIES, **colored, "dPt": {**(_SERIES["dPt"] or {}), **colored}}
    for found in unread(element, tree):
        if local_name(found) in _OFF and found.get("val") in ("0", "false"):
            continue
        if local_name(found) == "txPr" and _has_own_letters(found.getparent()):
            continue
        yield _place(found, element), found


def _is_painted(group: _Element | None) -> bool:
    """Return whether every point of a series group has an explicit fill."""
    series = [] if group is None else group.findall(f"{C}ser")
    for each in series:
        counts = [count.get("val", "") for count in each.findall(f"{C}val//{C}ptCount")]
        painted = sum(point.find(f"{C}spPr") is not None for point in each.findall(f"{C}dPt"))
        if counts != [str(painted)]:
            return False
    return bool(series)


def _has_own_letters(label: _Element | None) -> bool:
    """Return whether a label has its own formatted text."""
    return label is not None and label.tag == f"{C}dLbl" and label.find(f"{C}tx") is not None


def _place(element: _Element, root: _Element) -> str:
    """Return the path from a root to an element, with indexes of points and axes."""
    words: list[str] = []
    for parent in element.iterancestors():
        if parent is root:
            break
        number = parent.find(f"{C}idx")
        words.append(f"{local_name(parent)}{'' if number is None else number.get('val')}")
    return "/".join(reversed(words))
