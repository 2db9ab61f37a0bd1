"""Slides with something left out: a shape, or the ink of some letters."""

from collections.abc import Callable, Iterable, Iterator

from lxml import etree
from lxml.etree import _Element

from pptarena.decks.package.names import MC, A, P, find_path, local_name
from pptarena.rewards.looks.looked import Spot

__all__ = ["shape_elements", "without_ink", "without_shape"]

_SHAPES = frozenset(("sp", "pic", "graphicFrame", "grpSp", "cxnSp", "contentPart"))
_INKS = frozenset(
    f"{A}{name}"
    for name in (
        "ln", "noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill", "effectLst",
        "effectDag", "highlight",
    )
)  # fmt: skip
_NO_RUN_TEXT = {"slidenum": "[slidenum]", "datetime": "[datetime]"}


def shape_elements(root: _Element) -> list[_Element]:
    """Return the elements of all shapes of a slide in the order of `Slide.shapes`."""
    tree = find_path(root, f"{P}cSld", f"{P}spTree")
    return [] if tree is None else list(_walk(tree))


def without_shape(index: int) -> Callable[[_Element], None]:
    """Return an edit that takes a shape, with all that stands in it, off a slide."""

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


def without_ink(spots: Iterable[Spot]) -> Callable[[_Element], None]:
    """Return an edit that makes letters clear; they keep their place, and so do all others."""

    def edit(root: _Element) -> None:
        elements = shape_elements(root)
        for spot in spots:
            for run in _runs(elements[spot.shape], spot):
                _make_clear(run)

    return edit


def _walk(parent: _Element) -> Iterator[_Element]:
    for child in parent:
        if child.tag == f"{MC}AlternateContent":
            branches = ([e for e in each if local_name(e) in _SHAPES] for each in child)
            found = next((branch for branch in branches if branch), [])
        else:
            found = [child] if local_name(child) in _SHAPES else []
        for element in found:
            yield element
            if element.tag == f"{P}grpSp":
                yield from _walk(element)


def _runs(element: _Element, spot: Spot) -> Iterator[_Element]:
    body = _body(element, spot.cell)
    if body is None:
        return
    for number, paragraph in enumerate(body.iterchildren(f"{A}p")):
        if spot.paragraph not in (None, number):
            continue
        at = 0
        for run in paragraph:
            length = _length(run)
            inside = spot.start <= at and (spot.end is None or at < spot.end)
            at += length
            if length and inside:
                yield run


def _body(element: _Element, cell: tuple[int, int] | None) -> _Element | None:
    if cell is None:
        return element.find(f"{P}txBody")
    rows = list(element.iter(f"{A}tr"))
    if cell[0] >= len(rows):
        return None
    cells = rows[cell[0]].findall(f"{A}tc")
    return cells[cell[1]].find(f"{A}txBody") if cell[1] < len(cells) else None


def _length(run: _Element) -> int:
    if run.tag == f"{A}br":
        return 1
    if run.tag in (f"{A}r", f"{A}fld"):
        kind = run.get("type") or ""
        for known, text in _NO_RUN_TEXT.items():
            if kind.startswith(known):
                return len(text)
        return len(run.findtext(f"{A}t") or "")
    return 0


def _make_clear(run: _Element) -> None:
    properties = run.find(f"{A}rPr")
    if properties is None:
        properties = etree.Element(f"{A}rPr")
        run.insert(0, properties)
    for child in list(properties):
        if child.tag in _INKS:
            properties.remove(child)
    fill = etree.Element(f"{A}solidFill")
    color = etree.SubElement(fill, f"{A}srgbClr")
    color.set("val", "000000")
    etree.SubElement(color, f"{A}alpha").set("val", "0")
    properties.insert(0, fill)
    properties.set("u", "none")
    properties.set("strike", "noStrike")
