"""Read the axes of charts and simple chart values."""

from collections.abc import Mapping

from lxml.etree import _Element

from pptarena.decks.facts.chart import Axis, AxisKind
from pptarena.decks.package.names import A, C, find_path, local_name
from pptarena.decks.read.line_text import line_text
from pptarena.decks.read.numbers import real_number

__all__ = ["chart_number", "chart_text", "chart_value", "is_on", "read_axis"]

_KINDS: Mapping[str, AxisKind] = {
    "catAx": "category", "valAx": "value", "dateAx": "date", "serAx": "series",
}  # fmt: skip


def chart_value(parent: _Element | None, name: str, usual: str = "") -> str:
    """Return the ``val`` of a child; `usual` if the child or value is missing."""
    child = None if parent is None else parent.find(f"{C}{name}")
    return usual if child is None else child.get("val") or usual


def chart_number(parent: _Element | None, name: str) -> float | None:
    """Return the ``val`` of a child as a finite number; None if missing or invalid."""
    return real_number(chart_value(parent, name))


def is_on(parent: _Element | None, name: str, usual: bool = False) -> bool:
    """Return the ``val`` of a child as a boolean; a child without a value means true."""
    child = None if parent is None else parent.find(f"{C}{name}")
    return usual if child is None else child.get("val") not in ("0", "false")


def chart_text(element: _Element | None) -> str:
    """Return the text of a ``c:title``, either explicit or taken from a cell."""
    text = find_path(element, f"{C}tx")
    if text is None:
        return ""
    lines = (line_text(paragraph, line_break="") for paragraph in text.iter(f"{A}p"))
    found = "\n".join(lines)
    return found or " ".join(value.text or "" for value in text.iter(f"{C}v"))


def read_axis(element: _Element) -> Axis | None:
    """Return the facts of an axis such as ``c:valAx``; None for other elements."""
    kind = _KINDS.get(local_name(element))
    if kind is None:
        return None
    scaling = element.find(f"{C}scaling")
    form = element.find(f"{C}numFmt")
    code = "" if form is None else form.get("formatCode") or ""
    return Axis(
        kind=kind,
        title=chart_text(element.find(f"{C}title")),
        minimum=chart_number(scaling, "min"),
        maximum=chart_number(scaling, "max"),
        number_format="" if code == "General" else code,
        hidden=is_on(element, "delete"),
        gridlines=element.find(f"{C}majorGridlines") is not None,
        minor_gridlines=element.find(f"{C}minorGridlines") is not None,
        major_unit=chart_number(element, "majorUnit"),
        reversed=chart_value(scaling, "orientation") == "maxMin",
        log_base=chart_number(scaling, "logBase"),
        labels=chart_value(element, "tickLblPos", "nextTo"),
        side=chart_value(element, "axPos"),
    )
