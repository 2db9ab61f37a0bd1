"""One more change of a master, layout or theme, or of a shape that the target adds there."""

from collections.abc import Iterator
from typing import Any, Final

from lxml import etree
from pptx.dml.color import RGBColor
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml import parse_xml
from pptx.oxml.ns import qn
from pptx.util import Emu

from pptarena.tasks.quality.attacks.changed_objects import ObjectType, masters_and_layouts
from pptarena.tasks.quality.attacks.extra import ObjectContext, extra

__all__ = ["paint_background"]

_MASTER: Final[tuple[ObjectType, ...]] = ("master",)


@extra("other typefaces of the theme", "theme", _MASTER)
def _typefaces(context: ObjectContext) -> bool:
    """The theme fonts are monospaced."""
    return _set_theme_typeface(context, "Liberation Mono")


@extra("symbol fonts in the theme", "hidden", _MASTER)
def _symbol_theme(context: ObjectContext) -> bool:
    """The theme fonts are symbol fonts."""
    return _set_theme_typeface(context, "Wingdings")


@extra("another accent color", "theme", _MASTER)
def _accent(context: ObjectContext) -> bool:
    """Accents 3 and 5 of the theme have other colors."""
    return _recolor_theme(context, {"accent3": "FF00FF", "accent5": "00FF00"})


@extra("a pale text color", "theme", _MASTER)
def _pale(context: ObjectContext) -> bool:
    """The theme's dark color is nearly white."""
    return _recolor_theme(context, {"dk1": "F6F6F6"})


@extra("other text styles of the master", "theme", _MASTER)
def _styles(context: ObjectContext) -> bool:
    """The master's text styles are struck through and in capitals."""
    done = False
    for master in context.deck.slide_masters:
        for properties in master._element.iter(qn("a:defRPr")):
            properties.set("strike", "sngStrike")
            properties.set("cap", "all")
            done = True
    return done


@extra("smaller text styles of the master", "theme", _MASTER)
def _small_styles(context: ObjectContext) -> bool:
    """The master's text styles are half as large."""
    done = False
    for master in context.deck.slide_masters:
        for properties in master._element.iter(qn("a:defRPr")):
            if properties.get("sz"):
                properties.set("sz", str(max(100, int(properties.get("sz")) // 2)))
                done = True
    return done


@extra("a dark background of the master", "theme", _MASTER)
def _dark(context: ObjectContext) -> bool:
    """The masters have a black background, or a white one if they are dark."""
    light = int(context.background[:2], 16) > 127
    for master in context.deck.slide_masters:
        paint_background(master, "101010" if light else "FFFFFF")
    return True


@extra("moved placeholders of the layouts", "theme", _MASTER)
def _moved(context: ObjectContext) -> bool:
    """The title placeholders of masters and layouts are at the bottom."""
    done = False
    for layout in masters_and_layouts(context.deck):
        for shape in layout.placeholders:
            if shape.placeholder_format.type in (1, 3) and shape.height:
                box = shape.left, shape.width, shape.height
                shape.top = Emu(context.deck.slide_height - shape.height)
                shape.left, shape.width, shape.height = box
                done = True
    return done


@extra("over the slides' titles", "unreadable", ("stamp",))
def _over_titles(context: ObjectContext) -> bool:
    """It is a white box over the upper third of the slides."""
    context.shape.left, context.shape.top = Emu(0), Emu(0)
    context.shape.width = Emu(context.deck.slide_width)
    context.shape.height = Emu(context.deck.slide_height // 3)
    if context.element.find(qn("p:spPr")) is None:
        return False
    context.shape.fill.solid()
    color_type: Any = RGBColor  # untyped in python-pptx
    context.shape.fill.fore_color.rgb = color_type(255, 255, 255)
    return True


def paint_background(slide: Any, color: str) -> None:
    """Give a slide, layout or master its own solid background, RRGGBB."""
    color_type: Any = RGBColor  # untyped in python-pptx
    slide.background.fill.solid()
    slide.background.fill.fore_color.rgb = color_type.from_string(color)


def _themes(context: ObjectContext) -> Iterator[tuple[Any, Any]]:
    for master in context.deck.slide_masters:
        part = master.part.part_related_by(RT.THEME)
        yield part, parse_xml(part.blob)


def _set_theme_typeface(context: ObjectContext, name: str) -> bool:
    done = False
    for part, theme in _themes(context):
        for tag in ("a:majorFont", "a:minorFont"):
            for font in theme.iter(qn(tag)):
                font.find(qn("a:latin")).set("typeface", name)
                done = True
        part._blob = etree.tostring(theme, xml_declaration=True, encoding="UTF-8", standalone=True)
    return done


def _recolor_theme(context: ObjectContext, colors: dict[str, str]) -> bool:
    done = False
    for part, theme in _themes(context):
        for name, value in colors.items():
            for color in theme.iter(qn(f"a:{name}")):
                for old in list(color):
                    color.remove(old)
                color.append(color.makeelement(qn("a:srgbClr"), {"val": value}))
                done = True
        part._blob = etree.tostring(theme, xml_declaration=True, encoding="UTF-8", standalone=True)
    return done
