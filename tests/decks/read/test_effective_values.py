"""Values that apply if a file omits them, as LibreOffice renders them."""

from typing import Any

import pytest
from pptx import Presentation
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from tests.each_case import each_case

from pptarena.decks import Box, Shape
from pptarena.decks.package_writer import write_package
from pptarena.rewards import read_deck

XFRM = '<a:xfrm><a:off x="300000" y="400000"/><a:ext cx="3000000" cy="900000"/></a:xfrm>'
ROTATED_XFRM = XFRM.replace("<a:xfrm>", '<a:xfrm rot="2700000" flipH="1">')
STYLE = (
    '<p:style><a:lnRef idx="{0}"><a:srgbClr val="0000FF"/></a:lnRef><a:fillRef idx="{0}">'
    '<a:srgbClr val="00FF00"/></a:fillRef><a:effectRef idx="0"/><a:fontRef idx="minor">'
    '<a:srgbClr val="ABCDEF"/></a:fontRef></p:style>'
)


def _element(xml: str) -> Any:
    end = min(at for at in (xml.find(mark) for mark in (" ", ">", "/>")) if at > 0)
    return parse_xml(f"{xml[:end]} {nsdecls('a', 'p')}{xml[end:]}")


def _holder(mark: str, properties: str, size: int = 1500, style: str = "", text: str = "") -> Any:
    list_style = f'<a:lvl1pPr><a:defRPr sz="{size}"/></a:lvl1pPr>' if size else ""
    return _element(
        f'<p:sp><p:nvSpPr><p:cNvPr id="99" name="S"/><p:cNvSpPr/><p:nvPr>{mark}</p:nvPr></p:nvSpPr>'
        f"<p:spPr>{properties}</p:spPr>{style}<p:txBody><a:bodyPr/><a:lstStyle>{list_style}"
        f"</a:lstStyle><a:p>{text or '<a:r><a:t>x</a:t></a:r>'}</a:p></p:txBody></p:sp>"
    )


def _shape(
    mark: str, properties: str = "", layout: tuple[Any, ...] = (), style: str = "", text: str = ""
) -> Shape:
    """Return a shape of a slide whose layout has these placeholders."""
    deck: Any = Presentation()
    slide_layout = deck.slide_layouts[5]
    for each in slide_layout.placeholders:
        each._element.getparent().remove(each._element)
    for each in layout:
        slide_layout.shapes._spTree.append(each)
    slide = deck.slides.add_slide(slide_layout)
    for each in slide.shapes:
        each._element.getparent().remove(each._element)
    slide.shapes._spTree.append(_holder(mark, properties, 0, style, text))
    return _facts(deck)[0]


def _facts(deck: Any) -> tuple[Shape, ...]:
    return read_deck(write_package(deck)).slides[0].shapes


BODY = '<p:ph type="body" idx="5"/>'


@pytest.mark.parametrize(
    ("own", "inherited", "box"),
    [
        ('<a:xfrm><a:off x="6" y="7"/></a:xfrm>', XFRM, Box(6, 7, 3_000_000, 900_000)),
        ('<a:xfrm rot="5400000"/>', XFRM, Box(300_000, 400_000, 3_000_000, 900_000, 90.0)),
        ('<a:xfrm><a:ext cx="8" cy="9"/></a:xfrm>', XFRM, Box(300_000, 400_000, 8, 9)),
        ('<a:xfrm><a:ext cx="0" cy="9"/></a:xfrm>', XFRM, Box(300_000, 400_000, 0, 9)),
        ('<a:xfrm flipV="1"/>', XFRM, Box(300_000, 400_000, 3_000_000, 900_000, 0, False, True)),
        ("", ROTATED_XFRM, Box(300_000, 400_000, 3_000_000, 900_000, 45.0, True)),
        ("<a:xfrm/>", ROTATED_XFRM, Box(300_000, 400_000, 3_000_000, 900_000)),
        ("", '<a:xfrm><a:off x="1" y="2"/></a:xfrm>', Box(1, 2, 8_229_600, 4_525_963)),
    ],
)
def test_position_components_are_inherited_individually(own: str, inherited: str, box: Box) -> None:
    assert _shape(BODY, own, (_holder(BODY, inherited),)).box == box


@pytest.mark.slow
@each_case(
    "mark, layout_marks, size",
    [
        ('type="body" idx="4294967295"', ['type="subTitle" idx="6"'], 32),
        ('type="body" idx="4294967295"', [], 32),
        ('type="body" idx="7"', ['type="body" idx="5"'], 15),
        ('type="body"', ['type="body" idx="5"'], 15),
        ('idx="7"', ['type="body" idx="5"'], 15),
        ('idx="7"', ['type="subTitle" idx="5"'], 32),
        ('type="subTitle" idx="7"', ['type="body" idx="5"'], 15),
        ('type="title"', ['type="ctrTitle" idx="5"'], 44),
        ('type="body" idx="9"', ['type="body" idx="5"', 'type="body" idx="6"'], 16),
        ('type="body" idx="5"', ['type="body" idx="5"', 'type="body" idx="6"'], 15),
    ],
)
def test_placeholder_inherits_from_its_layout_counterpart(
    mark: str, layout_marks: list[str], size: float
) -> None:
    layout = [
        _holder(f"<p:ph {each}/>", XFRM, 1500 + 100 * at) for at, each in enumerate(layout_marks)
    ]
    shape = _shape(f"<p:ph {mark}/>", XFRM, tuple(layout))
    assert shape.paragraphs[0].runs[0].style.size_pt == size


