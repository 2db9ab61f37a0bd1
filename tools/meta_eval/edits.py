"""Edits of submissions: those of `pptarena.edits`, and those that only other programs make."""

from typing import Literal

from lxml import etree
from pptx.enum.chart import XL_LEGEND_POSITION
from pptx.enum.shapes import MSO_CONNECTOR
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Cm as Centimeters
from pptx.util import Pt

from pptarena.edits import EDITS, Edit, OpenDeck
from pptarena.edits.markup import insert_motion, remove_transition, rgb, write_part
from pptarena.edits.text import set_run_format
from pptarena.edits.values import Cm, Color, Name, Position, ShapeRef, SlideRef, Text

__all__ = ["VOCABULARY"]

_P14 = "http://schemas.microsoft.com/office/powerpoint/2010/main"
_MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"


def clear_series_format(deck: OpenDeck, slide: SlideRef, shape: ShapeRef, series: Position) -> None:
    """Reset a series of a chart to the application's default format."""
    element = list(deck.chart(slide, shape).series)[series - 1]._element
    for each in element.xpath("./c:spPr | ./c:dPt"):
        element.remove(each)


def draw_line(
    deck: OpenDeck, slide: SlideRef, name: Name, left_cm: Cm, top_cm: Cm, height_cm: Cm
) -> None:
    """Draw a vertical connector that is attached to nothing."""
    left, top, height = map(Centimeters, (left_cm, top_cm, height_cm))
    shapes = deck.slide(slide).shapes
    shapes.add_connector(MSO_CONNECTOR.STRAIGHT, left, top, left, top + height).name = name


def drop_empty_comments(deck: OpenDeck, slide: SlideRef) -> None:
    """Drop the list of comments of a slide if it is empty."""
    relations = deck.slide(slide).part.rels
    for key, each in list(relations.items()):
        if each.reltype == RT.COMMENTS and not len(etree.fromstring(each.target_part.blob)):
            relations.pop(key)


def empty_animations(deck: OpenDeck, slide: SlideRef) -> None:
    """Remove the animations of a slide but leave the empty element that held them."""
    element = deck.slide(slide)._element
    for timing in element.findall(qn("p:timing")):
        element.remove(timing)
        xml = (
            f'<p:timing {nsdecls("p")}><p:tnLst><p:par><p:cTn id="1" dur="indefinite" '
            'restart="never" nodeType="tmRoot"/></p:par></p:tnLst></p:timing>'
        )
        insert_motion(element, parse_xml(xml))


def format_all_text(
    deck: OpenDeck,
    slide: SlideRef,
    bold: bool | None = None,
    italic: bool | None = None,
    size_pt: float | None = None,
) -> None:
    """Format all text of a slide, as after 'select all'."""
    values = {"b": bold, "i": italic, "sz": size_pt and size_pt * 100}
    for run in deck.slide(slide)._element.iter(qn("a:r")):
        for name, value in values.items():
            if value is not None:
                run.get_or_add_rPr().set(name, str(int(value)))


def format_layout_text(
    deck: OpenDeck,
    layout: Name,
    shape: Name,
    size_pt: float,
    bold: bool | None = None,
    color: Color | None = None,
) -> None:
    """Format the text of a shape of a layout."""
    target = next(each for each in deck.layout(layout).shapes if each.name == shape)
    for run in target.text_frame.paragraphs[0].runs:
        run.font.size, run.font.bold = Pt(size_pt), bold
        if color is not None:
            run.font.color.rgb = rgb(color)


def link_text_to_slide(
    deck: OpenDeck, slide: SlideRef, shape: ShapeRef, to_slide: SlideRef
) -> None:
    """Link the text of a shape, not its area, to a slide of the deck."""
    for run in deck.text_frame(slide, shape).paragraphs[0].runs:
        target = run.part.relate_to(deck.slide(to_slide).part, RT.SLIDE)
        link = run._r.get_or_add_rPr().add_hlinkClick(target)
        link.set("action", "ppaction://hlinksldjump")


def lower_text(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    paragraph: Position,
    text: Name,
    percent: int,
) -> None:
    """Lower all occurrences of a text in a paragraph by a percentage of its size."""
    set_run_format(deck, slide, shape, paragraph, text=text)
    for run in deck.text_frame(slide, shape).paragraphs[paragraph - 1].runs:
        if run.text == text:
            run._r.get_or_add_rPr().set("baseline", str(percent * -1000))


def lower_theme_colors(deck: OpenDeck) -> None:
    """Write the hexadecimal digits of theme colors in lowercase."""
    for master in deck.presentation.slide_masters:
        part = master.part.part_related_by(RT.THEME)
        root = parse_xml(part.blob)
        for each in root.iter(qn("a:srgbClr")):
            each.set("val", each.get("val").lower())
        write_part(part, root)
        deck.touch(part)


def move_row(
    deck: OpenDeck, slide: SlideRef, shape: ShapeRef, position: Position, to: Position
) -> None:
    """Move a row of a table with its format."""
    table = deck.table(slide, shape).table._tbl
    row = table.tr_lst[position - 1]
    table.remove(row)
    table.insert(len(table) - len(table.tr_lst) + to - 1, row)


