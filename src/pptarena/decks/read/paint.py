"""Read fills and lines with their inherited values."""

from collections.abc import Iterable, Mapping

from lxml.etree import _Element

from pptarena.decks.facts.paint import NO_LINE, NO_PAINT, GradientStop, Line, Paint
from pptarena.decks.package.names import A, R, children, find_path, local_name
from pptarena.decks.package.package import Package
from pptarena.decks.read.color import first_color, resolve_color
from pptarena.decks.read.context import Context
from pptarena.decks.read.numbers import LINE_WIDTH, int_attribute
from pptarena.decks.read.pictures import describe_recoloring

__all__ = ["FILLS", "PaintReader", "find_fill", "read_color"]

FILLS = frozenset(("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill"))
_DEFAULTS = {"cap": "flat", "cmpd": "sng", "algn": "ctr"}
_JOINS = frozenset(("bevel", "miter"))
# Width of a line without a width attribute; one of width 0, the thinnest, looks the same.
_DEFAULT_WIDTH_EMU = 9_525
_EDGES = ("l", "t", "r", "b")


def read_color(parent: _Element | None, colors: Mapping[str, str]) -> str | None:
    """Return the color in an element such as ``a:solidFill``."""
    return resolve_color(first_color(parent), colors)[0]


def find_fill(properties: _Element | None) -> _Element | None:
    """Return the fill set by an element such as ``p:spPr``; a fill without a color is ignored."""
    for child in children(properties):
        if local_name(child) in FILLS and not _is_empty(child):
            return child
    return None


def _is_empty(fill: _Element) -> bool:
    return fill.tag == f"{A}solidFill" and first_color(fill) is None


