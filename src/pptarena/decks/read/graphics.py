"""Read graphic frames: tables, charts, diagrams, embedded files and others."""

import hashlib
from collections.abc import Mapping
from typing import Any

from lxml.etree import _Element

from pptarena.decks.facts.chart import Chart
from pptarena.decks.facts.content import Embedded, SmartArt
from pptarena.decks.package.archive import Archive
from pptarena.decks.package.names import DGM, A, C, P, R, children, find_path, local_name
from pptarena.decks.package.package import Package
from pptarena.decks.read.charts import read_chart
from pptarena.decks.read.numbers import int_attribute
from pptarena.decks.read.pictures import read_picture
from pptarena.decks.read.run_elements import line_text
from pptarena.decks.read.source import PartSource
from pptarena.decks.read.tables import read_table
from pptarena.decks.read.text import text_cost
from pptarena.decks.read.unread import TABLE, Fingerprints, unread
from pptarena.errors import DeckError

__all__ = ["graphic_details", "read_smart_art"]

_MAX_PACKAGE_BYTES = 32 * 2**20
# Cost of an empty cell, in units of one tag or attribute.
_CELL_COST = 50
# Parts of office files that every save changes.
_VOLATILE_MEMBERS = ("docProps/", "meta.xml", "settings.xml", "Thumbnails/", "_rels/")


def graphic_details(element: _Element, source: PartSource) -> dict[str, Any]:
    """Return the fields of `Shape` that are specific to a ``p:graphicFrame``."""
    data = find_path(element, f"{A}graphic", f"{A}graphicData")
    details: dict[str, Any] = {"kind": "graphic", "geometry": ""}
    if data is None:
        return details
    table = data.find(f"{A}tbl")
    if table is not None:
        source.package.spend(_CELL_COST * sum(1 for _ in table.iter(f"{A}tc")))
        source.package.spend(sum(map(text_cost, table.iter(f"{A}txBody"))))
        unread_elements = [each for each in unread(table, TABLE) if not _is_empty(each)]
        fingerprint = source.fingerprints.elements(unread_elements, source.name)
        return details | {
            "kind": "table",
            "table": read_table(table, source),
            "fingerprint": fingerprint,
        }
    chart = data.find(f"{C}chart")
    if chart is not None:
        return details | {"kind": "chart", "chart": _chart(chart.get(f"{R}id") or "", source)}
    diagram = read_smart_art(data, source.package, source.name, source.fingerprints)
    if diagram is not None:
        return details | {"smart_art": diagram}
    ole = next(data.iter(f"{P}oleObj"), None)
    if ole is not None:
        return details | _embedded(data, ole, source)
    kind = str(data.get("uri"))
    return details | {"fingerprint": f"{kind} {source.fingerprints.elements([data], source.name)}"}


def _is_empty(element: _Element) -> bool:
    """Return whether an element draws nothing, such as a diagonal cell border without a fill."""
    return len(element) == 0 or element.find(f"{A}noFill") is not None


def _chart(rel_id: str, source: PartSource) -> Chart | None:
    part = source.package.target(source.name, rel_id)
    try:
        return None if part is None else read_chart(source.package.xml(part), part, source)
    except DeckError:
        # Applications show an empty frame for an unreadable chart.
        return None


def _embedded(data: _Element, ole: _Element, source: PartSource) -> dict[str, Any]:
    rel = source.package.rels(source.name).get(ole.get(f"{R}id") or "")
    digest = linked = ""
    if rel is not None and (rel.external or rel.target not in source.package):
        linked = rel.target
    elif rel is not None:
        target = rel.target
        key = ("embedded", target)
        digest = source.package.shared(key, lambda: _content_digest(source, target))
    picture = next(data.iter(f"{P}pic"), None)
    preview = None
    if picture is not None:
        preview = read_picture(picture, source.package, source.name, source.context.colors)
    program = ole.get("progId") or ""
    return {"embedded": Embedded(program, digest, linked), "picture": preview}


def _content_digest(source: PartSource, name: str) -> str:
    """Return the digest of an embedded file; for a zip file, of its members."""
    data = source.package.digest(name)
    if source.package.size(name) > _MAX_PACKAGE_BYTES:
        return data
    try:
        members = Archive(source.package.read(name)).entries.values()
    except DeckError:
        return data
    entries = sorted(
        f"{each.name} {each.size} {each.crc:08x}"
        for each in members
        if not any(volatile in each.name for volatile in _VOLATILE_MEMBERS)
    )
    return hashlib.sha256("\n".join(entries).encode()).hexdigest()


