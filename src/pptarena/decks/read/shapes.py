"""Read the shapes of a slide."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from lxml.etree import _Element

from pptarena.decks.facts.paint import NO_LINE, NO_PAINT, Paint
from pptarena.decks.facts.shape import Kind, Shape
from pptarena.decks.package.compatibility import selected_branch
from pptarena.decks.package.names import (
    MC,
    A,
    P,
    children,
    find_path,
    local_name,
    true_attribute,
)
from pptarena.decks.read.context import PlaceholderKey, placeholder_key
from pptarena.decks.read.geometry import (
    SLIDE_FRAME,
    Frame,
    find_transform,
    group_frame,
    read_adjustments,
    read_box,
    read_path,
)
from pptarena.decks.read.graphics import graphic_details
from pptarena.decks.read.pictures import find_media, read_picture
from pptarena.decks.read.shape_effects import read_effects
from pptarena.decks.read.source import PartSource
from pptarena.decks.read.text import body_properties, read_autofit, read_frame, text_cost
from pptarena.decks.read.unread import SHAPE, unread, unread_attributes

__all__ = ["ShapeReader", "shapes_in"]

_SHAPES = frozenset(("sp", "pic", "graphicFrame", "grpSp", "cxnSp", "contentPart"))
_SHAPE_TAGS = tuple(f"{{*}}{name}" for name in _SHAPES)


@dataclass(slots=True)
class ShapeReader:
    """Reads the shapes of one slide, layout or master, in z-order.

    Shapes that use the slide background as fill get `background`.
    """

    source: PartSource
    background: Paint = NO_PAINT
    shapes: list[Shape] = field(default_factory=list)
    by_id: dict[str, int] = field(default_factory=dict)
    unknown_alternatives: list[_Element] = field(default_factory=list)
    _connector_ends: list[tuple[int, str | None, str | None]] = field(default_factory=list)

    def read(self, tree: _Element) -> tuple[Shape, ...]:
        """Return the shapes of a ``p:spTree``.

        Afterward, `by_id` maps shape ids to indexes, and `unknown_alternatives` contains
        alternative content without a known shape.
        """
        self.source.package.count_shapes(sum(1 for _ in tree.iter(*_SHAPE_TAGS)))
        self._walk(tree, SLIDE_FRAME, None, NO_PAINT)
        for index, start, end in self._connector_ends:
            ends = (self.by_id.get(start or ""), self.by_id.get(end or ""))
            self.shapes[index] = replace(self.shapes[index], connects=ends)
        return tuple(self.shapes)

    def _walk(self, parent: _Element, frame: Frame, group: int | None, fill: Paint) -> None:
        for element in self._elements(parent):
            index = len(self.shapes)
            self.shapes.append(self._shape(element, frame, group, fill))
            if element.tag == f"{P}grpSp":
                group_fill = self.source.paints.fill(element.find(f"{P}grpSpPr"), group=fill)
                self._walk(element, group_frame(element, frame), index, group_fill)

    def _elements(self, parent: _Element) -> Iterator[_Element]:
        for child in parent:
            shapes = shapes_in(child)
            yield from shapes
            if not shapes and child.tag == f"{MC}AlternateContent":
                self.unknown_alternatives.append(child)

    def _shape(self, element: _Element, frame: Frame, group: int | None, fill: Paint) -> Shape:
        index = len(self.shapes)
        name_element = _name_element(element)
        key = placeholder_key(element)
        if name_element is not None:
            self.by_id.setdefault(name_element.get("id") or "", index)
        ancestors = () if key is None else self.source.context.ancestors(key)
        transforms = [find_transform(each) for each in (element, *ancestors)]
        details = self._details(element, key, ancestors, fill)
        box = read_box([each for each in transforms if each is not None], frame)
        table = details.get("table")
        if table is not None and group is None:
            # The stored frame may be outdated; rows and columns determine the rendered size.
            height, width = sum(table.row_heights), sum(table.column_widths)
            box = replace(box, height=height, width=width or box.width)
        return Shape(
            index=index,
            placeholder="" if key is None else key.type or "body",
            box=box,
            group=group,
            unread=unread_attributes(element),
            **self._name_details(name_element),
            **{"fingerprint": self._fingerprint(element), **details},
        )

    def _name_details(self, name_element: _Element | None) -> dict[str, Any]:
        if name_element is None:
            return {"name": ""}
        click = name_element.find(f"{A}hlinkClick")
        return {
            "name": name_element.get("name") or "",
            "alt_text": name_element.get("descr") or name_element.get("title") or "",
            "hidden": bool(true_attribute(name_element, "hidden")),
            "decorative": _is_decorative(name_element),
            "link": self.source.texts.link(click),
            "hover_link": self.source.texts.link(name_element.find(f"{A}hlinkHover")),
            "tooltip": "" if click is None else click.get("tooltip") or "",
        }

    def _details(
        self,
        element: _Element,
        key: PlaceholderKey | None,
        ancestors: tuple[_Element, ...],
        group_fill: Paint,
    ) -> dict[str, Any]:
        name = local_name(element)
        if name == "graphicFrame":
            return graphic_details(element, self.source)
        paints = self.source.paints
        own = element.find(f"{P}grpSpPr" if name == "grpSp" else f"{P}spPr")
        properties = (each.find(f"{P}spPr") for each in ancestors)
        inherited = tuple(each for each in properties if each is not None)
        style = element.find(f"{P}style")
        effects = read_effects(own, style, inherited, self.source.context)
        if name == "grpSp":
            return {"kind": "group", "geometry": "", "effects": effects}
        outlines = map(_geometry, inherited if own is None else (own, *inherited))
        geometry = next((each for each in outlines if each is not None), None)
        details: dict[str, Any] = {
            "kind": _kind(element, key),
            "geometry": "rect" if geometry is None else _geometry_name(geometry),
            "adjustments": read_adjustments(geometry),
            "path_digest": read_path(geometry),
            "line": paints.line(own, style, inherited),
            "effects": effects,
            **self._text_details(element, key, ancestors, style),
        }
        if name == "pic":
            colors = self.source.context.colors
            details["picture"] = read_picture(
                element, self.source.package, self.source.name, colors
            )
        elif name == "cxnSp":
            self._record_ends(element)
        if name in ("sp", "pic"):
            details["fill"] = paints.fill(own, style, inherited, group_fill)
        if true_attribute(element, "useBgFill"):
            details["fill"] = self.background
        if details["kind"] == "shape" and _is_bare_text(details):
            details["kind"] = "text_box"
        return details

    def _text_details(
        self,
        element: _Element,
        key: PlaceholderKey | None,
        ancestors: tuple[_Element, ...],
        style: _Element | None,
    ) -> dict[str, Any]:
        body = element.find(f"{P}txBody")
        if body is not None:
            self.source.package.spend(text_cost(body))
        chain = body_properties(body, ancestors)
        return {
            "paragraphs": self.source.texts.read(body, key, style),
            "autofit": read_autofit(chain),
            "frame": None if body is None else read_frame(chain),
        }

    def _record_ends(self, element: _Element) -> None:
        properties = find_path(element, f"{P}nvCxnSpPr", f"{P}cNvCxnSpPr")
        ends = (find_path(properties, f"{A}{name}") for name in ("stCxn", "endCxn"))
        start, end = (None if each is None else each.get("id") for each in ends)
        if start is not None or end is not None:
            self._connector_ends.append((len(self.shapes), start, end))

    def _fingerprint(self, element: _Element) -> str:
        if local_name(element) == "contentPart":
            return self.source.fingerprints.elements([element], self.source.name)
        elements = list(unread(element, SHAPE))
        if local_name(element) == "pic":
            elements += _picture_extensions(element)
        return self.source.fingerprints.elements(elements, self.source.name) if elements else ""


def shapes_in(element: _Element) -> list[_Element]:
    """Return an element that is a shape; for alternative content, the shapes PowerPoint reads."""
    if element.tag != f"{MC}AlternateContent":
        return [element] if local_name(element) in _SHAPES else []
    branch = selected_branch(element)
    return [shape for child in children(branch) for shape in shapes_in(child)]


def _name_element(element: _Element) -> _Element | None:
    for child in element:
        if local_name(child).startswith("nv"):
            return child.find(f"{P}cNvPr")
    return None


def _is_decorative(name_element: _Element) -> bool:
    extensions = name_element.find(f"{A}extLst")
    if extensions is None:
        return False
    marks = (mark for ext in extensions for mark in ext if local_name(mark) == "decorative")
    return any(mark.get("val") in ("1", "true") for mark in marks)


def _picture_extensions(element: _Element) -> list[_Element]:
    """Return picture extensions: the SVG version and the trimming of media."""
    elements = []
    for extensions in element.iter(f"{A}extLst", f"{P}extLst"):
        for mark in (mark for ext in extensions for mark in ext):
            name = local_name(mark)
            if name == "svgBlip":
                elements.append(mark)
            elif name == "media":
                elements += children(mark)
    return elements


def _is_bare_text(details: dict[str, Any]) -> bool:
    """Return whether only the text of a shape is visible, which users call a text box."""
    is_unpainted = details.get("fill", NO_PAINT).kind == "none" and details["line"] == NO_LINE
    return is_unpainted and bool(details["paragraphs"])


def _kind(element: _Element, key: PlaceholderKey | None) -> Kind:
    name = local_name(element)
    if name == "pic":
        return "picture" if find_media(element) is None else "media"
    if name == "cxnSp":
        return "line"
    if key is not None:
        return "placeholder"
    locks = find_path(element, f"{P}nvSpPr", f"{P}cNvSpPr")
    if locks is not None and locks.get("txBox") in ("1", "true"):
        return "text_box"
    geometry = _geometry(element.find(f"{P}spPr"))
    is_line = geometry is not None and _geometry_name(geometry) == "line"
    return "line" if is_line else "shape"


def _geometry(properties: _Element | None) -> _Element | None:
    elements = (
        each for each in children(properties) if local_name(each) in ("prstGeom", "custGeom")
    )
    return next(elements, None)


def _geometry_name(geometry: _Element) -> str:
    if local_name(geometry) == "custGeom":
        return "custom"
    preset = geometry.get("prst") or "rect"
    return "line" if preset == "straightConnector1" else preset
