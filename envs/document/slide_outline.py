"""A slide in a few lines, with the ids that tools use for its shapes."""

from dataclasses import dataclass
from typing import Any, Final

from pptx.oxml.ns import qn

from pptarena.envs.charset import sanitize

__all__ = ["SHAPE_TAGS", "SlideOutline", "shape_box_cm", "shape_type", "slide_outline"]

_P_CNVPR = qn("p:cNvPr")
_P_GRPSP = qn("p:grpSp")
_P_PH = qn("p:ph")
_P_GRAPHICFRAME = qn("p:graphicFrame")
_A_TBL = qn("a:tbl")
_A_TR = qn("a:tr")
_A_TC = qn("a:tc")
_C_CHART = qn("c:chart")
_P_SP = qn("p:sp")
_A_P = qn("a:p")
_A_T = qn("a:t")
_A_XFRM = qn("a:xfrm")
_P_XFRM = qn("p:xfrm")
_A_OFF = qn("a:off")
_A_EXT = qn("a:ext")
_P_PIC = qn("p:pic")
_P_CXNSP = qn("p:cxnSp")

_EMU_PER_CM = 360_000
_TEXT_MAX = 120
_LINES_MAX = 60
_KINDS = {
    _P_SP: "shape",
    _P_PIC: "picture",
    _P_GRAPHICFRAME: "graphic",
    _P_CXNSP: "line",
    _P_GRPSP: "group",
}
SHAPE_TAGS: Final = tuple(_KINDS)
"""The tags of all shape elements."""


@dataclass(frozen=True, slots=True)
class SlideOutline:
    """The outline of a slide.

    Attributes:
        head: Text after the slide's number and id.
        lines: One line per shape.
        shapes: Number of shapes.
    """

    head: str
    lines: tuple[str, ...]
    shapes: int


def slide_outline(slide: Any) -> SlideOutline:
    """Return the outline of a python-pptx slide."""
    root = slide._element
    head = f"layout {slide.slide_layout.name!r}"
    head += ", hidden" if root.get("show") in ("0", "false") else ""
    head += ", with notes" if slide.has_notes_slide else ""
    elements = list(root.cSld.spTree.iterdescendants(*_KINDS))
    lines = [_line(element) for element in elements[:_LINES_MAX]]
    if len(elements) > _LINES_MAX:
        lines.append(f"  and {len(elements) - _LINES_MAX} more shapes")
    return SlideOutline(sanitize(head, 300), tuple(lines), len(elements))


def _line(element: Any) -> str:
    """Return the line of a shape, ``[3] title 'Summary' at 1.0, 2.0 size 20.0 x 3.0 cm``."""
    properties = next(element.iter(_P_CNVPR), None)
    number = "?" if properties is None else properties.get("id", "?")
    prefix = f"  [{number}] {shape_type(element)}"
    name = "" if properties is None else properties.get("name", "")
    text = " / ".join(_paragraphs(element)) if element.tag != _P_GRPSP else ""
    if len(text) > _TEXT_MAX:
        text = text[: _TEXT_MAX - 1] + "…"
    label = repr(text) if text else f"named {name!r}"
    return sanitize(f"{prefix} {label}{_position_text(element)}", 400)


def shape_type(element: Any) -> str:
    """Return the type of a shape, such as ``"title"``, ``"text box"`` or ``"table of 3 x 2"``."""
    placeholder = next(element.iter(_P_PH), None)
    if placeholder is not None and element.tag != _P_GRPSP:
        kind = str(placeholder.get("type", "obj"))
        return {"ctrTitle": "title", "obj": "body"}.get(kind, kind)
    if element.tag == _P_GRAPHICFRAME:
        table = next(element.iter(_A_TBL), None)
        if table is not None:
            rows = table.findall(_A_TR)
            columns = len(rows[0].findall(_A_TC)) if rows else 0
            return f"table of {len(rows)} x {columns}"
        if next(element.iter(_C_CHART), None) is not None:
            return "chart"
    if element.tag == _P_SP:
        text_box = element.find(f"{qn('p:nvSpPr')}/{qn('p:cNvSpPr')}")
        return "text box" if text_box is not None and text_box.get("txBox") == "1" else "shape"
    return _KINDS[str(element.tag)]


def _paragraphs(element: Any) -> list[str]:
    texts = []
    remaining = _TEXT_MAX
    for paragraph in element.iter(_A_P):
        text = "".join(run.text or "" for run in paragraph.iter(_A_T))
        if text:
            texts.append(text)
            remaining -= len(text)
        if remaining < 0:
            break
    return texts


def _position_text(element: Any) -> str:
    box = shape_box_cm(element)
    if box is None:
        return ""
    left, top, width, height = box
    return f" at {left}, {top} size {width} x {height} cm"


def shape_box_cm(element: Any) -> tuple[float, float, float, float] | None:
    """Return left, top, width and height of a shape in centimeters; None if it has none."""
    transform = next(element.iter(_A_XFRM, _P_XFRM), None)
    offset = None if transform is None else transform.find(_A_OFF)
    extent = None if transform is None else transform.find(_A_EXT)
    if offset is None or extent is None:
        return None
    try:
        numbers = [int(offset.get(k, "0")) for k in "xy"]
        numbers += [int(extent.get(k, "0")) for k in ("cx", "cy")]
    except ValueError:
        return None
    left, top, width, height = (round(number / _EMU_PER_CM, 1) for number in numbers)
    return left, top, width, height
