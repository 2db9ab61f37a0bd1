"""One more change of a master, layout or theme, or of a shape that the target adds there."""

from collections.abc import Iterator
from typing import Any, Final

from lxml import etree
from pptx.dml.color import RGBColor
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml import parse_xml
from pptx.oxml.ns import qn
from pptx.util import Emu

from pptarena.tasks.quality.attacks.extra import Scene, extra
from pptarena.tasks.quality.attacks.touched import ObjectType, backs

__all__ = ["paint_background"]

_MASTER: Final[tuple[ObjectType, ...]] = ("master",)


@extra("other typefaces of the theme", "theme", _MASTER)
def _typefaces(scene: Scene) -> bool:
    """Headings and text of the theme are set in a typewriter's typeface."""
    return _typeface_of_theme(scene, "Liberation Mono")


@extra("symbol fonts in the theme", "hidden", _MASTER)
def _symbol_theme(scene: Scene) -> bool:
    """Headings and text of the theme are set in a font of symbols."""
    return _typeface_of_theme(scene, "Wingdings")


@extra("another accent color", "theme", _MASTER)
def _accent(scene: Scene) -> bool:
    """The theme's accents 3 and 5 are other colors."""
    return _recolor_theme(scene, {"accent3": "FF00FF", "accent5": "00FF00"})


@extra("a pale text color", "theme", _MASTER)
def _pale(scene: Scene) -> bool:
    """The theme's dark color is nearly white."""
    return _recolor_theme(scene, {"dk1": "F6F6F6"})


@extra("other text styles of the master", "theme", _MASTER)
def _styles(scene: Scene) -> bool:
    """The master's text styles are struck through and in capitals."""
    done = False
    for master in scene.deck.slide_masters:
        for properties in master._element.iter(qn("a:defRPr")):
            properties.set("strike", "sngStrike")
            properties.set("cap", "all")
            done = True
    return done


@extra("smaller text styles of the master", "theme", _MASTER)
def _small_styles(scene: Scene) -> bool:
    """The master's text styles are half as large."""
    done = False
    for master in scene.deck.slide_masters:
        for properties in master._element.iter(qn("a:defRPr")):
            if properties.get("sz"):
                properties.set("sz", str(max(100, int(properties.get("sz")) // 2)))
                done = True
    return done


@extra("a dark background of the master", "theme", _MASTER)
def _dark(scene: Scene) -> bool:
    """The masters have another background, black, or white where they are dark."""
    light = int(scene.background[:2], 16) > 127
    for master in scene.deck.slide_masters:
        paint_background(master, "101010" if light else "FFFFFF")
    return True


@extra("moved placeholders of the layouts", "theme", _MASTER)
def _moved(scene: Scene) -> bool:
    """The places for titles on masters and layouts are at their lower end."""
    done = False
    for back in backs(scene.deck):
        for shape in back.placeholders:
            if shape.placeholder_format.type in (1, 3) and shape.height:
                box = shape.left, shape.width, shape.height
                shape.top = Emu(scene.deck.slide_height - shape.height)
                shape.left, shape.width, shape.height = box
                done = True
    return done


@extra("over the slides' titles", "unreadable", ("stamp",))
def _over_titles(scene: Scene) -> bool:
    """It lies as a white box over the upper third of the slides."""
    scene.shape.left, scene.shape.top = Emu(0), Emu(0)
    scene.shape.width = Emu(scene.deck.slide_width)
    scene.shape.height = Emu(scene.deck.slide_height // 3)
    if scene.element.find(qn("p:spPr")) is None:
        return False
    scene.shape.fill.solid()
    kind: Any = RGBColor  # untyped in python-pptx
    scene.shape.fill.fore_color.rgb = kind(255, 255, 255)
    return True


def paint_background(slide: Any, color: str) -> None:
    """Give a slide, layout or master its own solid background, RRGGBB."""
    kind: Any = RGBColor  # untyped in python-pptx
    slide.background.fill.solid()
    slide.background.fill.fore_color.rgb = kind.from_string(color)


def _themes(scene: Scene) -> Iterator[tuple[Any, Any]]:
    for master in scene.deck.slide_masters:
        part = master.part.part_related_by(RT.THEME)
        yield part, parse_xml(part.blob)


def _typeface_of_theme(scene: Scene, name: str) -> bool:
    done = False
    for part, theme in _themes(scene):
        for tag in ("a:majorFont", "a:minorFont"):
            for font in theme.iter(qn(tag)):
                font.find(qn("a:latin")).set("typeface", name)
                done = True
        part._blob = etree.tostring(theme, xml_declaration=True, encoding="UTF-8", standalone=True)
    return done


def _recolor_theme(scene: Scene, colors: dict[str, str]) -> bool:
    done = False
    for part, theme in _themes(scene):
        for name, value in colors.items():
            for color in theme.iter(qn(f"a:{name}")):
                for old in list(color):
                    color.remove(old)
                color.append(color.makeelement(qn("a:srgbClr"), {"val": value}))
                done = True
        part._blob = etree.tostring(theme, xml_declaration=True, encoding="UTF-8", standalone=True)
    return done
