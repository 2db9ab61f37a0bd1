"""Read graphic frames: tables, charts, diagrams, embedded files and others."""

import hashlib
from typing import Any

from lxml.etree import _Element

from pptarena.decks.facts.chart import Chart
from pptarena.decks.facts.content import Embedded
from pptarena.decks.package.archive import Archive
from pptarena.decks.package.names import A, C, P, R, find_path
from pptarena.decks.read.charts import read_chart
from pptarena.decks.read.diagrams import read_smart_art
from pptarena.decks.read.pictures import read_picture
from pptarena.decks.read.source import PartSource
from pptarena.decks.read.tables import TableReader
from pptarena.decks.read.text import text_cost
from pptarena.decks.read.unread import TABLE, unread
from pptarena.errors import DeckError

__all__ = ["graphic_details"]

_MAX_PACKAGE_BYTES = 32 * 2**20
# Cost of an empty cell, in units of one tag or attribute.
_CELL_COST = 50
# Parts of office files that every save changes.
_CLOCKS = ("docProps/", "meta.xml", "settings.xml", "Thumbnails/", "_rels/")


def graphic_details(element: _Element, source: PartSource) -> dict[str, Any]:
    """Return the fields of `Shape` that are specific to a ``p:graphicFrame``."""
    data = find_path(element, f"{A}graphic", f"{A}graphicData")
    found: dict[str, Any] = {"kind": "graphic", "geometry": ""}
    if data is None:
        return found
    table = data.find(f"{A}tbl")
    if table is not None:
        deck = source.deck
        source.package.spend(_CELL_COST * sum(1 for _ in table.iter(f"{A}tc")))
        source.package.spend(sum(map(text_cost, table.iter(f"{A}txBody"))))
        reader = TableReader(source.context, source.painter, source.texts, deck.table_styles)
        rest = [each for each in unread(table, TABLE) if not _is_empty(each)]
        fingerprint = source.fingerprints.elements(rest, source.name)
        return found | {"kind": "table", "table": reader.read(table), "fingerprint": fingerprint}
    chart = data.find(f"{C}chart")
    if chart is not None:
        return found | {"kind": "chart", "chart": _chart(chart.get(f"{R}id") or "", source)}
    diagram = read_smart_art(data, source.package, source.name, source.fingerprints)
    if diagram is not None:
        return found | {"smart_art": diagram}
    ole = next(data.iter(f"{P}oleObj"), None)
    if ole is not None:
        return found | _embedded(data, ole, source)
    kind = str(data.get("uri"))
    return found | {"fingerprint": f"{kind} {source.fingerprints.elements([data], source.name)}"}


def _is_empty(element: _Element) -> bool:
    """Return whether an element draws nothing, such as a diagonal cell border without a fill."""
    return len(element) == 0 or element.find(f"{A}noFill") is not None


def _chart(rel_id: str, source: PartSource) -> Chart | None:
    rel = source.package.rels(source.name).get(rel_id)
    if rel is None or rel.external or rel.target not in source.package:
        return None
    try:
        return read_chart(source.package.xml(rel.target), rel.target, source)
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
    still = None
    if picture is not None:
        still = read_picture(picture, source.package, source.name, source.context.colors)
    program = ole.get("progId") or ""
    return {"embedded": Embedded(program, digest, linked), "picture": still}


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
        if not any(clock in each.name for clock in _CLOCKS)
    )
    return hashlib.sha256("\n".join(entries).encode()).hexdigest()
