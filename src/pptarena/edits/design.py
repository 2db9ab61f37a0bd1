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
    target = deck.slide(slide)
    new_layout = deck.layout(layout, like=target)
    relations = target.part.rels
    for number, relation in relations.items():
        if relation.reltype == RT.SLIDE_LAYOUT:
            # Replaced by a new one, because python-pptx caches the target of a relationship.
            relations._rels[number] = _Relationship(
                relations._base_uri, number, RT.SLIDE_LAYOUT, RTM.INTERNAL, new_layout.part
            )


def add_placeholder(deck: OpenDeck, slide: SlideRef, index: Position) -> int:
    """Add a placeholder that the layout of a slide has and the slide lacks.

    Args:
        slide: The slide.
        index: Its index in the layout.
    """
    target = deck.slide(slide)
    if any(placeholder.placeholder_format.idx == index for placeholder in target.placeholders):
        raise EditError(f"slide {shown(slide)} has the placeholder {index} already")
    layout_placeholders = {
        placeholder.placeholder_format.idx: placeholder
        for placeholder in target.slide_layout.placeholders
    }
    if index not in layout_placeholders:
        raise EditError(
            f"the layout has no placeholder {index}; it has {sorted(layout_placeholders)}"
        )
    deck.require_room(shapes=1)
    target.shapes.clone_placeholder(layout_placeholders[index])
    return int(target.shapes[-1].shape_id)


def set_footer(deck: OpenDeck, slide: SlideRef, text: Text) -> None:
    """Set the footer of a slide; a slide without one gets that of its layout.

    Args:
        slide: The slide.
        text: The footer.
    """
    target = deck.slide(slide)
    footers = [footer for footer in target.placeholders if _is_footer(footer)]
    if not footers:
        layout_footer = next(filter(_is_footer, target.slide_layout.placeholders), None)
        if layout_footer is None:
            raise EditError(f"the layout of slide {shown(slide)} has no footer")
        deck.require_room(shapes=1)
        element = append_copy(layout_footer._element, target)
        for child in list(element.spPr):  # position and formatting are those of the layout
            element.spPr.remove(child)
        for run in list(element.iter(qn("a:r"), qn("a:endParaRPr"))):
            run.getparent().remove(run)
        footers = [target.shapes[-1]]
    for footer in footers:
        write_text(footer, text)


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
    target = deck.layout(layout)
    left, top, width, height = map(Centimeters, (left_cm, top_cm, width_cm, height_cm))
    # python-pptx adds shapes to slides only.
    box = deck.presentation.slides[0].shapes.add_textbox(left, top, width, height)
    box.text_frame.text = text
    box.name = box.name if name is None else name
    numbers = (int(element.get("id")) for element in target._element.iter(qn("p:cNvPr")))
    box._element.nvSpPr.cNvPr.set("id", str(max(numbers) + 1))
    target.shapes._spTree.append(box._element)
    deck.touch(target.part)


def set_master_title_bold(deck: OpenDeck, bold: bool) -> None:
    """Set whether the title style of every master is bold.

    Args:
        bold: Whether titles are bold.
    """
    for master in deck.presentation.slide_masters:
        style = master._element.find(f"{qn('p:txStyles')}/{qn('p:titleStyle')}")
        for properties in () if style is None else style.iter(qn("a:defRPr")):
            properties.set("b", str(int(bold)))
        deck.touch(master.part)


def set_theme_color(deck: OpenDeck, slot: _Slot, color: Color) -> None:
    """Set a color of the theme of every master: all that is painted with it follows.

    Args:
        slot: Name of the color in the theme.
        color: As #RRGGBB.
    """
    for part, root in _themes(deck):
        color_slot = root.find(f"{qn('a:themeElements')}/{qn('a:clrScheme')}/{qn(f'a:{slot}')}")
        if color_slot is None:
            raise EditError(f"a theme has no color {slot}")
        for child in list(color_slot):
            color_slot.remove(child)
        color_slot.append(parse_xml(f'<a:srgbClr {nsdecls("a")} val="{color[1:].upper()}"/>'))
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
    parts = [master.part.part_related_by(RT.THEME) for master in masters]
    return [(part, parse_xml(part.blob)) for part in parts]


def _write(deck: OpenDeck, part: Any, root: Any) -> None:
    write_part(part, root)
    deck.touch(part)