def rename_shape(deck: OpenDeck, slide: SlideRef, shape: ShapeRef, name: Name) -> None:
    """Rename a shape, which is invisible on the slide."""
    deck.shape(slide, shape).name = name


def replace_in_notes(deck: OpenDeck, old: Name, new: Text) -> None:
    """Replace a string in the speaker notes of all slides, within runs."""
    for slide in deck.presentation.slides:
        for text in slide.notes_slide._element.iter(qn("a:t")) if slide.has_notes_slide else ():
            text.text = text.text.replace(old, new)


def set_alt_title(deck: OpenDeck, slide: SlideRef, shape: ShapeRef, text: Text) -> None:
    """Set the title of the alternative text of a shape."""
    deck.shape(slide, shape)._element._nvXxPr.cNvPr.set("title", text)


def set_axis_step(deck: OpenDeck, slide: SlideRef, shape: ShapeRef, step: float) -> None:
    """Set the distance between the tick marks of a chart's value axis."""
    deck.chart(slide, shape).value_axis.major_unit = step


def set_modern_transition(deck: OpenDeck, slide: SlideRef, kind: Literal["fade"]) -> None:
    """Set the transition to a slide in the format of newer programs, with an exact duration."""
    element = deck.slide(slide)._element
    remove_transition(element)
    new, old = (
        f'<p:transition spd="med"{duration}><p:{kind}/></p:transition>'
        for duration in (' p14:dur="700"', "")
    )
    choice = parse_xml(
        f'<mc:AlternateContent xmlns:mc="{_MC}" xmlns:p14="{_P14}" {nsdecls("p")}>'
        f'<mc:Choice Requires="p14">{new}</mc:Choice>'
        f"<mc:Fallback>{old}</mc:Fallback></mc:AlternateContent>"
    )
    element.find(qn("p:clrMapOvr")).addnext(choice)


def show_legend(deck: OpenDeck, slide: SlideRef, shape: ShapeRef) -> None:
    """Show the legend of a chart below the plot."""
    chart = deck.chart(slide, shape)
    chart.has_legend = True
    chart.legend.position = XL_LEGEND_POSITION.BOTTOM
    chart.legend.include_in_layout = False


def split_notes(deck: OpenDeck, slide: SlideRef, parts: list[Text]) -> None:
    """Split the first paragraph of the notes into runs."""
    paragraph = deck.slide(slide).notes_slide.notes_text_frame.paragraphs[0]
    for run in paragraph.runs:
        run._r.getparent().remove(run._r)
    for part in parts:
        paragraph.add_run().text = part


def style_master(
    deck: OpenDeck,
    attribute: Literal["b", "i", "sz"],
    value: Name | None,
    style: Literal["title", "body"] = "title",
    layout: Name | None = None,
) -> None:
    """Set an attribute of a text style of the first master, or of the titles of a layout.

    Args:
        deck: The deck.
        attribute: The attribute.
        value: Its value; null removes it.
        style: The style of the master.
        layout: The layout; the master by default.
    """
    if layout is None:
        master = deck.presentation.slide_masters[0]._element
        (element,) = master.xpath(f".//p:{style}Style/a:lvl1pPr/a:defRPr")
    else:
        title = deck.layout(layout).placeholders[0]._element
        element = title.xpath(".//a:lstStyle")[0]
        for tag in (qn("a:lvl1pPr"), qn("a:defRPr")):
            child = element.find(tag)
            element = etree.SubElement(element, tag) if child is None else child
    element.attrib.pop(attribute, None)
    if value is not None:
        element.set(attribute, value)


def use_theme_font(deck: OpenDeck, slide: SlideRef, shape: ShapeRef, paragraph: Position) -> None:
    """Reset a paragraph to the font of the theme."""
    for run in deck.text_frame(slide, shape).paragraphs[paragraph - 1].runs:
        run.font.name = None


def widen_columns(deck: OpenDeck, slide: SlideRef, shape: ShapeRef, width_cm: Cm) -> None:
    """Widen a table with its columns."""
    frame = deck.table(slide, shape)
    factor = Centimeters(width_cm) / frame.width
    for each in frame.table.columns:
        each.width = round(each.width * factor)
    frame.width = Centimeters(width_cm)


def write_out_shown(deck: OpenDeck, slide: SlideRef) -> None:
    """Write the default ``show="1"`` on a visible slide, as some programs do."""
    element = deck.slide(slide)._element
    if element.get("show") is None:
        element.set("show", "1")


_EXTRA_EDITS = (
    clear_series_format,
    draw_line,
    drop_empty_comments,
    empty_animations,
    format_all_text,
    format_layout_text,
    link_text_to_slide,
    lower_text,
    lower_theme_colors,
    move_row,
    rename_shape,
    replace_in_notes,
    set_alt_title,
    set_axis_step,
    set_modern_transition,
    show_legend,
    split_notes,
    style_master,
    use_theme_font,
    widen_columns,
    write_out_shown,
)

VOCABULARY = {**EDITS, **{each.__name__: Edit(each, "submissions") for each in _EXTRA_EDITS}}
"""The edits of submissions by name."""
