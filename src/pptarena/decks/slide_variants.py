"""Edits of slide XML that render a slide without a shape or with transparent text."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from lxml import etree
from lxml.etree import _Element

from pptarena.decks.package.names import A, P, find_path, local_name
from pptarena.decks.read.numbers import int_attribute
from pptarena.decks.read.run_elements import run_elements, run_text
from pptarena.decks.read.shapes import shapes_in

__all__ = [
    "TextRange",
    "shape_elements",
    "with_rotated_gradients",
    "with_transparent_text",
    "without_shape",
]

_ROUND, _HALF_ROUND = 21_600_000, 10_800_000  # full and half turn, in 60,000ths of a degree

_VISIBLE_PROPERTIES = frozenset(
    f"{A}{name}"
    for name in (
        "ln", "noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill", "effectLst",
        "effectDag", "highlight",
    )
)  # fmt: skip
_RUNS = (f"{A}r", f"{A}br", f"{A}fld")


@dataclass(frozen=True, slots=True)
class TextRange:
    """A range of characters on a slide.

    Attributes:
        shape: Index of the shape.
        cell: Row and column in its table, from 0; None for the shape's own text.
        paragraph: Index of the paragraph; None for all paragraphs.
        start: Index of the first character in the paragraph.
        end: Index after the last character; None for the end of the paragraph.
    """

    shape: int
    cell: tuple[int, int] | None = None
    paragraph: int | None = None
    start: int = 0
    end: int | None = None


def shape_elements(root: _Element) -> list[_Element]:
    """Return the elements of all shapes of a slide, in the order of `Slide.shapes`."""
    tree = find_path(root, f"{P}cSld", f"{P}spTree")
    return [] if tree is None else list(_walk(tree))


def without_shape(index: int) -> Callable[[_Element], None]:
    """Return an edit that removes a shape and its members from a slide."""

    def edit(root: _Element) -> None:
        element = shape_elements(root)[index]
        parent = element.getparent()
        while parent is not None and local_name(parent) in ("Choice", "Fallback"):
            element, parent = parent, parent.getparent()
        if local_name(element) in ("Choice", "Fallback") and parent is not None:
            element, parent = parent, parent.getparent()
        if parent is not None:
            parent.remove(element)

    return edit


def with_rotated_gradients(indices: Iterable[int]) -> Callable[[_Element], None]:
    """Return an edit that rotates the linear gradients of shapes by 180 degrees."""

    def edit(root: _Element) -> None:
        elements = shape_elements(root)
        for index in indices:
            properties = next((e for e in elements[index] if local_name(e) == "spPr"), None)
            line = None if properties is None else find_path(properties, f"{A}gradFill", f"{A}lin")
            if line is not None:
                angle = (int_attribute(line, "ang") or 0) + _HALF_ROUND
                line.set("ang", str(angle % _ROUND))

    return edit


def with_transparent_text(ranges: Iterable[TextRange]) -> Callable[[_Element], None]:
    """Return an edit that makes characters transparent without changing the layout."""

    def edit(root: _Element) -> None:
        elements = shape_elements(root)
        for text_range in ranges:
            for run in _runs(elements[text_range.shape], text_range):
                _make_transparent(run)

    return edit


def _walk(parent: _Element) -> Iterator[_Element]:
    for child in parent:
        for element in shapes_in(child):
            yield element
            if element.tag == f"{P}grpSp":
                yield from _walk(element)


def _runs(element: _Element, text_range: TextRange) -> Iterator[_Element]:
    body = _body(element, text_range.cell)
    for number, paragraph in enumerate(() if body is None else body.iterchildren(f"{A}p")):
        if text_range.paragraph not in (None, number):
            continue
        position = 0
        for run in run_elements(paragraph):
            length = len(run_text(run))
            is_inside = text_range.start <= position and (
                text_range.end is None or position < text_range.end
            )
            position += length
            if length and is_inside and run.tag in _RUNS:
                yield run


def _body(element: _Element, cell: tuple[int, int] | None) -> _Element | None:
    if cell is None:
        return element.find(f"{P}txBody")
    rows = [row.findall(f"{A}tc") for row in element.iter(f"{A}tr")]
    exists = cell[0] < len(rows) and cell[1] < len(rows[cell[0]])
    return rows[cell[0]][cell[1]].find(f"{A}txBody") if exists else None


def _make_transparent(run: _Element) -> None:
    properties = run.find(f"{A}rPr")
    if properties is None:
        properties = etree.Element(f"{A}rPr")
        run.insert(0, properties)
    for child in list(properties):
        if child.tag in _VISIBLE_PROPERTIES:
            properties.remove(child)
    fill = etree.Element(f"{A}solidFill")
    color = etree.SubElement(fill, f"{A}srgbClr", val="000000")
    etree.SubElement(color, f"{A}alpha", val="0")
    properties.insert(0, fill)
    properties.set("u", "none")
    properties.set("strike", "noStrike")
