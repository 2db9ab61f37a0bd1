"""Changes of less common formatting are reported, in several locations."""

from collections.abc import Callable
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.util import Inches
from tests.each_case import each_case

from pptarena.decks import read_deck
from pptarena.decks.diff import diff_decks
from pptarena.decks.package_writer import write_package

pytestmark = pytest.mark.slow

Edit = Callable[[Any], object]


def _fill(tag: str, color: str) -> Any:
    inside = f'<a:srgbClr val="{color}"/>' if len(color) == 6 else f'<a:schemeClr val="{color}"/>'
    return parse_xml(f"<a:{tag} {nsdecls('a')}><a:solidFill>{inside}</a:solidFill></a:{tag}>")


def _empty(tag: str) -> Any:
    return parse_xml(f"<a:{tag} {nsdecls('a')}/>")


def _set(path: str, name: str, value: str) -> Edit:
    """Return an edit that sets an attribute of the slide's element at an XPath."""

    def edit(slide: Any) -> None:
        (element,) = slide._element.xpath(path)
        element.set(name, value)

    return edit


def _add(path: str, *elements: Any) -> Edit:
    """Return an edit that appends copies of elements to the slide's element at an XPath."""

    def edit(slide: Any) -> None:
        (parent,) = slide._element.xpath(path)
        for element in elements:
            parent.append(etree.fromstring(etree.tostring(element)))

    return edit


def _both(*edits: Edit) -> Edit:
    def edit(slide: Any) -> None:
        for each in edits:
            each(slide)

    return edit


BOX = "//p:sp[p:nvSpPr/p:cNvPr/@name='Box']"
RUN = f"{BOX}//a:r[1]/a:rPr"
PLAIN = "//p:sp[p:nvSpPr/p:cNvPr/@name='Plain']//a:r/a:rPr"
PARAGRAPH = f"{BOX}//a:p[1]/a:pPr"
BODY = f"{BOX}//a:bodyPr"
CELL_RUN = "//a:tr[1]/a:tc[1]//a:rPr"
TITLE = "//p:sp[p:nvSpPr/p:nvPr/p:ph/@type='title']//a:bodyPr"


def _cell(row: int, column: int) -> str:
    return f"//a:tr[{row}]/a:tc[{column}]/a:tcPr"


def _deck(edit: Edit | None = None) -> bytes:
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "A title"
    for name, top in (("Box", 2), ("Plain", 3)):
        box = slide.shapes.add_textbox(Inches(1), Inches(top), Inches(4), Inches(1))
        box.name, box.text_frame.text = name, "Some words"
        run = box.text_frame.paragraphs[0].runs[0]
        run.font.underline = True if name == "Box" else None
        run._r.get_or_add_rPr()
        box.text_frame.paragraphs[0]._p.get_or_add_pPr()
    table = slide.shapes.add_table(3, 3, Inches(1), Inches(4), Inches(6), Inches(2)).table
    for row in table.rows:
        for cell in row.cells:
            cell.text = "x"
            cell.text_frame.paragraphs[0].runs[0].font.underline = True
            cell._tc.get_or_add_tcPr()
    if edit is not None:
        edit(slide)
    return write_package(presentation)


