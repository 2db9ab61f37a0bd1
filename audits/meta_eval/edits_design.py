"""Edits shared by many slides: theme colors, layouts, masters, backgrounds."""

import copy
from collections.abc import Sequence
from typing import Any

from lxml import etree
from pptx.dml.color import RGBColor
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.opc.constants import RELATIONSHIP_TYPE

from pptarena.audits.meta_eval.edits_text import add_text_box
from pptarena.audits.meta_eval.finding import Slides, shape_of, slides_of
from pptarena.errors import ConfigError

__all__ = [
    "add_layout_text_box",
    "set_background",
    "set_layout",
    "set_theme_color",
    "style_master",
    "use_layout_place",
]

_FURNITURE = (PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.SLIDE_NUMBER)

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


def set_theme_color(deck: Any, slot: str, color: str, master: int = 0) -> None:
    """Set a theme color of a master; `slot` is a name such as ``accent1``, `color` is RRGGBB."""
    part = deck.slide_masters[master].part.part_related_by(RELATIONSHIP_TYPE.THEME)
    theme = etree.fromstring(part.blob)
    found = theme.find(f".//{_A}clrScheme/{_A}{slot}")
    if found is None:
        raise ConfigError(f"expected a colour of the theme, got {slot!r}")
    for old in list(found):
        found.remove(old)
    etree.SubElement(found, f"{_A}srgbClr", {"val": color})
    part._blob = etree.tostring(theme, xml_declaration=True, encoding="UTF-8", standalone=True)


def add_layout_text_box(
    deck: Any, layout: str, text: str, place_cm: Sequence[float], **look: Any
) -> None:
    """Add a text box to a layout of the first master; ``place_cm`` as for `add_text_box`."""
    found = deck.slide_layouts.get_by_name(layout)
    if found is None:
        raise ConfigError(f"expected a layout of the first master, got {layout!r}")
    # python-pptx adds shapes only to slides, so create the box on a slide and move it.
    slide = deck.slides[0]
    add_text_box(deck, 1, text, place_cm, **look)
    box = slide.shapes[-1]._element
    ids = found._element.xpath(".//p:cNvPr/@id")
    box.xpath(".//p:cNvPr")[0].set("id", str(max(int(each) for each in ids) + 1))
    found.shapes._spTree.append(copy.deepcopy(box))
    box.getparent().remove(box)


def set_background(deck: Any, slides: Slides, color: str) -> None:
    """Give slides a solid background, RRGGBB."""
    for slide in slides_of(deck, slides):
        fill = slide.background.fill
        fill.solid()
        fill.fore_color.rgb = RGBColor.from_string(color)  # type: ignore[no-untyped-call]


def set_layout(deck: Any, slides: Slides, layout: str) -> None:
    """Apply a layout of the first master to slides; missing placeholders are added empty."""
    found = deck.slide_layouts.get_by_name(layout)
    if found is None:
        raise ConfigError(f"expected a layout of the first master, got {layout!r}")
    for slide in slides_of(deck, slides):
        for relation in slide.part.rels.values():
            if relation.reltype == RELATIONSHIP_TYPE.SLIDE_LAYOUT:
                relation._target = found.part
        known = {each.placeholder_format.idx for each in slide.placeholders}
        for place in found.placeholders:
            kind = place.placeholder_format
            if kind.idx not in known and kind.type not in _FURNITURE:
                slide.shapes.clone_placeholder(place)


def style_master(
    deck: Any, layout: str | None = None, style: str = "title", **look: str | None
) -> None:
    """Set title (or with ``style="body"``, body) attributes of the first master or of one layout.

    `look` holds attributes such as ``b="0"`` or ``sz="2000"``; None removes an attribute.
    """
    if layout is None:
        (found,) = deck.slide_masters[0]._element.xpath(f".//p:{style}Style/a:lvl1pPr/a:defRPr")
    else:
        title = deck.slide_layouts.get_by_name(layout).placeholders[0]._element
        found = title.xpath(".//a:lstStyle")[0]
        for tag in (f"{_A}lvl1pPr", f"{_A}defRPr"):
            inside = found.find(tag)
            found = etree.SubElement(found, tag) if inside is None else inside
    for name, value in look.items():
        if value is None:
            found.attrib.pop(name, None)
        else:
            found.set(name, value)


def use_layout_place(deck: Any, slide: int, shape: str) -> None:
    """Reset a placeholder to its layout's position, like the 'reset slide' command."""
    properties = shape_of(deck, slide, shape)._element.spPr
    for old in properties.xpath("./a:xfrm"):
        properties.remove(old)
