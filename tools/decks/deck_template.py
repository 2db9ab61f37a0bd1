"""Masters and layouts of the decks, built around the graphics of converted templates.

LibreOffice writes one layout per master page, with graphics but without text styles. This module
keeps the graphics and creates one master with five ordinary layouts around them.
"""

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lxml import etree
from pptx import Presentation
from pptx.opc.constants import CONTENT_TYPE as CT
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.parts.slide import SlideLayoutPart

from tools.decks.extra_layouts import extra_layouts
from tools.decks.placeholders import Box, placeholder_xml

__all__ = ["Box", "DeckStyle", "open_template"]

_EMU_PER_CM = 360000
_TEMPLATES = Path(__file__).parent / "templates"
_NS = nsdecls("a", "p", "r")
_RRGGBB = re.compile("[0-9A-Fa-f]{6}")
_DASH = "\N{EN DASH}"
_LAYOUT_NUMBER_XML = placeholder_xml("sldNum", 'sz="quarter" idx="12"', "Slide Number", None)


@dataclass(frozen=True)
class DeckStyle:
    """The style of a deck.

    Attributes:
        template: Name of the converted template.
        content_graphics: Index of the template's layout with the graphics of ordinary slides; -1
            for those of its master.
        title_graphics: The same for title and section slides.
        colors: Twelve colors, RRGGBB: dk1, lt1, dk2, lt2, accent1 to accent6, hlink, folHlink.
        font: Font of all text.
        title_color: Color of the titles, as a theme color name.
        opening_color: The same for title and section slides.
        title, body: Boxes of the two placeholders.
        opening_title, opening_text: Their boxes on title and section slides.
        number: Box of the slide number.
        number_color: Its color, as a theme color name.
        content_master: Index of the template's master to which `content_graphics` refers.
        footer, date: Boxes of footer and date; if set, every layout has both and the slide number.
        has_extra_layouts: Whether to add the layouts of `tools.decks.extra_layouts`.
        background: Background color of all slides, as a theme color name; empty for none.
        paint: Replacement colors for the template's graphics, by RRGGBB. A replacement is RRGGBB or
            a theme color name, which then follows the theme.
    """

    template: str
    content_graphics: int
    title_graphics: int
    colors: Sequence[str]
    font: str
    title_color: str
    opening_color: str
    title: Box
    body: Box
    opening_title: Box
    opening_text: Box
    number: Box
    number_color: str
    content_master: int = 0
    footer: Box | None = None
    date: Box | None = None
    has_extra_layouts: bool = False
    background: str = ""
    paint: Mapping[str, str] = field(default_factory=dict)


def open_template(style: DeckStyle) -> Any:
    """Return an empty presentation with a style and its layouts.

    The layouts are Title Slide, Title and Content, Two Content, Title Only, Section Header, and
    those of `tools.decks.extra_layouts` if the style includes them.
    """
    presentation = Presentation(str(_TEMPLATES / f"{style.template}.pptx"))
    master = presentation.slide_masters[0]
    content_master = presentation.slide_masters[style.content_master]
    content = _graphics(content_master, style.content_graphics)
    opening = _graphics(master, style.title_graphics)
    for graphic in (*content, *opening):
        for color in [*graphic.iter(qn("a:srgbClr"))]:
            _repaint(color, style.paint.get(color.get("val"), color.get("val")))
    _drop_slides_and_layouts(presentation, master)
    _drop_other_masters(presentation)
    _style_theme(master, style)
    _style_master(master, style, content)
    layouts = _layouts(style) + (extra_layouts(style.body) if style.has_extra_layouts else [])
    for number, (kind, name, shapes) in enumerate(layouts, start=1):
        graphics = opening if kind in ("title", "secHead") else []
        _add_layout(master, number, _layout_xml(style, kind, name, shapes), graphics)
    return presentation


def _repaint(color: Any, value: str) -> None:
    """Set a color to RRGGBB or to a theme color name."""
    color.set("val", value)
    if not _RRGGBB.fullmatch(value):
        color.tag = qn("a:schemeClr")


