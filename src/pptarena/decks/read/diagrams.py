"""Read the text of SmartArt diagrams."""

from collections.abc import Mapping

from lxml.etree import _Element

from pptarena.decks.facts.content import SmartArt
from pptarena.decks.package.names import DGM, A, R, children, local_name
from pptarena.decks.package.package import Package
from pptarena.decks.read.fingerprint import Fingerprints
from pptarena.decks.read.line_text import line_text
from pptarena.decks.read.numbers import int_attribute
from pptarena.errors import DeckError

__all__ = ["read_smart_art"]

_MAX_NODES = 5_000
_NODES = frozenset(("node", "asst"))
_LOOKS = ("lo", "qs", "cs")


def read_smart_art(
    data: _Element, package: Package, part: str, fingerprints: Fingerprints
) -> SmartArt | None:
    """Return the diagram of an ``a:graphicData``; None for other content.

    The text is read from the data model. If that is missing or broken, it is read from the cached
    drawing, and all levels are 0.

    Args:
        data: The element.
        package: The file.
        part: Name of the part that contains the element.
        fingerprints: Computes digests of content that is not read.
    """
    ids = data.find(f"{DGM}relIds")
    if ids is None:
        return None
    model = _root(package, part, ids.get(f"{R}dm") or "")
    looks = [fingerprints.target(part, ids.get(f"{R}{name}") or "") for name in _LOOKS]
    nodes = () if model is None else _nodes(model)
    return SmartArt(
        layout=_layout(model, _root(package, part, ids.get(f"{R}lo") or "")),
        nodes=nodes or _drawn(package, part, model),
        fingerprint=" ".join(look[:16] for look in looks if look),
    )


def _root(package: Package, part: str, rel_id: str) -> _Element | None:
    rel = package.rels(part).get(rel_id)
    if rel is None or rel.external or rel.target not in package:
        return None
    try:
        return package.xml(rel.target)
    except DeckError:
        # The other parts of the diagram are still read.
        return None


def _layout(model: _Element | None, definition: _Element | None) -> str:
    """Return the name of the layout: the last segment of its URI."""
    found = "" if definition is None else definition.get("uniqueId") or ""
    if not found and model is not None:
        for point in model.iterfind(f"{DGM}ptLst/{DGM}pt"):
            properties = point.find(f"{DGM}prSet")
            if point.get("type") == "doc" and properties is not None:
                found = properties.get("loTypeId") or ""
    return found.rstrip("/").rpartition("/")[2]


def _nodes(model: _Element) -> tuple[tuple[int, str], ...]:
    """Return level and text of the nodes, in depth-first order from the document node."""
    points = {each.get("modelId") or "": each for each in model.iterfind(f"{DGM}ptLst/{DGM}pt")}
    below = _children(model)
    roots = [name for name, point in points.items() if point.get("type") == "doc"]
    stack = [(name, -1) for name in reversed(roots)]
    found: list[tuple[int, str]] = []
    seen: set[str] = set()
    while stack and len(found) < _MAX_NODES:
        name, level = stack.pop()
        point = points.get(name)
        if point is None or name in seen:
            # In a hostile file, connections may form cycles.
            continue
        seen.add(name)
        if level >= 0 and (point.get("type") or "node") in _NODES:
            found.append((level, _text(point)))
        stack.extend((child, level + 1) for child in reversed(below.get(name, ())))
    return tuple(found)


def _children(model: _Element) -> Mapping[str, list[str]]:
    found: dict[str, list[tuple[int, str]]] = {}
    for each in model.iterfind(f"{DGM}cxnLst/{DGM}cxn"):
        if (each.get("type") or "parOf") == "parOf":
            entry = (int_attribute(each, "srcOrd") or 0, each.get("destId") or "")
            found.setdefault(each.get("srcId") or "", []).append(entry)
    return {name: [child for _, child in sorted(entries)] for name, entries in found.items()}


def _text(element: _Element) -> str:
    body = next((each for each in element if local_name(each) in ("t", "txBody")), None)
    return "\n".join(line_text(each) for each in children(body) if each.tag == f"{A}p")


def _drawn(package: Package, part: str, model: _Element | None) -> tuple[tuple[int, str], ...]:
    """Return the texts of the cached drawing."""
    wanted = ""
    if model is not None:
        for each in model.iter():
            if local_name(each) == "dataModelExt":
                wanted = each.get("relId") or ""
    found = [rel_id for rel_id, rel in package.rels(part).items() if rel.kind == "diagramDrawing"]
    if wanted not in found:
        # Without a reference, the drawing is unambiguous only if there is exactly one.
        wanted = found[0] if len(found) == 1 else ""
    root = _root(package, part, wanted)
    if root is None:
        return ()
    shapes = (each for each in root.iter() if local_name(each) == "sp")
    texts = (_text(shape) for shape in shapes)
    return tuple((0, text) for text in texts if text.strip())[:_MAX_NODES]
