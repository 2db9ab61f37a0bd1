"""Reading the shapes of a slide."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from lxml.etree import _Element

from pptarena.errors import DeckError
from pptarena.rewards.deck.charts import read_chart
from pptarena.rewards.deck.content_model import Chart, Picture
from pptarena.rewards.deck.context import Context, PlaceholderKey, placeholder_key
from pptarena.rewards.deck.geometry import (
    SLIDE_FRAME,
    Frame,
    find_transform,
    group_frame,
    read_box,
)
from pptarena.rewards.deck.model import Kind, Shape
from pptarena.rewards.deck.names import (
    MC,
    A,
    C,
    P,
    R,
    children,
    find_path,
    int_attribute,
    local_name,
    true_attribute,
)
from pptarena.rewards.deck.package import Package
from pptarena.rewards.deck.paint import Painter
from pptarena.rewards.deck.tables import read_table
from pptarena.rewards.deck.text import TextReader

__all__ = ["ShapeReader"]

_SHAPES = frozenset(("sp", "pic", "graphicFrame", "grpSp", "cxnSp", "contentPart"))
_MEDIA = frozenset(("videoFile", "audioFile", "wavAudioFile", "quickTimeFile"))
_FITS = {"spAutoFit": "shape", "normAutofit": "text"}
_CROP = ("l", "t", "r", "b")


@dataclass(slots=True)
class ShapeReader:
    """Reads the shapes of one slide, in z-order.

    Args:
        package: The file.
        part: Name of the slide's part.
        context: What the slide inherits.
        texts: Reads the slide's text.
        painter: Reads the slide's fills and lines.
    """

    package: Package
    part: str
    context: Context
    texts: TextReader
    painter: Painter
    shapes: list[Shape] = field(default_factory=list)
    by_id: dict[str, int] = field(default_factory=dict)

    def read(self, tree: _Element) -> tuple[Shape, ...]:
        """Return the shapes below a ``p:spTree``; `by_id` then maps their ids to indexes."""
        self._walk(tree, SLIDE_FRAME, None)
        return tuple(self.shapes)

    def _walk(self, parent: _Element, frame: Frame, group: int | None) -> None:
        for element in _shape_elements(parent):
            index = len(self.shapes)
            self.shapes.append(self._shape(element, frame, group, index))
            if element.tag == f"{P}grpSp":
                self._walk(element, group_frame(element, frame), index)

    def _shape(self, element: _Element, frame: Frame, group: int | None, index: int) -> Shape:
        named = _named(element)
        key = placeholder_key(element)
        if named is not None:
            self.by_id.setdefault(named.get("id") or "", index)
        ancestors = () if key is None else self.context.ancestors(key)
        transforms = [find_transform(each) for each in (element, *ancestors)]
        details = self._details(element, key, ancestors)
        box = read_box([each for each in transforms if each is not None], frame)
        table = details.get("table")
        if table is not None and group is None:
            # The frame is what an application once thought; the rows are what it shows.
            box = replace(box, height=sum(table.row_heights))
        return Shape(
            index=index,
            name="" if named is None else named.get("name") or "",
            placeholder="" if key is None else key.type or "body",
            box=box,
            alt_text="" if named is None else (named.get("descr") or named.get("title") or ""),
            link=self.texts.link(find_path(named, f"{A}hlinkClick")),
            hidden=named is not None and bool(true_attribute(named, "hidden")),
            group=group,
            **details,
        )

    def _details(
        self, element: _Element, key: PlaceholderKey | None, ancestors: tuple[_Element, ...]
    ) -> dict[str, Any]:
        name = local_name(element)
        if name == "graphicFrame":
            return self._frame_details(element)
        if name == "grpSp":
            return {"kind": "group", "geometry": ""}
        own = element.find(f"{P}spPr")
        inherited = (each.find(f"{P}spPr") for each in ancestors)
        chain = tuple(each for each in (own, *inherited) if each is not None)
        style = element.find(f"{P}style")
        body = element.find(f"{P}txBody")
        details: dict[str, Any] = {
            "kind": _kind(element, key),
            "geometry": next(filter(None, map(_geometry, chain)), "rect"),
            "paragraphs": self.texts.read(body, key, style),
            "autofit": _autofit(body, ancestors),
            "line": self.painter.line(chain, style),
        }
        if name == "pic":
            details |= self._picture_details(element)
        elif name == "sp":
            details["fill"] = self.painter.fill(chain, style)
        return details

    def _picture_details(self, element: _Element) -> dict[str, Any]:
        fill = element.find(f"{P}blipFill")
        source = find_path(fill, f"{A}srcRect")
        crop = [0.0 if source is None else (int_attribute(source, s) or 0) / 1000 for s in _CROP]
        media = self._media(element)
        blip = find_path(fill, f"{A}blip")
        return {
            "kind": "picture" if media is None else "media",
            "picture": Picture(
                sha256=self._digest("" if blip is None else blip.get(f"{R}embed") or ""),
                crop_pct=(crop[0], crop[1], crop[2], crop[3]),
                media_sha256="" if media is None else self._digest(media.get(f"{R}link") or ""),
            ),
        }

    def _media(self, element: _Element) -> _Element | None:
        properties = find_path(element, f"{P}nvPicPr", f"{P}nvPr")
        return next((mark for mark in children(properties) if local_name(mark) in _MEDIA), None)

    def _digest(self, rel_id: str) -> str:
        rel = self.package.rels(self.part).get(rel_id)
        if rel is None or not rel.target:
            return ""
        if rel.external or rel.target not in self.package:
            return f"link:{rel.target}"
        return self.package.digest(rel.target)

    def _frame_details(self, element: _Element) -> dict[str, Any]:
        data = find_path(element, f"{A}graphic", f"{A}graphicData")
        table = find_path(data, f"{A}tbl")
        if table is not None:
            content = read_table(table, self.painter, self.texts)
            return {"kind": "table", "geometry": "", "table": content}
        chart = find_path(data, f"{C}chart")
        if chart is not None:
            facts = self._chart(chart.get(f"{R}id") or "")
            return {"kind": "chart", "geometry": "", "chart": facts}
        return {"kind": "graphic", "geometry": "", "opaque": self._opaque(data)}

    def _chart(self, rel_id: str) -> Chart | None:
        rel = self.package.rels(self.part).get(rel_id)
        if rel is None or rel.external or rel.target not in self.package:
            return None
        try:
            return read_chart(self.package.xml(rel.target), self.context)
        except DeckError:
            # The application shows an empty frame for a chart that cannot be read.
            return None

    def _opaque(self, data: _Element | None) -> str:
        if data is None:
            return ""
        parts = [str(data.get("uri"))]
        for element in data.iter():
            for name, value in element.attrib.items():
                if str(name).startswith(R):
                    parts.append(self._digest(str(value)))
            parts.append(element.text or "")
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _shape_elements(parent: _Element) -> Iterator[_Element]:
    for child in parent:
        if child.tag == f"{MC}AlternateContent":
            yield from next((found for found in map(_branch, child) if found), [])
        elif local_name(child) in _SHAPES:
            yield child


def _branch(branch: _Element) -> list[_Element]:
    return [child for child in branch if local_name(child) in _SHAPES]


def _named(element: _Element) -> _Element | None:
    for child in element:
        if local_name(child).startswith("nv"):
            return child.find(f"{P}cNvPr")
    return None


def _kind(element: _Element, key: PlaceholderKey | None) -> Kind:
    if element.tag == f"{P}cxnSp":
        return "line"
    if key is not None:
        return "placeholder"
    locks = find_path(element, f"{P}nvSpPr", f"{P}cNvSpPr")
    if locks is not None and locks.get("txBox") in ("1", "true"):
        return "text_box"
    return "line" if _geometry(element.find(f"{P}spPr")) == "line" else "shape"


def _geometry(properties: _Element | None) -> str:
    for child in children(properties):
        name = local_name(child)
        if name == "prstGeom":
            preset = child.get("prst") or ""
            return "line" if preset == "straightConnector1" else preset
        if name == "custGeom":
            return "custom"
    return ""


def _autofit(body: _Element | None, ancestors: tuple[_Element, ...]) -> str:
    bodies = [body, *(each.find(f"{P}txBody") for each in ancestors)]
    for each in bodies:
        for child in children(find_path(each, f"{A}bodyPr")):
            name = local_name(child)
            if name in _FITS:
                return _FITS[name]
            if name == "noAutofit":
                return "none"
    return "none"
