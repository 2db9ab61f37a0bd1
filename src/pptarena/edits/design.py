"""Edits of layouts, masters and themes."""

from typing import Any, Literal

from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.opc.constants import RELATIONSHIP_TARGET_MODE as RTM
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.opc.package import _Relationship
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Cm as Centimeters

from pptarena.edits.addresses import shown
from pptarena.edits.markup import rgb, write_part
from pptarena.edits.open_deck import OpenDeck
from pptarena.edits.slide_list import append_copy
from pptarena.edits.text_frames import write_text
from pptarena.edits.values import Cm, Color, Name, Position, SlideRef, Text
from pptarena.errors import EditError

__all__ = [
    "add_layout_text_box",
    "add_placeholder",
    "set_footer",
    "set_layout",
    "set_master_background",
    "set_master_title_bold",
    "set_theme_color",
    "set_theme_font",
]

_Slot = Literal[
    "dk1", "lt1", "dk2", "lt2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6",
    "hlink", "folHlink",
]  # fmt: skip


def set_layout(deck: OpenDeck, slide: SlideRef, layout: Name) -> None:
    """Put a slide on another layout; its placeholders keep their numbers and what is in them.

    Args:
        slide: The slide.
        layout: Name of the layout, of the slide's own master if it has one of that name.
    """
    found = deck.slide(slide)
    chosen = deck.layout(layout, like=found)
    relations = found.part.rels
    for number, relation in relations.items():
        if relation.reltype == RT.SLIDE_LAYOUT:
            # A new one: python-pptx works out once where a relationship leads.
            relations._rels[number] = _Relationship(
                relations._base_uri, number, RT.SLIDE_LAYOUT, RTM.INTERNAL, chosen.part
            )


def add_placeholder(deck: OpenDeck, slide: SlideRef, index: Position) -> int:
    """Add a placeholder that the layout of a slide has and the slide lacks.

    Args:
        slide: The slide.
        index: Its index in the layout.
    """
    found = deck.slide(slide)
    if any(each.placeholder_format.idx == index for each in found.placeholders):
        raise EditError(f"slide {shown(slide)} has the placeholder {index} already")
    places = {each.placeholder_format.idx: each for each in found.slide_layout.placeholders}
    if index not in places:
        raise EditError(f"the layout has no placeholder {index}; it has {sorted(places)}")
    deck.require_room(shapes=1)
    found.shapes.clone_placeholder(places[index])
    return int(found.shapes[-1].shape_id)


def set_footer(deck: OpenDeck, slide: SlideRef, text: Text) -> None:
    """Set the footer of a slide; a slide without one gets that of its layout.

    Args:
        slide: The slide.
        text: The footer.
    """
    found = deck.slide(slide)
    footers = [each for each in found.placeholders if _is_footer(each)]
    if not footers:
        model = next(filter(_is_footer, found.slide_layout.placeholders), None)
        if model is None:
            raise EditError(f"the layout of slide {shown(slide)} has no footer")
        deck.require_room(shapes=1)
        element = append_copy(model._element, found)
        for child in list(element.spPr):  # position and formatting are those of the layout
            element.spPr.remove(child)
        for run in list(element.iter(qn("a:r"), qn("a:endParaRPr"))):
            run.getparent().remove(run)
        footers = [found.shapes[-1]]
    for each in footers:
        write_text(each, text)


def add_layout_text_box(
    deck: OpenDeck,
    layout: Name,
    text: Text,
    left_cm: Cm,
    top_cm: Cm,
    width_cm: Cm,
    height_cm: Cm,
    name: Name | None = None,
) -> None:
    """Add a text box to a layout: every slide with the layout shows it.

    Args:
        layout: Name of the layout.
        text: Its text.
        left_cm: Its left edge.
        top_cm: Its upper edge.
        width_cm: Its width.
        height_cm: Its height.
        name: Name of the text box; numbered by default.
    """
    found = deck.layout(layout)
    left, top, width, height = map(Centimeters, (left_cm, top_cm, width_cm, height_cm))
    # python-pptx adds shapes to slides only.
    draft = deck.presentation.slides[0].shapes.add_textbox(left, top, width, height)
    draft.text_frame.text = text
    draft.name = draft.name if name is None else name
    numbers = (int(each.get("id")) for each in found._element.iter(qn("p:cNvPr")))
    draft._element.nvSpPr.cNvPr.set("id", str(max(numbers) + 1))
    found.shapes._spTree.append(draft._element)
    deck.touch(found.part)


def set_master_title_bold(deck: OpenDeck, bold: bool) -> None:
    """Set whether the title style of every master is bold.

    Args:
        bold: Whether titles are bold.
    """
    for master in deck.presentation.slide_masters:
        style = master._element.find(f"{qn('p:txStyles')}/{qn('p:titleStyle')}")
        for each in () if style is None else style.iter(qn("a:defRPr")):
            each.set("b", str(int(bold)))
        deck.touch(master.part)


def set_theme_color(deck: OpenDeck, slot: _Slot, color: Color) -> None:
    """Set a color of the theme of every master: all that is painted with it follows.

    Args:
        slot: Name of the color in the theme.
        color: As #RRGGBB.
    """
    for part, root in _themes(deck):
        place = root.find(f"{qn('a:themeElements')}/{qn('a:clrScheme')}/{qn(f'a:{slot}')}")
        if place is None:
            raise EditError(f"a theme has no color {slot}")
        for each in list(place):
            place.remove(each)
        place.append(parse_xml(f'<a:srgbClr {nsdecls("a")} val="{color[1:].upper()}"/>'))
        _write(deck, part, root)


def set_theme_font(deck: OpenDeck, which: Literal["headings", "body"], font: Name) -> None:
    """Set a font of the theme of every master: all text that names none of its own follows.

    Args:
        which: Of titles, or of all other text.
        font: Name of the font.
    """
    tag = qn("a:majorFont") if which == "headings" else qn("a:minorFont")
    for part, root in _themes(deck):
        latin = root.find(f"{qn('a:themeElements')}/{qn('a:fontScheme')}/{tag}/{qn('a:latin')}")
        if latin is None:
            raise EditError("a theme has no such font")
        latin.attrib.clear()
        latin.set("typeface", font)
        _write(deck, part, root)


def set_master_background(deck: OpenDeck, color: Color) -> None:
    """Give every master a background of one color; slides and layouts with their own keep it.

    Args:
        color: As #RRGGBB.
    """
    for master in deck.presentation.slide_masters:
        fill = master.background.fill
        fill.solid()
        fill.fore_color.rgb = rgb(color)
        deck.touch(master.part)


def _is_footer(shape: Any) -> bool:
    return bool(shape.placeholder_format.type == PP_PLACEHOLDER.FOOTER)


def _themes(deck: OpenDeck) -> list[tuple[Any, Any]]:
    masters = deck.presentation.slide_masters
    parts = [each.part.part_related_by(RT.THEME) for each in masters]
    return [(part, parse_xml(part.blob)) for part in parts]


def _write(deck: OpenDeck, part: Any, root: Any) -> None:
    write_part(part, root)
    deck.touch(part)