class PaintReader:
    """Reads the fills and lines of one slide."""

    def __init__(self, package: Package, part: str, context: Context) -> None:
        self._package = package
        self._part = part
        self._context = context

    def fill(
        self,
        own: _Element | None,
        style: _Element | None = None,
        inherited: Iterable[_Element] = (),
        group: Paint = NO_PAINT,
    ) -> Paint:
        """Return the fill of a shape.

        Args:
            own: Properties of the shape, such as ``p:spPr``.
            style: ``p:style`` of the shape, next in order.
            inherited: Properties of the placeholders that the shape inherits from, nearest first.
            group: Fill of the enclosing group.
        """
        element = find_fill(own)
        reference = find_path(style, f"{A}fillRef")
        if element is None and self._themed_fill(reference) is not None:
            return self.theme_fill(reference)
        for properties in inherited:
            element = find_fill(properties) if element is None else element
        if element is None:
            return NO_PAINT
        return group if local_name(element) == "grpFill" else self.paint(element)

    def line(
        self, own: _Element | None, style: _Element | None, inherited: Iterable[_Element] = ()
    ) -> Line:
        """Return the outline of a shape; the arguments are those of `fill`."""
        line = find_path(own, f"{A}ln")
        inherited_lines = (find_path(each, f"{A}ln") for each in inherited)
        return self.combined_line(
            [] if line is None else [line],
            find_path(style, f"{A}lnRef"),
            [each for each in inherited_lines if each is not None],
        )

    def combined_line(
        self,
        lines: list[_Element],
        reference: _Element | None = None,
        inherited: list[_Element] | None = None,
    ) -> Line:
        """Return the line that several elements specify together.

        Args:
            lines: Elements such as ``a:ln``, nearest first.
            reference: An ``a:lnRef`` to a line of the theme, next in order.
            inherited: Further elements, last in order.
        """
        color = resolve_color(first_color(reference), self._context.colors)[0]
        index = int_attribute(reference, "idx") or 0
        if 0 < index <= len(self._context.theme.lines):
            lines = [*lines, self._context.theme.lines[index - 1]]
        lines = [*lines, *(inherited or ())]
        if not lines:
            return NO_LINE
        if len(lines) > 1 or not 0 < index <= len(self._context.theme.lines):
            return self._line(lines, color)
        styles, key = self._context.theme_styles, ("line", index, color)
        line: Line = styles[key] if key in styles else self._line(lines, color)
        if line.paint.kind != "picture":  # picture facts depend on the part
            styles[key] = line
        return line

    def background(self, common: _Element | None) -> Paint | None:
        """Return the background set by a ``p:cSld``; None for none."""
        for child in children(common):
            if local_name(child) == "bg":
                return self._background(child)
        return None

    def theme_fill(self, reference: _Element | None) -> Paint:
        """Return the theme fill that an ``a:fillRef`` or ``p:bgRef`` refers to."""
        fill = self._themed_fill(reference)
        if fill is None:
            return NO_PAINT
        color = resolve_color(first_color(reference), self._context.colors)[0]
        if local_name(fill) == "blipFill":  # picture facts depend on the part
            return self.paint(fill, color, self._context.theme_part)
        index = int_attribute(reference, "idx")
        styles, key = self._context.theme_styles, ("fill", index, color)
        if key not in styles:
            styles[key] = self.paint(fill, color)
        paint: Paint = styles[key]
        return paint

    def paint(
        self, element: _Element, placeholder_color: str | None = None, part: str | None = None
    ) -> Paint:
        """Return the fill of one element.

        Args:
            element: A fill, such as ``a:solidFill``.
            placeholder_color: Color for ``phClr``.
            part: Part that contains the element; by default the slide.
        """
        kind = local_name(element)
        if kind == "solidFill":
            color, opacity = resolve_color(
                first_color(element), self._context.colors, placeholder_color
            )
            return Paint("solid", color, opacity)
        if kind == "gradFill":
            stops = self._stops(element, placeholder_color)
            return Paint("gradient", stops=stops, detail=_direction(element))
        if kind == "pattFill":
            ends = (first_color(element.find(f"{A}{name}")) for name in ("fgClr", "bgClr"))
            colors = (
                resolve_color(end, self._context.colors, placeholder_color)[0] for end in ends
            )
            stops = tuple(map(GradientStop, (0, 100), colors))
            return Paint("pattern", stops=stops, detail=str(element.get("prst")))
        if kind == "blipFill":
            return self._picture(element, self._part if part is None else part)
        return NO_PAINT

    def _themed_fill(self, reference: _Element | None) -> _Element | None:
        index = int_attribute(reference, "idx") or 0
        theme = self._context.theme
        fills = theme.backgrounds if index > 1000 else theme.fills
        index %= 1000
        return fills[index - 1] if 0 < index <= len(fills) else None

    def _line(self, lines: list[_Element], placeholder_color: str | None) -> Line:
        paint: Paint | None = None
        width: int | None = None
        dash: str | None = None
        for line in lines:
            width = int_attribute(line, "w", LINE_WIDTH) if width is None else width
            fill = None if paint is not None else find_fill(line)
            paint = paint if fill is None else self.paint(fill, placeholder_color)
            for child in line:
                name = local_name(child)
                if name == "prstDash" and dash is None:
                    dash = child.get("val") or "solid"
                elif name == "custDash" and dash is None:
                    dash = _custom_dash(child)
        if paint is None and any(_is_empty(fill) for line in lines for fill in line):
            paint = Paint("solid")  # drawn in a color chosen by the application
        if paint is None or paint.kind == "none":
            return NO_LINE
        points = round((width or _DEFAULT_WIDTH_EMU) / 12700, 2)
        return Line(paint, points, dash or "solid", _ends(lines[0]), _describe_options(lines[0]))

    def _background(self, element: _Element) -> Paint | None:
        for child in element:
            paint = NO_PAINT
            if local_name(child) == "bgPr":
                fill = find_fill(child)
                paint = paint if fill is None else self.paint(fill)
            elif local_name(child) == "bgRef":
                paint = self.theme_fill(child)
            return None if paint.kind == "none" else paint
        return None

    def _stops(self, element: _Element, placeholder_color: str | None) -> tuple[GradientStop, ...]:
        stops = []
        for stop in element.iterfind(f"{A}gsLst/{A}gs"):
            color, opacity = resolve_color(
                first_color(stop), self._context.colors, placeholder_color
            )
            position = int_attribute(stop, "pos") or 0
            stops.append((position, GradientStop(round(position / 1000), color, opacity)))
        return tuple(stop for _, stop in sorted(stops, key=lambda each: (each[0], str(each[1]))))

    def _picture(self, element: _Element, part: str) -> Paint:
        blip = element.find(f"{A}blip")
        file = None if blip is None else self._package.target(part, blip.get(f"{R}embed"))
        if file is None:
            return Paint("picture", detail="missing")
        parts = [self._package.digest(file)]
        if element.find(f"{A}tile") is not None:
            parts.append("tiled")
        source = element.find(f"{A}srcRect")
        crop = [round((int_attribute(source, edge) or 0) / 1000) for edge in _EDGES]
        if any(crop):
            parts.append("crop=" + ",".join(map(str, crop)))
        if recolor := describe_recoloring(blip, self._context.colors):
            parts.append(recolor)
        alpha = find_path(blip, f"{A}alphaModFix")
        opacity = 100 if alpha is None else round((int_attribute(alpha, "amt") or 100_000) / 1000)
        return Paint("picture", None, opacity, detail=" ".join(parts))


def _direction(gradient: _Element) -> str:
    line, path = gradient.find(f"{A}lin"), gradient.find(f"{A}path")
    if line is not None:
        return f"angle={round((int_attribute(line, 'ang') or 0) / 60_000) % 360}"
    return "" if path is None else f"path={path.get('path')}"


def _ends(line: _Element) -> tuple[str, str]:
    ends = (line.find(f"{A}{name}") for name in ("headEnd", "tailEnd"))
    start, end = ("none" if each is None else each.get("type") or "none" for each in ends)
    return start, end


def _describe_options(line: _Element) -> str:
    """Return a description of nondefault line properties."""
    parts = [
        f"{name}={line.get(name)}"
        for name, default in _DEFAULTS.items()
        if (line.get(name) or default) != default
    ]
    for child in line:
        name = local_name(child)
        if name in _JOINS:
            parts.append(f"join={name}")
        elif name in ("headEnd", "tailEnd") and (child.get("type") or "none") != "none":
            size = f"{child.get('w') or 'med'}/{child.get('len') or 'med'}"
            parts += [f"{name}={size}"] if size != "med/med" else []
    return " ".join(parts)


def _custom_dash(element: _Element) -> str:
    dashes = (f"{each.get('d')}/{each.get('sp')}" for each in element)
    return "custom " + " ".join(dashes)
