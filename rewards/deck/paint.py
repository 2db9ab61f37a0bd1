"""Fills and lines with their inherited values."""

from collections.abc import Mapping

from lxml.etree import _Element

from pptarena.rewards.deck.color import first_color, resolve_color
from pptarena.rewards.deck.content_model import Line, Paint
from pptarena.rewards.deck.context import Context
from pptarena.rewards.deck.names import A, R, children, find_path, int_attribute, local_name
from pptarena.rewards.deck.package import Package

__all__ = ["Painter", "read_color"]

_FILLS = frozenset(("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill"))
_NONE = Paint()


def read_color(parent: _Element | None, colors: Mapping[str, str]) -> str | None:
    """Return the colour that an element such as ``a:solidFill`` holds."""
    return resolve_color(first_color(parent), colors)[0]


class Painter:
    """Reads fills and lines of one slide.

    Args:
        package: The file, for the pictures of fills.
        part: Name of the part whose relationships the elements use.
        context: What the slide inherits.
    """

    def __init__(self, package: Package, part: str, context: Context) -> None:
        self._package = package
        self._part = part
        self._context = context

    def fill(self, chain: tuple[_Element, ...], style: _Element | None) -> Paint:
        """Return the fill of a shape.

        Args:
            chain: Property elements (``p:spPr`` ...) of the shape and of those it inherits from.
            style: Its ``p:style``.
        """
        for properties in chain:
            for child in properties:
                if local_name(child) in _FILLS:
                    return self.paint(child)
        return self._by_reference(style, "fillRef", self._context.theme.fills)

    def line(self, chain: tuple[_Element, ...], style: _Element | None) -> Line:
        """Return the outline of a shape; the arguments are those of `fill`."""
        lines = [found for found in (each.find(f"{A}ln") for each in chain) if found is not None]
        reference = find_path(style, f"{A}lnRef")
        color, _ = resolve_color(first_color(reference), self._context.colors)
        index = int_attribute(reference, "idx") or 0
        if 0 < index <= len(self._context.theme.lines):
            lines.append(self._context.theme.lines[index - 1])
        return self._line(tuple(lines), color)

    def background(self, common: _Element | None) -> Paint | None:
        """Return the background that a ``p:cSld`` sets; None if it sets none."""
        for child in children(common):
            if local_name(child) == "bg":
                return self._background(child)
        return None

    def paint(self, element: _Element, instead: str | None = None) -> Paint:
        """Return the fill that one element says.

        Args:
            element: Such as ``a:solidFill``.
            instead: The colour that ``phClr`` stands for.
        """
        kind = local_name(element)
        if kind == "solidFill":
            color, opacity = resolve_color(first_color(element), self._context.colors, instead)
            return Paint("solid", color, opacity)
        if kind == "gradFill":
            return Paint("gradient", detail=self._stops(element, instead))
        if kind == "pattFill":
            front, back = (
                read_color(element.find(f"{A}{name}"), self._context.colors)
                for name in ("fgClr", "bgClr")
            )
            return Paint("pattern", detail=f"{element.get('prst')} {front} {back}")
        if kind == "blipFill":
            return Paint("picture", detail=self._picture(element))
        return _NONE

    def _line(self, lines: tuple[_Element, ...], instead: str | None) -> Line:
        paint: Paint | None = None
        width: int | None = None
        dash: str | None = None
        ends: list[str] = ["none", "none"]
        for line in lines:
            width = int_attribute(line, "w") if width is None else width
            for child in line:
                name = local_name(child)
                if name in _FILLS and paint is None:
                    paint = self.paint(child, instead)
                elif name == "prstDash" and dash is None:
                    dash = child.get("val") or "solid"
                elif name in ("headEnd", "tailEnd") and line is lines[0]:
                    ends[name == "tailEnd"] = child.get("type") or "none"
        if paint is None or paint.kind == "none":
            return Line()
        # Thinner lines are drawn as thin as can be seen, and so is a line of no width.
        points = round(max(9525, width or 0) / 12700, 2)
        return Line(paint, points, dash or "solid", (ends[0], ends[1]))

    def _by_reference(
        self, style: _Element | None, name: str, fills: tuple[_Element, ...]
    ) -> Paint:
        reference = find_path(style, f"{A}{name}")
        index = int_attribute(reference, "idx") or 0
        if reference is None or not 0 < index <= len(fills):
            return _NONE
        color, _ = resolve_color(first_color(reference), self._context.colors)
        return self.paint(fills[index - 1], color)

    def _background(self, element: _Element) -> Paint | None:
        for child in element:
            if local_name(child) == "bgPr":
                found = next((self.paint(f) for f in child if local_name(f) in _FILLS), _NONE)
                return None if found.kind == "none" else found
            index = (int_attribute(child, "idx") or 0) - 1000
            fills = self._context.theme.backgrounds
            color, _ = resolve_color(first_color(child), self._context.colors)
            if 0 < index <= len(fills):
                found = self.paint(fills[index - 1], color)
                return Paint("picture", detail="theme") if found.kind == "picture" else found
        return None

    def _stops(self, element: _Element, instead: str | None) -> str:
        stops = []
        for stop in element.iterfind(f"{A}gsLst/{A}gs"):
            color, opacity = resolve_color(first_color(stop), self._context.colors, instead)
            stops.append((int_attribute(stop, "pos") or 0, f"{color}/{opacity}"))
        return " ".join(f"{round(pos / 1000)}:{color}" for pos, color in sorted(stops))

    def _picture(self, element: _Element) -> str:
        blip = element.find(f"{A}blip")
        rel = self._package.rels(self._part).get(
            "" if blip is None else blip.get(f"{R}embed") or ""
        )
        if rel is None or rel.external or rel.target not in self._package:
            return "missing"
        return self._package.digest(rel.target)
