import dataclasses
import hashlib
import pickle
from typing import Any

import pytest
from lxml import etree
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.text import PP_ALIGN
from pptx.oxml.ns import qn

from pptarena.decks import Animation, Link, Shape, Transition
from pptarena.rewards import Deck, diff_decks, read_deck


def _shape(deck: Deck, slide: int, name: str) -> Shape:
    return next(s for s in deck.slides[slide - 1].shapes if s.name == name)


def test_slides_follow_the_show_order(lab: Any) -> None:
    deck = lab.edited(lambda presentation: lab.move_slide(presentation, 5, 0))
    titles = [slide.title for slide in deck.slides]
    assert titles == ["Thanks", "Annual report", "Agenda", "Figures", "Chart", "Shapes"]
    assert [slide.index for slide in deck.slides] == list(range(6))


def test_reading_again_returns_equal_facts(lab: Any) -> None:
    assert read_deck(lab.base).slides == lab.original.slides


def test_facts_can_be_pickled(lab: Any) -> None:
    copy = pickle.loads(pickle.dumps(lab.original))
    assert copy.slides == lab.original.slides
    assert copy.masters == lab.original.masters
    assert diff_decks(lab.original, copy) == ()


def test_facts_are_immutable(lab: Any) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        lab.original.slides[0].hidden = True


def test_text_inherits_size_font_and_color(lab: Any) -> None:
    slide = lab.original.slides[1]
    title, body = (shape.paragraphs[0].runs[0].style for shape in slide.shapes)
    assert (title.size_pt, body.size_pt) == (44, 32)
    assert title.font == body.font == "Calibri"
    assert title.color == "#000000"
    assert slide.shapes[0].paragraphs[0].align == "center"
    assert slide.shapes[1].paragraphs[0].bullet.char == "•"


def test_levels_have_their_own_style(lab: Any) -> None:
    def edit(deck: Any) -> None:
        deck.slides[1].placeholders[1].text_frame.paragraphs[1].level = 2

    paragraphs = lab.edited(edit).slides[1].shapes[1].paragraphs
    assert [p.level for p in paragraphs] == [0, 2, 0]
    assert paragraphs[1].runs[0].style.size_pt == 24


def test_theme_colors_are_resolved(lab: Any) -> None:
    def edit(deck: Any) -> None:
        font = lab.shape_named(deck, 5, "Remark").text_frame.paragraphs[0].runs[0].font
        font.color.theme_color = MSO_THEME_COLOR.ACCENT_2
        font.color.brightness = -0.5
        lab.shape_named(deck, 5, "A").fill.fore_color.theme_color = MSO_THEME_COLOR.BACKGROUND_1

    deck = lab.edited(edit)
    assert _shape(deck, 5, "Remark").paragraphs[0].runs[0].style.color == "#632523"
    assert _shape(deck, 5, "A").fill.color == "#FFFFFF"
    assert deck.masters[0].colors["accent2"] == "#C0504D"


def test_shape_style_sets_fill_line_and_text_color(lab: Any) -> None:
    def edit(deck: Any) -> None:
        shape = lab.shape_named(deck, 5, "A")
        shape._element.spPr.remove(shape._element.spPr.find(qn("a:solidFill")))
        shape.text_frame.text = "inside"

    shape = _shape(lab.edited(edit), 5, "A")
    assert shape.fill.kind == "gradient"
    assert shape.line.paint.color == "#4A7EBB"
    assert shape.paragraphs[0].runs[0].style.color == "#FFFFFF"


def test_runs_with_equal_style_are_merged(lab: Any) -> None:
    def edit(deck: Any) -> None:
        paragraph = lab.shape_named(deck, 5, "Remark").text_frame.paragraphs[0]
        paragraph.runs[0].text = "Ac"
        paragraph.add_run().text = "me"
        run = paragraph.add_run()
        run.text, run.font.bold = " grows", True
        paragraph.alignment = PP_ALIGN.RIGHT

    paragraph = _shape(lab.edited(edit), 5, "Remark").paragraphs[0]
    assert [(run.text, run.style.bold) for run in paragraph.runs] == [
        ("Acme", False),
        (" grows", True),
    ]
    assert paragraph.align == "right"


def test_placeholders_inherit_their_position(lab: Any) -> None:
    title = lab.original.slides[1].shapes[0]
    assert (title.placeholder, title.kind) == ("title", "placeholder")
    assert (title.box.left, title.box.width) == (457_200, 8_229_600)
    assert title.geometry == "rect"


def test_group_members_have_slide_coordinates(lab: Any) -> None:
    def edit(deck: Any) -> None:
        members = [lab.shape_named(deck, 5, name) for name in ("A", "B")]
        group = deck.slides[4].shapes.add_group_shape(members)
        group.left, group.top = 0, 0
        group.width, group.height = group.width * 2, group.height * 2

    deck = lab.edited(edit)
    group = next(s for s in deck.slides[4].shapes if s.kind == "group")
    a, b = _shape(deck, 5, "A"), _shape(deck, 5, "B")
    assert a.group == b.group == group.index
    assert (a.box.left, a.box.top) == (0, 0)
    assert a.box.width == 2 * 914_400
    assert b.box.right == group.box.right


