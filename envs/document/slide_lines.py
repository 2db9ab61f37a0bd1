"""Short lines about a slide and its shapes for the view `compact`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pptx.oxml.ns import qn

from pptarena.envs.document.slide_outline import SHAPE_TAGS, shape_box_cm, shape_type

__all__ = ["ShapeLine", "SlideLines", "slide_lines"]

_A_P, _A_T, _A_TBL, _A_TR, _A_TC = (qn(f"a:{tag}") for tag in ("p", "t", "tbl", "tr", "tc"))
_C_CHART, _R_ID = qn("c:chart"), qn("r:id")
_P_CNVPR = qn("p:cNvPr")
_TEXT_MAX = 56
_PARTS_MAX = 40
_SHAPES_MAX = 200
_OMITTED_TYPES = ("sldNum", "dt")


@dataclass(frozen=True, slots=True)
class ShapeLine:
    """A shape.

    Attributes:
        id: Its id in the file.
        summary: Type, text and position in short.
        text: All text by which an instruction can mention the shape.
        parts: Locations within the shape and their text, such as ``("paragraph 3", "Summary")``.
    """

    id: str
    summary: str
    text: str
    parts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SlideLines:
    """A slide.

    Attributes:
        title: The text of its title, on one line.
        layout: The name of its layout.
        hidden: Whether the slide is hidden in the show.
        shapes: The placeholders, then the other shapes from left to right.
    """

    title: str
    layout: str
    hidden: bool
    shapes: tuple[ShapeLine, ...]


def slide_lines(slide: Any) -> SlideLines:
    """Return the lines of a python-pptx slide, without slide number and date."""
    root = slide._element
    elements = list(root.cSld.spTree.iterdescendants(*SHAPE_TAGS))[:_SHAPES_MAX]
    shapes = [
        _shape(slide.part, element)
        for element in elements
        if shape_type(element) not in _OMITTED_TYPES
    ]
    shapes.sort(key=lambda entry: entry[0])
    title = next((line.text for _, line in shapes if line.summary.startswith("title")), "")
    return SlideLines(
        title,
        slide.slide_layout.name,
        root.get("show") in ("0", "false"),
        tuple(line for _, line in shapes),
    )


def _shape(part: Any, element: Any) -> tuple[tuple[Any, ...], ShapeLine]:
    """Return the sort key of a shape and its line."""
    properties = next(element.iter(_P_CNVPR), None)
    kind, box = shape_type(element), shape_box_cm(element)
    is_placeholder = next(element.iter(qn("p:ph")), None) is not None
    parts = tuple(_parts(part, element))[:_PARTS_MAX] if kind != "group" else ()
    text = " / ".join(part_text for _, part_text in parts)
    excerpt = text if len(text) <= _TEXT_MAX else f"{text[: _TEXT_MAX - 1]}…"
    summary = f'{kind} "{excerpt}"' if excerpt else kind
    summary += f" ({len(parts)} paragraphs)" if kind == "body" and len(parts) > 1 else ""
    if box is not None and not is_placeholder:
        summary += f" at {box[0]:g},{box[1]:g}"
        summary += f" size {box[2]:g}x{box[3]:g}" if kind == "picture" else ""
    name = "" if properties is None else properties.get("name", "")
    shape_id = "?" if properties is None else properties.get("id", "?")
    left, top = (0.0, 0.0) if box is None or is_placeholder else box[:2]
    sort_key = (not is_placeholder, kind != "title", left, top)
    return sort_key, ShapeLine(shape_id, summary, text or name, parts)


def _parts(part: Any, element: Any) -> Iterator[tuple[str, str]]:
    table, chart = next(element.iter(_A_TBL), None), next(element.iter(_C_CHART), None)
    if table is not None:
        yield from _table_parts(table)
    elif chart is not None:
        yield from _chart_parts(part, chart.get(_R_ID))
    else:
        for number, paragraph in enumerate(element.iter(_A_P), start=1):
            if text := _text(paragraph):
                yield f"paragraph {number}", text


def _table_parts(table: Any) -> Iterator[tuple[str, str]]:
    """Yield the first row, then the first cell of every other row."""
    for number, row in enumerate(table.findall(_A_TR), start=1):
        for column, cell in enumerate(row.findall(_A_TC), start=1):
            if number == 1 or column == 1:
                yield f"row {number} column {column}", _text(cell)


def _chart_parts(part: Any, relation: str | None) -> Iterator[tuple[str, str]]:
    """Yield the title of a chart and the names of its series."""
    if relation is None or relation not in part.rels:
        return
    chart = part.related_part(relation)._element
    for title in chart.findall(f"{_C_CHART}/{qn('c:title')}"):
        yield "title", _text(title)
    for series in chart.iter(qn("c:tx")):
        if name := next((value.text for value in series.iter(qn("c:v")) if value.text), ""):
            yield "series", name


def _text(element: Any) -> str:
    return " ".join("".join(run.text or "" for run in element.iter(_A_T)).split())
