"""Text: numbering, bullets, frames and character formatting."""

from typing import Any

import pytest
from lxml import etree

from pptarena.decks import Bullet, Link, Paragraph, TextFrame


def _paragraph(stage: Any, properties: str, run: str = "", text: str = "One") -> Paragraph:
    body = f"<a:bodyPr/><a:p>{properties}<a:r>{run}<a:t>{text}</a:t></a:r></a:p>"
    paragraph: Paragraph = stage.box(body=body).paragraphs[0]
    return paragraph


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ('<a:buAutoNum type="arabicPeriod"/>', Bullet("number", "arabicPeriod", 1)),
        ('<a:buAutoNum type="romanLcPeriod" startAt="4"/>', Bullet("number", "romanLcPeriod", 4)),
        ('<a:buSzPct val="45000"/><a:buChar char="x"/>', Bullet("char", "x", size_pct=45.0)),
        (
            '<a:buClr><a:schemeClr val="accent2"/></a:buClr><a:buSzPts val="900"/>'
            '<a:buFont typeface="Wingdings"/><a:buChar char="n"/>',
            Bullet("char", "n", 1, "#C0504D", 0.0, 9.0, "Wingdings"),
        ),
        ('<a:buClr><a:srgbClr val="000000"/></a:buClr><a:buChar char="x"/>', Bullet("char", "x")),
        ('<a:buClr><a:srgbClr val="FF0000"/></a:buClr><a:buNone/>', Bullet()),
    ],
)
def test_bullets(stage: Any, inside: str, expected: Bullet) -> None:
    assert _paragraph(stage, f"<a:pPr>{inside}</a:pPr>").bullet == expected


def test_bullet_properties_are_inherited_individually(lab: Any) -> None:
    def edit(deck: Any) -> None:
        paragraph = deck.slides[1].placeholders[1].text_frame.paragraphs[1]._p
        namespace = "http://schemas.openxmlformats.org/drawingml/2006/main"
        color = etree.SubElement(paragraph.get_or_add_pPr(), f"{{{namespace}}}buClr")
        etree.SubElement(color, f"{{{namespace}}}srgbClr", val="00FF00")

    before, after = (p.bullet for p in lab.edited(edit).slides[1].shapes[1].paragraphs[:2])
    assert (before.char, before.font, before.color) == ("•", "Arial", None)
    assert (after.char, after.font, after.color) == ("•", "Arial", "#00FF00")


def test_tabs_and_direction(stage: Any) -> None:
    tabs = '<a:tabLst><a:tab pos="0"/><a:tab pos="914400" algn="r"/></a:tabLst>'
    paragraph = _paragraph(stage, f'<a:pPr rtl="1">{tabs}</a:pPr>')
    assert paragraph.right_to_left
    assert paragraph.tabs == ((914_400, "r"),)


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        ('<a:rPr spc="300"/>', {"spacing_pt": 3.0}),
        (
            '<a:rPr><a:solidFill><a:srgbClr val="FF0000"><a:alpha val="25000"/></a:srgbClr>'
            "</a:solidFill></a:rPr>",
            {"color": "#FF0000", "opacity_pct": 25, "detail": ""},
        ),
        ("<a:rPr><a:noFill/></a:rPr>", {"color": None, "opacity_pct": 0}),
        (
            '<a:rPr><a:ln w="9525"><a:solidFill><a:schemeClr val="accent1"/></a:solidFill></a:ln>'
            "</a:rPr>",
            {"outlined": True, "detail": "(ln w=9525 (solidFill #4F81BD/100))"},
        ),
        (
            "<a:rPr><a:ln><a:noFill/></a:ln><a:effectLst/></a:rPr>",
            {"outlined": False, "detail": ""},
        ),
    ],
)
def test_character_formatting(stage: Any, run: str, expected: dict[str, Any]) -> None:
    style = _paragraph(stage, "", run).runs[0].style
    assert {name: getattr(style, name) for name in expected} == expected


def test_shape_style_sets_color_and_font(stage: Any) -> None:
    style = (
        '<p:style><a:lnRef idx="0"/><a:fillRef idx="0"/><a:effectRef idx="0"/>'
        '<a:fontRef idx="major"><a:schemeClr val="accent3"/></a:fontRef></p:style>'
    )
    body = "<a:bodyPr/><a:p><a:r><a:t>x</a:t></a:r></a:p>"
    run_style = stage.box(style=style, body=body).paragraphs[0].runs[0].style
    assert (run_style.color, run_style.font) == ("#9BBB59", "Calibri")


def test_link_tooltips(stage: Any) -> None:
    click = '<a:hlinkClick r:id="rId77" tooltip="Go on"/>'
    body = f"<a:bodyPr/><a:p><a:r><a:rPr>{click}</a:rPr><a:t>x</a:t></a:r></a:p>"
    rels = stage.rel("rId77", "hyperlink", "https://example.org/", external=True)
    shape = stage.box(body=body, non_visual=click, rels=rels)
    run = shape.paragraphs[0].runs[0]
    assert (run.link, run.tooltip) == (Link("https://example.org/"), "Go on")
    assert (shape.link, shape.tooltip) == (Link("https://example.org/"), "Go on")


def test_default_text_frame(stage: Any) -> None:
    assert stage.box().frame is None
    assert stage.box(body="<a:bodyPr/><a:p/>").frame == TextFrame()


def test_text_frame_settings(stage: Any) -> None:
    properties = (
        '<a:bodyPr lIns="1" tIns="2" rIns="3" bIns="4" anchor="ctr" anchorCtr="1" wrap="none" '
        'numCol="2" spcCol="360000" vert="vert270" rot="5400000"><a:prstTxWarp prst="textArchUp"/>'
        '<a:normAutofit fontScale="62500" lnSpcReduction="20000"/></a:bodyPr><a:p/>'
    )
    shape = stage.box(body=properties)
    assert shape.frame == TextFrame(
        (1, 2, 3, 4), "middle", True, False, 2, 360_000, "vert270", 62.5, 20.0, 90.0, "textArchUp"
    )
    assert shape.autofit == "text"


def test_text_frames_inherit_from_layout_and_master(lab: Any) -> None:
    def edit(deck: Any) -> None:
        layout = deck.slides[1].slide_layout.placeholders[0]._element.txBody.bodyPr
        master = deck.slide_master.placeholders[0]._element.txBody.bodyPr
        layout.set("lIns", "11")
        master.set("lIns", "22")
        master.set("rIns", "33")
        master.set("anchor", "b")

    frame = lab.edited(edit).slides[1].shapes[0].frame
    assert (frame.insets_emu[0], frame.insets_emu[2], frame.anchor) == (11, 33, "bottom")
    assert lab.original.slides[1].shapes[0].frame.anchor == "middle"


@pytest.mark.parametrize(
    ("target", "link"),
    [
        ("#_ftn1", Link("#_ftn1")),
        ("#_ftnref1", Link("#_ftnref1")),
        ("slide2.xml", Link(slide=2)),
        ("slide2.xml#top", Link(slide=2)),
        ("../media/plan.bin#page%202", Link("ppt/media/plan.bin#page 2")),
    ],
)
def test_link_targets_with_fragments(stage: Any, target: str, link: Link) -> None:
    click = '<a:hlinkClick r:id="rId77"/>'
    shape = stage.box(non_visual=click, rels=stage.rel("rId77", "hyperlink", target))
    assert shape.link == link
