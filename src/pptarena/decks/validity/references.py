"""Check references within a part: relationships, ids and indexes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from lxml.etree import _Element

from pptarena.decks.package.names import DGM, MC, A, C, P, R
from pptarena.decks.package.relationships import Rel
from pptarena.decks.validity.schema import Problem, path_of

__all__ = ["id_problems", "link_problems"]

# Relationship types by element and attribute (ECMA-376 part 1, 12 to 14: "Part Summary").
_KINDS: Mapping[tuple[str, str], tuple[str, ...]] = {
    (f"{P}sldId", f"{R}id"): ("slide",),
    (f"{P}sldMasterId", f"{R}id"): ("slideMaster",),
    (f"{P}sldLayoutId", f"{R}id"): ("slideLayout",),
    (f"{P}notesMasterId", f"{R}id"): ("notesMaster",),
    (f"{P}handoutMasterId", f"{R}id"): ("handoutMaster",),
    (f"{P}oleObj", f"{R}id"): ("oleObject", "package"),
    (f"{C}chart", f"{R}id"): ("chart",),
    (f"{C}externalData", f"{R}id"): ("package", "oleObject"),
    (f"{A}blip", f"{R}embed"): ("image",),
    (f"{A}blip", f"{R}link"): ("image",),
    (f"{A}videoFile", f"{R}link"): ("video",),
    (f"{A}audioFile", f"{R}link"): ("audio",),
    (f"{A}wavAudioFile", f"{R}embed"): ("audio",),
    (f"{DGM}relIds", f"{R}dm"): ("diagramData",),
    (f"{DGM}relIds", f"{R}lo"): ("diagramLayout",),
    (f"{DGM}relIds", f"{R}qs"): ("diagramQuickStyle",),
    (f"{DGM}relIds", f"{R}cs"): ("diagramColors",),
}
_SLIDE_JUMP = "ppaction://hlinksldjump"


def link_problems(root: _Element, part: str, rels: Mapping[str, Rel]) -> Iterator[Problem]:
    """Yield references to missing or wrong relationships."""
    for element in root.iter("*"):
        for name, value in element.attrib.items():
            if str(name).startswith(R):
                reason = _reason(element, str(name), str(value), rels)
                if reason:
                    yield Problem(part, path_of(element), reason)


def _reason(element: _Element, name: str, value: str, rels: Mapping[str, Rel]) -> str | None:
    tag = str(element.tag)
    kinds = _KINDS.get((tag, name), ())
    if not value and (not kinds or tag == f"{A}blip"):
        return None  # normal for action links and diagram layouts
    rel = rels.get(value)
    if rel is None:
        return f"no relationship of the part has the id {value!r}"
    if tag == f"{A}hlinkClick" and element.get("action") == _SLIDE_JUMP:
        kinds = ("slide",)
    if kinds and rel.kind not in kinds:
        return f"the relationship {value!r} is of kind {rel.kind!r}, expected {' or '.join(kinds)}"
    return None


_SHAPES = ("sp", "pic", "graphicFrame", "cxnSp", "grpSp", "contentPart")
_TARGETS = (f"{P}spTgt", f"{P}bldP", f"{P}bldGraphic", f"{P}bldOleChart", f"{P}bldDgm")


def id_problems(root: _Element, part: str) -> Iterator[Problem]:
    """Yield duplicate ids and references to missing ids."""
    for element, reason in _shape_ids(root):
        yield Problem(part, path_of(element), reason, "unusual")  # PptxGenJS 4 writes it
    for element, reason in (
        *_timing(root),
        *_tables(root),
        *_axes(root),
        *_points(root),
    ):
        yield Problem(part, path_of(element), reason)


def _shape_ids(root: _Element) -> Iterator[tuple[_Element, str]]:
    # PowerPoint ignores duplicate ids in layouts and masters, which LibreOffice writes.
    tree = root.find(f"{P}cSld/{P}spTree") if root.tag == f"{P}sld" else None
    if tree is None or not len(tree):
        return
    # Both branches of alternative content share ids. LibreOffice gives the shape tree the id of its
    # first shape, which PowerPoint accepts.
    name_elements = [
        each
        for each in tree.iter(f"{P}cNvPr")
        if each.getparent() is not tree[0]
        and not any(parent.tag == f"{MC}Fallback" for parent in each.iterancestors())
    ]
    counts = Counter(each.get("id") for each in name_elements)
    for each in name_elements:
        if counts[each.get("id")] > 1:
            yield each, f"another shape has the id {each.get('id')}"


def _timing(root: _Element) -> Iterator[tuple[_Element, str]]:
    timing = root.find(f"{P}timing")
    if timing is None:
        return
    shapes = {each.get("id") for each in root.iter(f"{P}cNvPr")}
    for each in timing.iter(*_TARGETS):
        if each.get("spid") not in shapes:
            yield each, f"no shape has the id {each.get('spid')!r}"
    nodes = list(timing.iter(f"{P}cTn"))
    yield from _duplicates(nodes, "id", "another time node")


def _tables(root: _Element) -> Iterator[tuple[_Element, str]]:
    for table in root.iter(f"{A}tbl"):
        columns = len(table.findall(f"{A}tblGrid/{A}gridCol"))
        for row in table.iterchildren(f"{A}tr"):
            cells = row.findall(f"{A}tc")
            if len(cells) != columns:
                yield row, f"expected {columns} cells, one per gridCol, found {len(cells)}"
            for column, cell in enumerate(cells):
                span = _number(cell.get("gridSpan")) or 1
                if span < 1 or column + span > columns:
                    yield cell, f"a cell over {span} columns does not fit into {columns}"


def _axes(root: _Element) -> Iterator[tuple[_Element, str]]:
    for area in root.iter(f"{C}plotArea"):
        axes = [each for each in area if str(each.tag).endswith("Ax")]
        ids = [_value(each.find(f"{C}axId")) for each in axes]
        counts = Counter(ids)
        for axis, number in zip(axes, ids, strict=True):
            if counts[number] > 1:
                yield axis, f"another axis has the id {number}"
            crossing_axis = _value(axis.find(f"{C}crossAx"))
            if crossing_axis is not None and crossing_axis not in counts:
                yield axis, f"it crosses the axis {crossing_axis}, which does not exist"
        for plot in (each for each in area if str(each.tag).endswith("Chart")):
            for axis_id in plot.iterchildren(f"{C}axId"):
                # 3-D charts refer to a third axis with the id 0, which does not exist.
                if _value(axis_id) not in counts and _value(axis_id) != "0":
                    yield axis_id, f"no axis has the id {_value(axis_id)}"


def _points(root: _Element) -> Iterator[tuple[_Element, str]]:
    for cache in root.iter(f"{C}strCache", f"{C}numCache", f"{C}strLit", f"{C}numLit"):
        count = _number(_value(cache.find(f"{C}ptCount")))
        points = cache.findall(f"{C}pt")
        for each in points:
            index = _number(each.get("idx"))
            if count is not None and index is not None and index >= count:
                yield each, f"expected an idx below ptCount ({count}), got {index}"
        yield from _duplicates(points, "idx", "another point")
    for plot in root.iter(f"{C}plotArea"):
        yield from _duplicates([each for each in plot.iter(f"{C}order")], "val", "another series")


def _duplicates(
    elements: Iterable[_Element], name: str, noun: str
) -> Iterator[tuple[_Element, str]]:
    listed = list(elements)
    counts = Counter(each.get(name) for each in listed if each.get(name) is not None)
    for each in listed:
        if counts[each.get(name)] > 1:
            yield each, f"{noun} has the {name} {each.get(name)}"


def _value(element: _Element | None) -> str | None:
    return None if element is None else element.get("val")


def _number(text: str | None) -> int | None:
    try:
        return None if text is None else int(text)
    except ValueError:
        return None
