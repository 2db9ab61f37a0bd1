"""Tools that change layouts, masters and themes, and how shapes come in."""

from typing import Any, Literal

from lxml import etree
from pptx.dml.color import RGBColor
from pptx.opc.constants import RELATIONSHIP_TARGET_MODE as RTM
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.opc.package import _Relationship
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn

from pptarena.decks.animating import add_entrance
from pptarena.envs.document.document import Document
from pptarena.envs.document.tool import Color, Name, SlideId
from pptarena.errors import ActionError

__all__ = [
    "add_animation",
    "set_advance",
    "set_layout",
    "set_master_background",
    "set_theme_color",
    "set_theme_font",
]

_Slot = Literal[
    "dk1", "lt1", "dk2", "lt2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6",
    "hlink", "folHlink",
]  # fmt: skip
_TRIGGERS = {"click": "clickEffect", "after_previous": "afterEffect", "with_previous": "withEffect"}


def add_animation(
    document: Document,
    slide: SlideId,
    shape: SlideId,
    effect: Literal["appear", "fly_in", "fade", "wipe", "box"],
    start: Literal["click", "after_previous", "with_previous"] = "click",
) -> str:
    """Let a shape come in by an effect, after all that comes in now.

    Args:
        slide: Id of the slide.
        shape: Id of the shape.
        effect: How it comes in.
        start: What starts it.
    """
    document.shape(slide, shape)
    root = document.slide(slide)._element
    add_entrance(root, str(shape), effect, _TRIGGERS[start])
    return "the animation is added"


def set_advance(document: Document, slide: SlideId, seconds: float | None) -> str:
    """Let the show go on by itself after a slide, with the transition that the next one has.

    Args:
        slide: Id of the slide.
        seconds: After how many, from 0 to 86399; null for a click only.
    """
    if seconds is not None and not 0 <= seconds <= 86_399:
        raise ActionError(f"expected seconds from 0 to 86399, got {seconds}")
    root = document.slide(slide)._element
    found = list(root.iter(qn("p:transition")))
    if not found:
        made = parse_xml(f"<p:transition {nsdecls('p')}/>")
        behind = next((each for each in root if each.tag in _BEHIND), None)
        root.append(made) if behind is None else behind.addprevious(made)
        found = [made]
    for each in found:
        if seconds is None:
            each.attrib.pop("advTm", None)
        else:
            each.set("advTm", str(round(seconds * 1000)))
    return "it waits for a click" if seconds is None else f"it goes on after {seconds:g} s"


_BEHIND = (qn("p:timing"), qn("p:extLst"))


def set_layout(document: Document, slide: SlideId, layout: Name) -> str:
    """Put a slide on another layout; its placeholders keep their numbers and what is in them.

    Args:
        slide: Id of the slide.
        layout: Name of the layout, of the slide's own master if it has one of that name.
    """
    found = document.slide(slide)
    own = found.slide_layout.slide_master
    masters = [own, *document.presentation.slide_masters]
    layouts = [each for master in masters for each in master.slide_layouts]
    chosen = next((each for each in layouts if each.name == layout), None)
    if chosen is None:
        raise ActionError(f"no layout is called {layout!r}; list_layouts names them")
    relations = found.part.rels
    for number, relation in relations.items():
        if relation.reltype == RT.SLIDE_LAYOUT:
            # A new one: python-pptx works out once where a relationship leads.
            relations._rels[number] = _Relationship(
                relations._base_uri, number, RT.SLIDE_LAYOUT, RTM.INTERNAL, chosen.part
            )
    return "the layout is set"


def set_theme_color(document: Document, slot: _Slot, color: Color) -> str:
    """Set a colour of the theme of every master: all that is painted with it follows.

    Args:
        slot: Name of the colour in the theme.
        color: As #RRGGBB.
    """
    for part, root in _themes(document):
        place = root.find(f"{qn('a:themeElements')}/{qn('a:clrScheme')}/{qn(f'a:{slot}')}")
        if place is None:
            raise ActionError(f"a theme has no colour {slot}")
        for each in list(place):
            place.remove(each)
        place.append(parse_xml(f'<a:srgbClr {nsdecls("a")} val="{color[1:].upper()}"/>'))
        _write(document, part, root)
    return "the colour is set"


def set_theme_font(document: Document, which: Literal["headings", "body"], font: Name) -> str:
    """Set a font of the theme of every master: all text that names none of its own follows.

    Args:
        which: Of titles, or of all other text.
        font: Name of the font.
    """
    tag = qn("a:majorFont") if which == "headings" else qn("a:minorFont")
    for part, root in _themes(document):
        latin = root.find(f"{qn('a:themeElements')}/{qn('a:fontScheme')}/{tag}/{qn('a:latin')}")
        if latin is None:
            raise ActionError("a theme has no such font")
        latin.attrib.clear()
        latin.set("typeface", font)
        _write(document, part, root)
    return "the font is set"


def set_master_background(document: Document, color: Color) -> str:
    """Give every master a background of one colour; slides and layouts with their own keep it.

    Args:
        color: As #RRGGBB.
    """
    for master in document.presentation.slide_masters:
        fill = master.background.fill
        fill.solid()
        fill.fore_color.rgb = RGBColor.from_string(color[1:].upper())  # type: ignore[no-untyped-call]
        document.touch(master.part)
    return "the background is set"


def _themes(document: Document) -> list[tuple[Any, Any]]:
    masters = document.presentation.slide_masters
    parts = [each.part.part_related_by(RT.THEME) for each in masters]
    return [(part, parse_xml(part.blob)) for part in parts]


def _write(document: Document, part: Any, root: Any) -> None:
    part._blob = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    document.touch(part)