CHANGES: list[tuple[str, Edit, str, str]] = [
    ("fill", _add(RUN, _fill("uFill", "FF0000")), "formatting", "underline color none -> #FF0000"),
    ("scheme", _add(RUN, _fill("uFill", "accent1")), "formatting", "underline color none -> #"),
    ("line", _add(RUN, _fill("uLn", "00FF00")), "formatting", "underline color none -> #00FF00"),
    (
        "line and fill that follows the text",
        _add(RUN, _fill("uLn", "00FF00"), _empty("uFillTx")),
        "formatting",
        "underline color none -> #00FF00",
    ),
    (
        "fill over a line",
        _add(RUN, _fill("uLn", "00FF00"), _fill("uFill", "0000FF")),
        "formatting",
        "underline color none -> #0000FF",
    ),
    (
        "in a cell",
        _add(CELL_RUN, _fill("uFill", "FF0000")),
        "formatting",
        "row 1 column 1 underline color none -> #FF0000",
    ),
    (
        "from the list style",
        lambda slide: slide._element.xpath(f"{BOX}//a:lstStyle")[0].append(
            parse_xml(
                f"<a:lvl1pPr {nsdecls('a')}><a:defRPr><a:uFill><a:solidFill>"
                '<a:srgbClr val="FF0000"/></a:solidFill></a:uFill></a:defRPr></a:lvl1pPr>'
            )
        ),
        "formatting",
        "underline color none -> #FF0000",
    ),
    ("double strike", _set(RUN, "strike", "dblStrike"), "formatting", "strike no -> yes"),
    ("cell: vert", _set(_cell(1, 1), "vert", "vert"), "formatting", "row 1 column 1 vertical"),
    ("cell: vert270", _set(_cell(2, 3), "vert", "vert270"), "formatting", "row 2 column 3 vertic"),
    ("cell: eaVert", _set(_cell(3, 1), "vert", "eaVert"), "formatting", "vertical horz -> eaVert"),
    ("cell: word art", _set(_cell(3, 3), "vert", "wordArtVert"), "formatting", "wordArtVert"),
    (
        "cell: mongolian",
        _set(_cell(2, 2), "vert", "mongolianVert"),
        "formatting",
        "vertical horz -> mongolianVert",
    ),
    ("cell: centered", _set(_cell(1, 2), "anchorCtr", "1"), "formatting", "centered no -> yes"),
    ("table: rtl", _set("//a:tblPr", "rtl", "1"), "style", "right to left no -> yes"),
    ("table: rtl in words", _set("//a:tblPr", "rtl", "true"), "style", "right to left no -> yes"),
    (
        "columns: rtl",
        _both(_set(BODY, "numCol", "2"), _set(BODY, "rtlCol", "1")),
        "formatting",
        "columns right to left no -> yes",
    ),
    ("upright", _set(BODY, "upright", "1"), "formatting", "upright no -> yes"),
    ("upright title", _set(TITLE, "upright", "true"), "formatting", "upright no -> yes"),
    ("clipped", _set(BODY, "vertOverflow", "clip"), "formatting", "overflow overflow -> clip"),
    ("ellipsis", _set(BODY, "vertOverflow", "ellipsis"), "formatting", "overflow -> ellipsis"),
    ("fonts: top", _set(PARAGRAPH, "fontAlgn", "t"), "formatting", "font alignment base -> t"),
    ("fonts: middle", _set(PARAGRAPH, "fontAlgn", "ctr"), "formatting", "alignment base -> ctr"),
    ("fonts: bottom", _set(PARAGRAPH, "fontAlgn", "b"), "formatting", "alignment base -> b"),
]


@each_case("edit, aspect, text", [case[1:] for case in CHANGES], ids=[case[0] for case in CHANGES])
def test_formatting_change_is_reported_once(edit: Edit, aspect: str, text: str) -> None:
    before = read_deck(_deck(_set(BODY, "numCol", "2")) if "columns" in text else _deck())
    after = read_deck(_deck(edit))
    (change,) = diff_decks(before, after)
    assert change.aspect == aspect
    assert text in change.text
    (back,) = diff_decks(after, before)
    assert back.aspect == aspect
    assert diff_decks(after, read_deck(_deck(edit))) == ()


NO_CHANGES: list[tuple[str, Edit]] = [
    ("color without an underline", _add(PLAIN, _fill("uFill", "FF0000"))),
    ("fill that follows the text", _add(RUN, _empty("uFillTx"))),
    ("line that follows the text", _add(RUN, _empty("uLnTx"))),
    ("no strike", _set(RUN, "strike", "noStrike")),
    ("cell: horizontal", _set(_cell(1, 1), "vert", "horz")),
    ("cell: not centered", _set(_cell(1, 1), "anchorCtr", "0")),
    ("table: left to right", _set("//a:tblPr", "rtl", "0")),
    ("one column", _set(BODY, "rtlCol", "1")),
    ("not upright", _set(BODY, "upright", "0")),
    ("overflowing", _set(BODY, "vertOverflow", "overflow")),
    ("fonts: automatic", _set(PARAGRAPH, "fontAlgn", "auto")),
    ("fonts: on the base line", _set(PARAGRAPH, "fontAlgn", "base")),
]


@each_case("edit", [case[1] for case in NO_CHANGES], ids=[case[0] for case in NO_CHANGES])
def test_formatting_without_visible_effect_is_no_change(edit: Edit) -> None:
    assert diff_decks(read_deck(_deck()), read_deck(_deck(edit))) == ()


def test_removed_underline_includes_its_color() -> None:
    color = _add(RUN, _fill("uFill", "FF0000"))
    before, after = (_deck(edit) for edit in (color, _both(color, _set(RUN, "u", "none"))))
    changes = diff_decks(read_deck(before), read_deck(after))
    assert [change.what for change in changes] == ["underline"]


def test_double_strike_is_reported() -> None:
    decks = [read_deck(_deck(_set(RUN, "strike", kind))) for kind in ("sngStrike", "dblStrike")]
    (change,) = diff_decks(*decks)
    assert (change.what, change.aspect) == ("double strike", "formatting")
