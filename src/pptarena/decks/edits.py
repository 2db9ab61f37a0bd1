"""Edits of slide XML for rendering variants: without a shape, or with transparent text."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from lxml import etree
from lxml.etree import _Element

from pptarena.decks.package.names import A, P, find_path, local_name
from pptarena.decks.read.numbers import int_attribute
from pptarena.decks.read.run_elements import run_elements, run_text
from pptarena.decks.read.shapes import shapes_in

__all__ = ["Spot", "shape_elements", "with_gradients_turned", "without_ink", "without_shape"]

_ROUND, _HALF_ROUND = 21_600_000, 10_800_000  # full and half turn, in 60,000ths of a degree

_INKS = frozenset(
    f"{A}{name}"
    for name in (
        "ln", "noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill", "effectLst",
        "effectDag", "highlight",
    )
)  # fmt: skip
_RUNS = (f"{A}r", f"{A}br", f"{A}fld")


@dataclass(frozen=True, slots=True)
class Spot:
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


def with_gradients_turned(indices: Iterable[int]) -> Callable[[_Element], None]:
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


def without_ink(spots: Iterable[Spot]) -> Callable[[_Element], None]:
    """Return an edit that makes characters transparent without changing the layout."""

    def edit(root: _Element) -> None:
        elements = shape_elements(root)
        for spot in spots:
            for run in _runs(elements[spot.shape], spot):
                _make_clear(run)

    return edit


def _walk(parent: _Element) -> Iterator[_Element]:
    for child in parent:
        for element in shapes_in(child):
            yield element
            if element.tag == f"{P}grpSp":
                yield from _walk(element)


def _runs(element: _Element, spot: Spot) -> Iterator[_Element]:
    body = _body(element, spot.cell)
    for number, paragraph in enumerate(() if body is None else body.iterchildren(f"{A}p")):
        if spot.paragraph not in (None, number):
            continue
        at = 0
        for run in run_elements(paragraph):
            length = len(run_text(run))
            inside = spot.start <= at and (spot.end is None or at < spot.end)
            at += length
            if length and inside and run.tag in _RUNS:
                yield run


def _body(element: _Element, cell: tuple[int, int] | None) -> _Element | None:
    if cell is None:
        return element.find(f"{P}txBody")
    rows = [row.findall(f"{A}tc") for row in element.iter(f"{A}tr")]
    inside = cell[0] < len(rows) and cell[1] < len(rows[cell[0]])
    return rows[cell[0]][cell[1]].find(f"{A}txBody") if inside else None


def _make_clear(run: _Element) -> None:
    properties = run.find(f"{A}rPr")
    if properties is None:
        properties = etree.Element(f"{A}rPr")
        run.insert(0, properties)
    for child in list(properties):
        if child.tag in _INKS:
            properties.remove(child)
    fill = etree.Element(f"{A}solidFill")
    color = etree.SubElement(fill, f"{A}srgbClr", val="000000")
    etree.SubElement(color, f"{A}alpha", val="0")
    properties.insert(0, fill)
    properties.set("u", "none")
    properties.set("strike", "noStrike")