def _graphics(master: Any, index: int) -> list[Any]:
    source = master if index < 0 else master.slide_layouts[index]
    graphics = [deepcopy(shape._element) for shape in source.shapes if not shape.is_placeholder]
    for graphic in graphics:
        # Ids are renumbered, so the glue references of connectors are removed.
        for connection in [*graphic.iter(qn("a:stCxn"), qn("a:endCxn"))]:
            connection.getparent().remove(connection)
    return graphics


def _drop_slides_and_layouts(presentation: Any, master: Any) -> None:
    ids = presentation.slides._sldIdLst
    for slide_id in list(ids):
        presentation.part.drop_rel(slide_id.rId)
        ids.remove(slide_id)
    for layout in list(master.slide_layouts):
        master.slide_layouts.remove(layout)


def _drop_other_masters(presentation: Any) -> None:
    ids = presentation.part._element.sldMasterIdLst
    for master_id in list(ids)[1:]:
        presentation.part.drop_rel(master_id.rId)
        ids.remove(master_id)


def _style_theme(master: Any, style: DeckStyle) -> None:
    part = master.part.part_related_by(RT.THEME)
    root = etree.fromstring(part.blob)
    color_scheme = root.find(".//" + qn("a:clrScheme"))
    assert color_scheme is not None, "every theme has a color scheme"
    color_scheme.set("name", style.template)
    for slot, color in zip(color_scheme, style.colors, strict=True):
        slot[0].set("val", color)
    for latin in root.iter(qn("a:latin")):
        latin.set("typeface", style.font)
    part._blob = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _style_master(master: Any, style: DeckStyle, graphics: list[Any]) -> None:
    tree = master.shapes._spTree
    for shape in list(tree)[2:]:
        tree.remove(shape)
    for shape in graphics:
        tree.append(shape)
    _, top, _, height = style.number
    footer = style.footer or (style.body[0], top, 12.0, height)
    date = style.date or (style.body[0] + 13.0, top, 6.0, height)
    for xml in (
        placeholder_xml("title", "", "Title Placeholder", style.title),
        placeholder_xml("body", 'idx="1"', "Text Placeholder", style.body),
        placeholder_xml("dt", 'sz="half" idx="2"', "Date Placeholder", date, size=10),
        placeholder_xml("ftr", 'sz="quarter" idx="3"', "Footer Placeholder", footer, size=10),
        _slide_number_xml(style),
    ):
        tree.append(parse_xml(xml))
    for old in master._element.findall(qn("p:txStyles")):
        master._element.remove(old)
    master._element.append(parse_xml(_text_styles(style)))
    for index, shape in enumerate(tree.iter(qn("p:cNvPr")), start=1):
        shape.set("id", str(index))
    if style.background:
        tree.addprevious(parse_xml(_background(style.background)))


def _background(color: str) -> str:
    fill = f'<a:solidFill><a:schemeClr val="{color}"/></a:solidFill>'
    return f"<p:bg {_NS}><p:bgPr>{fill}<a:effectLst/></p:bgPr></p:bg>"


def _text_styles(style: DeckStyle) -> str:
    def level(number: int, size: int, indent: float, bullet: str) -> str:
        left, hanging = round(indent * _EMU_PER_CM), round(0.6 * _EMU_PER_CM)
        return (
            f'<a:lvl{number}pPr marL="{left}" indent="-{hanging}" algn="l">'
            f'<a:spcBef><a:spcPts val="{800 if number == 1 else 400}"/></a:spcBef>'
            f'<a:buClr><a:schemeClr val="accent1"/></a:buClr><a:buFont typeface="Arial"/>'
            f'<a:buChar char="{bullet}"/><a:defRPr sz="{size * 100}"><a:solidFill>'
            f'<a:schemeClr val="tx2"/></a:solidFill><a:latin typeface="+mn-lt"/></a:defRPr>'
            f"</a:lvl{number}pPr>"
        )

    levels = "".join((level(1, 22, 0.7, "•"), level(2, 19, 1.5, _DASH), level(3, 16, 2.3, "•")))
    return (
        f'<p:txStyles {_NS}><p:titleStyle><a:lvl1pPr algn="l"><a:buNone/>'
        f'<a:defRPr sz="2800" b="1"><a:solidFill><a:schemeClr val="{style.title_color}"/>'
        f'</a:solidFill><a:latin typeface="+mj-lt"/></a:defRPr></a:lvl1pPr></p:titleStyle>'
        f"<p:bodyStyle>{levels}</p:bodyStyle><p:otherStyle/></p:txStyles>"
    )


