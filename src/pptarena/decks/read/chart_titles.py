"""Read the titles of charts and axes: text and formatting."""

from collections.abc import Iterator, Mapping, Sequence

from lxml.etree import _Element

from pptarena.decks.facts.chart import Axis, AxisKind, ChartTitle
from pptarena.decks.facts.text import Paragraph, Run
from pptarena.decks.package.names import A, C, children, find_path, local_name
from pptarena.decks.read.numbers import ANGLE, int_attribute, real_number
from pptarena.decks.read.run_elements import line_text, run_text
from pptarena.decks.read.source import PartSource
from pptarena.decks.read.text_values import (
    RunValues,
    paragraph_values,
    run_style,
    run_values,
    split_by_script,
)

__all__ = [
    "chart_number",
    "chart_text",
    "chart_value",
    "default_run_values",
    "is_on",
    "read_axis",
    "read_layout",
    "read_paragraphs",
    "read_title",
]

_KINDS: Mapping[str, AxisKind] = {
    "catAx": "category", "valAx": "value", "dateAx": "date", "serAx": "series",
}  # fmt: skip


def chart_value(parent: _Element | None, name: str, default: str = "") -> str:
    """Return the ``val`` of a child; `default` if the child or value is missing."""
    child = None if parent is None else parent.find(f"{C}{name}")
    return default if child is None else child.get("val") or default


def chart_number(parent: _Element | None, name: str) -> float | None:
    """Return the ``val`` of a child as a finite number; None if missing or invalid."""
    return real_number(chart_value(parent, name))


def is_on(parent: _Element | None, name: str, default: bool = False) -> bool:
    """Return the ``val`` of a child as a boolean; a child without a value means true."""
    child = None if parent is None else parent.find(f"{C}{name}")
    return default if child is None else child.get("val") not in ("0", "false")


def chart_text(element: _Element | None) -> str:
    """Return the text of a ``c:title``, either explicit or taken from a cell."""
    text = find_path(element, f"{C}tx")
    if text is None:
        return ""
    lines = (line_text(paragraph, line_break="") for paragraph in text.iter(f"{A}p"))
    rich_text = "\n".join(lines)
    return rich_text or " ".join(value.text or "" for value in text.iter(f"{C}v"))


def read_axis(element: _Element, root: _Element, source: PartSource) -> Axis | None:
    """Return the facts of an axis such as ``c:valAx``; None for other elements."""
    kind = _KINDS.get(local_name(element))
    if kind is None:
        return None
    scaling = element.find(f"{C}scaling")
    number_format = element.find(f"{C}numFmt")
    code = "" if number_format is None else number_format.get("formatCode") or ""
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
        title_look=read_title(element.find(f"{C}title"), root, source, is_axis=True),
    )


_TITLE_SIZE_PT = 18.0
_TITLE_SCALE = 1.2
_AXIS_SIZE_PT = 10.0


def read_title(
    title: _Element | None, root: _Element, source: PartSource, *, is_axis: bool = False
) -> ChartTitle | None:
    """Return the text and formatting of a ``c:title``; None for no title.

    It inherits the text formatting of the chart part's root.
    """
    if title is None:
        return None
    char_values = _inherited(root, source, is_axis)
    char_values |= default_run_values(title.find(f"{C}txPr"), source)
    rich = find_path(title, f"{C}tx", f"{C}rich")
    paragraphs = read_paragraphs(rich, char_values, source)
    text = chart_text(title)
    if not paragraphs and text:
        paragraphs = (Paragraph(_runs([(text, char_values)], source)),)
    body = title.find(f"{C}txPr") if rich is None else rich
    properties = find_path(body, f"{A}bodyPr")
    shape = title.find(f"{C}spPr")
    first = next((run.style for each in paragraphs for run in each.runs), None)
    return ChartTitle(
        style=run_style(char_values) if first is None else first,
        paragraphs=paragraphs,
        fill=source.paints.fill(shape),
        line=source.paints.line(shape, None),
        place_pct=read_layout(title)[:2],
        rotation_deg=round(((int_attribute(properties, "rot", ANGLE) or 0) / 60_000) % 360, 2),
        vertical="horz" if properties is None else properties.get("vert") or "horz",
        overlay=is_on(title, "overlay"),
    )


def read_paragraphs(
    body: _Element | None, char_values: RunValues, source: PartSource
) -> tuple[Paragraph, ...]:
    """Return the paragraphs of a chart text."""
    return tuple(_paragraph(each, char_values, source) for each in children(body) if each.tag == _P)


def default_run_values(body: _Element | None, source: PartSource) -> RunValues:
    """Return the default run values of the first paragraph of a text body."""
    first = None if body is None else body.find(_P)
    element = find_path(first, f"{A}pPr", f"{A}defRPr")
    return (
        {} if element is None else run_values(element, source.context.colors, source.context.theme)
    )


def read_layout(element: _Element | None) -> tuple[float | None, ...]:
    """Return manual left, top, width and height in percent of the chart; None if automatic."""
    manual = find_path(element, f"{C}layout", f"{C}manualLayout")
    values = (chart_number(manual, name) for name in "xywh")
    return tuple(None if each is None else round(100 * each, 3) for each in values)


_P = f"{A}p"


def _inherited(root: _Element, source: PartSource, is_axis: bool) -> RunValues:
    context = source.context
    values: RunValues = {
        "size_pt": _AXIS_SIZE_PT if is_axis else _TITLE_SIZE_PT,
        "bold": True,
        "font": context.theme.minor_font,
        "color": context.colors.get("tx1", "#000000"),
    }
    chart_values = default_run_values(root.find(f"{C}txPr"), source)
    if "size_pt" in chart_values and not is_axis:
        chart_values["size_pt"] = round(chart_values["size_pt"] * _TITLE_SCALE, 1)
    return {**values, **chart_values}


def _paragraph(element: _Element, char_values: RunValues, source: PartSource) -> Paragraph:
    properties = element.find(f"{A}pPr")
    colors, theme = source.context.colors, source.context.theme
    default = find_path(properties, f"{A}defRPr")
    if default is not None:
        char_values = {**char_values, **run_values(default, colors, theme)}
    align = {} if properties is None else paragraph_values(properties, colors)
    pieces: list[tuple[str, RunValues]] = []
    for text, own in _pieces(element):
        own_values: RunValues = {} if own is None else run_values(own, colors, theme)
        pieces.append((text, {**char_values, **own_values}))
    return Paragraph(_runs(pieces, source), align=align.get("align", "center"))


def _runs(pieces: Sequence[tuple[str, RunValues]], source: PartSource) -> tuple[Run, ...]:
    runs: list[Run] = []
    for parts in split_by_script(pieces, source.context.theme):
        for text, values in parts:
            style = run_style(values)
            if runs and runs[-1].style == style:
                text = runs.pop().text + text
            runs.append(Run(text, style))
    return tuple(runs)


def _pieces(paragraph: _Element) -> Iterator[tuple[str, _Element | None]]:
    for child in paragraph:
        if child.tag in _TEXTS:
            text = run_text(child)
            if text:
                yield text, child.find(f"{A}rPr")


_TEXTS: Mapping[str, None] = dict.fromkeys((f"{A}r", f"{A}br", f"{A}fld"))