_MAX_NODES = 5_000
_NODES = frozenset(("node", "asst"))
_STYLE_RELS = ("lo", "qs", "cs")


def read_smart_art(
    data: _Element, package: Package, part: str, fingerprints: Fingerprints
) -> SmartArt | None:
    """Return the diagram of an ``a:graphicData``; None for other content.

    The text is read from the data model. If that is missing or broken, it is read from the cached
    drawing, and all levels are 0.
    """
    ids = data.find(f"{DGM}relIds")
    if ids is None:
        return None
    model, definition = (
        package.xml_or_none(package.target(part, ids.get(f"{R}{name}"))) for name in ("dm", "lo")
    )
    digests = [fingerprints.target(part, ids.get(f"{R}{name}") or "") for name in _STYLE_RELS]
    nodes = () if model is None else _nodes(model)
    return SmartArt(
        layout=_layout(model, definition),
        nodes=nodes or _drawing_texts(package, part, model),
        fingerprint=" ".join(digest[:16] for digest in digests if digest),
    )


def _layout(model: _Element | None, definition: _Element | None) -> str:
    """Return the name of the layout: the last segment of its URI."""
    uri = "" if definition is None else definition.get("uniqueId") or ""
    if not uri and model is not None:
        for point in model.iterfind(f"{DGM}ptLst/{DGM}pt"):
            properties = point.find(f"{DGM}prSet")
            if point.get("type") == "doc" and properties is not None:
                uri = properties.get("loTypeId") or ""
    return uri.rstrip("/").rpartition("/")[2]


def _nodes(model: _Element) -> tuple[tuple[int, str], ...]:
    """Return level and text of the nodes, in depth-first order from the document node."""
    points = {each.get("modelId") or "": each for each in model.iterfind(f"{DGM}ptLst/{DGM}pt")}
    children_of = _children(model)
    roots = [name for name, point in points.items() if point.get("type") == "doc"]
    stack = [(name, -1) for name in reversed(roots)]
    nodes: list[tuple[int, str]] = []
    visited: set[str] = set()
    while stack and len(nodes) < _MAX_NODES:
        name, level = stack.pop()
        point = points.get(name)
        if point is None or name in visited:
            # In a hostile file, connections may form cycles.
            continue
        visited.add(name)
        if level >= 0 and (point.get("type") or "node") in _NODES:
            nodes.append((level, _text(point)))
        stack.extend((child, level + 1) for child in reversed(children_of.get(name, ())))
    return tuple(nodes)


def _children(model: _Element) -> Mapping[str, list[str]]:
    by_parent: dict[str, list[tuple[int, str]]] = {}
    for each in model.iterfind(f"{DGM}cxnLst/{DGM}cxn"):
        if (each.get("type") or "parOf") == "parOf":
            entry = (int_attribute(each, "srcOrd") or 0, each.get("destId") or "")
            by_parent.setdefault(each.get("srcId") or "", []).append(entry)
    return {name: [child for _, child in sorted(entries)] for name, entries in by_parent.items()}


def _text(element: _Element) -> str:
    body = next((each for each in element if local_name(each) in ("t", "txBody")), None)
    return "\n".join(line_text(each) for each in children(body) if each.tag == f"{A}p")


def _drawing_texts(
    package: Package, part: str, model: _Element | None
) -> tuple[tuple[int, str], ...]:
    """Return the texts of the cached drawing."""
    drawing_id = ""
    if model is not None:
        for each in model.iter():
            if local_name(each) == "dataModelExt":
                drawing_id = each.get("relId") or ""
    drawing_ids = [id for id, rel in package.rels(part).items() if rel.kind == "diagramDrawing"]
    if drawing_id not in drawing_ids:
        # Without a reference, the drawing is unambiguous only if there is exactly one.
        drawing_id = drawing_ids[0] if len(drawing_ids) == 1 else ""
    root = package.xml_or_none(package.target(part, drawing_id))
    if root is None:
        return ()
    shapes = (each for each in root.iter() if local_name(each) == "sp")
    texts = (_text(shape) for shape in shapes)
    return tuple((0, text) for text in texts if text.strip())[:_MAX_NODES]