def _layouts(style: DeckStyle) -> list[tuple[str, str, list[str]]]:
    left, top, width, height = style.body
    half = (width - 1.0) / 2
    title = placeholder_xml("title", "", "Title", None)
    opening: dict[str, Any] = {"size": 36, "color": style.opening_color}
    text: dict[str, Any] = {"size": 20, "color": style.opening_color, "bullet": False}
    return [
        (
            "title",
            "Title Slide",
            [
                placeholder_xml(
                    "ctrTitle", "", "Title", style.opening_title, anchor="b", **opening
                ),
                placeholder_xml("subTitle", 'idx="1"', "Subtitle", style.opening_text, **text),
            ],
        ),
        ("obj", "Title and Content", [title, placeholder_xml("", 'idx="1"', "Content", None)]),
        (
            "twoObj",
            "Two Content",
            [
                title,
                placeholder_xml("", 'sz="half" idx="1"', "Content Left", (left, top, half, height)),
                placeholder_xml(
                    "",
                    'sz="half" idx="2"',
                    "Content Right",
                    (left + half + 1.0, top, half, height),
                ),
            ],
        ),
        ("titleOnly", "Title Only", [title]),
        (
            "secHead",
            "Section Header",
            [
                placeholder_xml("title", "", "Title", style.opening_title, anchor="b", **opening),
                placeholder_xml("body", 'idx="1"', "Text", style.opening_text, **text),
            ],
        ),
    ]


def _layout_xml(style: DeckStyle, kind: str, name: str, shapes: list[str]) -> str:
    master_shapes = ' showMasterSp="0"' if kind in ("title", "secHead") else ""
    # Without its own footer placeholders, a layout's slides would show no number.
    footers = [] if master_shapes else [_LAYOUT_NUMBER_XML]
    if style.footer:
        date = placeholder_xml("dt", 'sz="half" idx="10"', "Date", None)
        footers = [
            date,
            placeholder_xml("ftr", 'sz="quarter" idx="11"', "Footer", None),
            _LAYOUT_NUMBER_XML,
        ]
    type_attribute = f' type="{kind}"' if kind else ' userDrawn="1"'
    return (
        f'<p:sldLayout {_NS}{type_attribute} preserve="1"{master_shapes}>'
        f'<p:cSld name="{name}"><p:spTree>'
        f'<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
        f"<p:grpSpPr/>{''.join(shapes + footers)}</p:spTree></p:cSld>"
        f"<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>"
    )


def _slide_number_xml(style: DeckStyle) -> str:
    xml = placeholder_xml(
        "sldNum",
        'sz="quarter" idx="4"',
        "Slide Number",
        style.number,
        size=11,
        color=style.number_color,
        anchor="ctr",
    )
    return xml.replace("<a:lvl1pPr>", '<a:lvl1pPr algn="ctr">')


def _add_layout(master: Any, number: int, xml: str, graphics: list[Any]) -> None:
    uri = PackURI(f"/ppt/slideLayouts/slideLayout{number}.xml")
    blob = xml.encode()
    part = SlideLayoutPart.load(uri, CT.PML_SLIDE_LAYOUT, master.part.package, blob)
    part.relate_to(master.part, RT.SLIDE_MASTER)
    tree = part._element.cSld.spTree
    for position, shape in enumerate(graphics):
        tree.insert(2 + position, deepcopy(shape))
    for index, shape in enumerate(tree.iter(qn("p:cNvPr")), start=1):
        shape.set("id", str(index))
    entry = master._element.get_or_add_sldLayoutIdLst()._add_sldLayoutId()
    entry.set("id", str(2147483700 + number))
    entry.rId = master.part.relate_to(part, RT.SLIDE_LAYOUT)