def test_tables_charts_and_pictures(lab: Any) -> None:
    table = _shape(lab.original, 3, "Sales").table
    assert table is not None
    assert [[cell.text for cell in row] for row in table.rows][1] == ["North", "10", "12"]
    shape = _shape(lab.original, 4, "Revenue chart")
    assert shape.chart is not None
    assert (shape.chart.type, shape.chart.grouping) == ("column", "clustered")
    assert shape.chart.title == "Revenue"
    assert shape.chart.series[1].name == "South"
    assert shape.chart.series[1].categories == ("Q1", "Q2")
    assert shape.chart.series[1].values == (3.0, 4.0)
    logo = _shape(lab.original, 4, "Logo")
    assert logo.picture is not None
    assert logo.picture.sha256 == hashlib.sha256(lab.picture_bytes("red")).hexdigest()
    assert logo.alt_text == "The old logo"


def test_merged_cells_have_spans(lab: Any) -> None:
    def edit(deck: Any) -> None:
        table = lab.shape_named(deck, 3, "Sales").table
        table.cell(0, 0).merge(table.cell(1, 1))

    table = _shape(lab.edited(edit), 3, "Sales").table
    assert table is not None
    assert table.rows[0][0].spans == (2, 2)
    assert table.rows[1][1].spans == (0, 0)


def test_notes_transition_animations_and_hidden(lab: Any) -> None:
    slides = lab.original.slides
    assert slides[5].notes == "Say thanks to Acme"
    assert slides[0].notes == ""
    assert slides[1].transition == Transition("fade", "", 0.7)
    assert slides[4].animations[0] == Animation(
        "entrance", "fade", 10, "on_click", 1, None, 0.5, 0.0
    )
    assert slides[4].animations[1].effect == "fly_in"
    assert slides[4].animations[1].trigger == "after_previous"
    hidden = lab.edited(lambda deck: deck.slides[2]._element.set("show", "0"))
    assert [slide.hidden for slide in hidden.slides] == [False, False, True, False, False, False]


def test_transition_in_alternate_content(lab: Any) -> None:
    def edit(deck: Any) -> None:
        root = deck.slides[1]._element
        old = next(child for child in root if child.tag.endswith("}transition"))
        mc = "http://schemas.openxmlformats.org/markup-compatibility/2006"
        outer = etree.SubElement(root, f"{{{mc}}}AlternateContent")
        namespaces = {"p14": "http://schemas.microsoft.com/office/powerpoint/2010/main"}
        choice = etree.SubElement(outer, f"{{{mc}}}Choice", nsmap=namespaces, Requires="p14")
        fallback = etree.SubElement(outer, f"{{{mc}}}Fallback")
        etree.SubElement(fallback, old.tag, spd="slow")
        choice.append(old)

    assert lab.edited(edit).slides[1].transition == Transition("fade", "", 0.7)


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ('spd="slow" advClick="0" advTm="2500"', Transition("wipe", "dir=u", 1.0, False, 2.5)),
        ("", Transition("wipe", "dir=u", 0.5)),
    ],
)
def test_transition_times(lab: Any, attributes: str, expected: Transition) -> None:
    xml = f'<p:transition {attributes}><p:wipe dir="u"/></p:transition>'
    deck = lab.edited(lambda presentation: lab.set_transition(presentation.slides[0], xml))
    assert deck.slides[0].transition == expected


def test_fields_are_read_as_their_type(lab: Any) -> None:
    def edit(deck: Any) -> None:
        paragraph = lab.shape_named(deck, 5, "Remark").text_frame.paragraphs[0]._p
        field = paragraph.makeelement(qn("a:fld"), {"type": "slidenum", "id": "{0}"})
        text = field.makeelement(qn("a:t"), {})
        text.text = "5"
        field.append(text)
        paragraph.append(field)

    assert _shape(lab.edited(edit), 5, "Remark").text == "Acme grows fast[slidenum]"


def test_links_to_addresses_and_slides(lab: Any) -> None:
    def edit(deck: Any) -> None:
        shape = lab.shape_named(deck, 5, "Remark")
        shape.text_frame.paragraphs[0].runs[0].hyperlink.address = "https://example.org"
        lab.shape_named(deck, 5, "A").click_action.target_slide = deck.slides[2]

    deck = lab.edited(edit)
    run = _shape(deck, 5, "Remark").paragraphs[0].runs[0]
    assert run.link == Link("https://example.org")
    assert run.style.underline == "sng"
    assert _shape(deck, 5, "A").link == Link(slide=3)


def test_backgrounds_are_inherited_or_overridden(lab: Any) -> None:
    def edit(deck: Any) -> None:
        fill = deck.slides[1].background.fill
        fill.solid()
        fill.fore_color.rgb = lab.rgb("010203")

    slides = lab.edited(edit).slides
    assert slides[0].background.color == "#FFFFFF"
    assert slides[1].background.color == "#010203"