@pytest.mark.parametrize("width", [1, 3175, 6350, 9525, 12700])
def test_thin_lines_keep_their_width(width: int) -> None:
    red = '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'
    shape = _shape("", f'{XFRM}<a:prstGeom prst="rect"/><a:ln w="{width}">{red}</a:ln>')
    assert shape.line.width_pt == round(width / 12700, 2)


def test_shape_style_takes_precedence_over_the_layout() -> None:
    unformatted = f"{XFRM}<a:noFill/><a:ln><a:noFill/></a:ln>"
    shape = _shape(BODY, XFRM, (_holder(BODY, unformatted),), STYLE.format(2))
    assert shape.line.paint.color == "#0000FF"
    assert shape.fill.kind != "none"
    green = '<a:solidFill><a:srgbClr val="00AA00"/></a:solidFill>'
    formatted = f'{XFRM}{green}<a:ln w="38100">{green}</a:ln>'
    shape = _shape(BODY, XFRM, (_holder(BODY, formatted),), STYLE.format(0))
    assert (shape.fill.color, shape.line.width_pt) == ("#00AA00", 3.0)


def test_fill_without_color_keeps_the_inherited_value() -> None:
    empty = "<a:solidFill/>"
    green = '<a:solidFill><a:srgbClr val="00AA00"/></a:solidFill>'
    assert _shape("", XFRM + empty).fill.kind == "none"
    assert _shape(BODY, XFRM + empty, (_holder(BODY, XFRM + green),)).fill.color == "#00AA00"
    line = f'{XFRM}<a:prstGeom prst="rect"/><a:ln w="25400">{empty}</a:ln>'
    assert _shape("", line, style=STYLE.format(1)).line.paint.color is not None
    run = f"<a:r><a:rPr>{empty}</a:rPr><a:t>x</a:t></a:r>"
    style = _shape("", XFRM, text=run, style=STYLE.format(1)).paragraphs[0].runs[0].style
    assert style.color == "#ABCDEF"
    assert _shape("", XFRM, text=run).paragraphs[0].runs[0].style.color == "#000000"


def _text_everywhere(change: Any) -> list[tuple[float, bool]]:
    """Return size and italics of title, content, text box and table cell."""
    deck: Any = Presentation()
    change(deck)
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text, slide.placeholders[1].text = "Title", "Content"
    slide.shapes.add_textbox(0, 0, 9_000_000, 900_000).text_frame.text = "Box"
    slide.shapes.add_table(1, 1, 0, 0, 9_000_000, 900_000).table.cell(0, 0).text = "Cell"
    shapes = _facts(deck)
    texts = [s.paragraphs if s.table is None else s.table.rows[0][0].paragraphs for s in shapes]
    return [(text[0].runs[0].style.size_pt, text[0].runs[0].style.italic) for text in texts]


def test_text_boxes_inherit_the_default_text_style() -> None:
    def italicize(deck: Any) -> None:
        for properties in deck.part._element.find(qn("p:defaultTextStyle")).iter(qn("a:defRPr")):
            properties.set("i", "1")

    assert _text_everywhere(italicize) == [(44, False), (32, False), (18, True), (18, False)]


def test_tables_inherit_the_other_style_of_the_master() -> None:
    def shrink(deck: Any) -> None:
        for properties in deck.part._element.find(qn("p:defaultTextStyle")).iter(qn("a:defRPr")):
            properties.attrib.pop("sz", None)
        styles = deck.slide_masters[0]._element.find(qn("p:txStyles"))
        for properties in styles.find(qn("p:otherStyle")).iter(qn("a:defRPr")):
            properties.set("sz", "1200")

    assert _text_everywhere(shrink) == [(44, False), (32, False), (18, False), (12, False)]


def test_table_is_as_wide_as_its_columns() -> None:
    deck: Any = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    frame = slide.shapes.add_table(1, 2, 0, 0, 6_000_000, 900_000)
    frame._element.find(qn("p:xfrm")).find(qn("a:ext")).set("cx", "1000000")
    assert _facts(deck)[0].box.width == 6_000_000


def _kind_of_box(is_text_box: bool, properties: str, text: str = "words") -> str:
    holder = _holder("", f'{XFRM}<a:prstGeom prst="rect"/>{properties}', 0)
    if is_text_box:
        holder.find(qn("p:nvSpPr")).find(qn("p:cNvSpPr")).set("txBox", "1")
    for each in holder.iter(qn("a:t")):
        each.text = text
    deck: Any = Presentation()
    deck.slides.add_slide(deck.slide_layouts[6]).shapes._spTree.append(holder)
    return _facts(deck)[0].kind


def test_shape_that_shows_only_text_is_a_text_box() -> None:
    filled = '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'
    assert [_kind_of_box(is_text_box, "") for is_text_box in (True, False)] == ["text_box"] * 2
    assert [_kind_of_box(is_text_box, filled) for is_text_box in (True, False)] == [
        "text_box",
        "shape",
    ]
    assert _kind_of_box(False, "", text="") == "shape"
    assert _kind_of_box(False, f"<a:ln>{filled}</a:ln>") == "shape"
