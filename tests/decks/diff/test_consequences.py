"""Consequences of a change are grouped with it; unrelated changes nearby are not."""

from copy import deepcopy
from functools import partial
from typing import Any

import pytest
from lxml import etree
from pptx.enum.shapes import MSO_CONNECTOR
from pptx.enum.text import MSO_AUTO_SIZE
from pptx.oxml.ns import qn
from pptx.util import Inches, Pt
from tests.conftest import rgb
from tests.each_case import each_case

from pptarena.decks.diff.consequences import flatten_changes
from pptarena.rewards import Change, diff_decks, load_rubric, load_scope, score

_LAYOUT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/slideLayout"


def _changes(lab: Any, edit: Any) -> tuple[Change, ...]:
    changes: tuple[Change, ...] = diff_decks(lab.original, lab.edited(edit))
    return changes


def _add_link(lab: Any, deck: Any) -> Any:
    run = lab.shape_named(deck, 5, "Remark").text_frame.paragraphs[0].runs[0]
    run.hyperlink.address = "https://example.org"
    return run


def _insert_row(lab: Any, deck: Any) -> Any:
    rows = lab.shape_named(deck, 3, "Sales")._element.findall(f".//{qn('a:tr')}")
    rows[1].addprevious(deepcopy(rows[1]))
    for text in rows[1].getprevious().iter(qn("a:t")):
        text.text = "new"
    return rows


def _edit_theme(deck: Any, edit: Any) -> None:
    for rel in deck.slide_masters[0].part.rels.values():
        if rel.reltype.endswith("/theme"):
            root = etree.fromstring(rel.target_part.blob)
            edit(root)
            rel.target_part._blob = etree.tostring(root)


def _set_accent(root: Any) -> None:
    root.find(f".//{qn('a:accent1')}")[0].set("val", "C0392B")


def _set_theme_font(root: Any) -> None:
    root.find(f".//{qn('a:minorFont')}/{qn('a:latin')}").set("typeface", "Georgia")


def _set_layout(deck: Any, number: int, layout: int) -> None:
    for rel in deck.slides[number - 1].part.rels.values():
        if rel.reltype == _LAYOUT:
            rel._target = deck.slide_layouts[layout].part


def _demote_paragraph(lab: Any, deck: Any) -> Any:
    paragraph = deck.slides[1].placeholders[1].text_frame.paragraphs[1]
    paragraph.level = 1
    return paragraph


def _set_master_style(deck: Any) -> None:
    style = deck.slide_master._element.find(f".//{qn('p:titleStyle')}/{qn('a:lvl1pPr')}")
    style.find(qn("a:defRPr")).set("sz", "5000")


CAUSES: dict[str, tuple[Any, str]] = {
    "link": (_add_link, "hyperlinks_changed"),
    "row": (_insert_row, "tables_changed"),
    "theme color": (lambda lab, deck: _edit_theme(deck, _set_accent), "theme_colors_changed"),
    "theme font": (lambda lab, deck: _edit_theme(deck, _set_theme_font), "theme_fonts_changed"),
    "layout": (lambda lab, deck: _set_layout(deck, 2, 3), "layout_changed"),
    "level": (_demote_paragraph, "formatting_changed"),
    "master's style": (lambda lab, deck: _set_master_style(deck), "master_changed"),
}


@pytest.mark.slow
@each_case("name", CAUSES)
def test_one_cause_is_one_change(lab: Any, name: str) -> None:
    edit, kind = CAUSES[name]
    changes = _changes(lab, lambda deck: edit(lab, deck))
    assert [change.kind for change in changes] == [kind], [change.text for change in changes]
    assert changes[0].consequences
    assert len(list(flatten_changes(changes))) == 1 + len(changes[0].consequences)


def test_placeholder_size_is_no_consequence_of_master_font_size(lab: Any) -> None:
    def edit(deck: Any) -> None:
        _set_master_style(deck)
        layout = deck.slides[0].slide_layout
        next(iter(layout.placeholders)).width = lab.inches(3)

    details = [change.what for change in _changes(lab, edit)]
    assert any("layout '" in detail and ": size of the " in detail for detail in details), details
    assert "text style title 1 size" in details


def _hide_size(lab: Any, deck: Any) -> None:
    _add_link(lab, deck).font.size = Pt(31)


def _hide_color(lab: Any, deck: Any) -> None:
    _add_link(lab, deck).font.color.rgb = lab.rgb("12AB34")


def _hide_paint(lab: Any, deck: Any) -> None:
    _insert_row(lab, deck)
    cell = lab.shape_named(deck, 3, "Sales").table.cell(3, 1)
    cell.fill.solid()
    cell.fill.fore_color.rgb = lab.rgb("FF00FF")


def _hide_shape_color(lab: Any, deck: Any) -> None:
    _edit_theme(deck, _set_accent)
    lab.shape_named(deck, 5, "A").fill.fore_color.rgb = lab.rgb("C0392B")


def _hide_font(lab: Any, deck: Any) -> None:
    _edit_theme(deck, _set_theme_font)
    lab.shape_named(deck, 5, "Remark").text_frame.paragraphs[0].runs[0].font.name = "Impact"


def _hide_place(lab: Any, deck: Any) -> None:
    _set_layout(deck, 2, 3)
    deck.slides[1].shapes.title.left = lab.inches(4)
    deck.slides[1].shapes.title.top = lab.inches(6)
    deck.slides[1].shapes.title.width = deck.slides[1].shapes.title.height = lab.inches(1)


def _hide_size_in_level(lab: Any, deck: Any) -> None:
    _demote_paragraph(lab, deck).runs[0].font.size = Pt(9)


def _hide_move(lab: Any, deck: Any) -> None:
    _insert_row(lab, deck)
    lab.shape_named(deck, 3, "Sales").left += lab.inches(1)


def _hide_level(lab: Any, deck: Any) -> None:
    _set_layout(deck, 2, 3)
    _demote_paragraph(lab, deck)


UNRELATED: dict[str, tuple[Any, str]] = {
    "size next to a link": (_hide_size, "size"),
    "color next to a link": (_hide_color, "color"),
    "paint next to a row": (_hide_paint, "row 3 column 2 fill"),
    "fill next to a theme": (_hide_shape_color, "fill"),
    "font next to a theme": (_hide_font, "font"),
    "place next to a layout": (_hide_place, "place"),
    "size next to a level": (_hide_size_in_level, "size"),
    "level next to a layout": (_hide_level, "level"),
    "move next to a row": (_hide_move, "place"),
}


@pytest.mark.slow
@each_case("name", UNRELATED)
def test_unrelated_edit_is_reported_next_to_a_cause(lab: Any, name: str) -> None:
    edit, expected = UNRELATED[name]
    changes = _changes(lab, lambda deck: edit(lab, deck))
    assert expected in {change.what for change in changes}, [change.text for change in changes]


SCOPES: list[tuple[str, dict[str, Any], bool]] = [
    ("link", {"slides": [5], "aspects": ["hyperlinks"]}, True),
    ("link", {"slides": [5], "aspects": ["formatting"]}, False),
    ("row", {"slides": [3], "aspects": ["tables"]}, True),
    ("layout", {"slides": [2], "aspects": ["layout"]}, True),
    ("layout", {"slides": [2], "aspects": ["geometry", "formatting"]}, False),
    ("theme color", {"slides": "all", "aspects": ["master"]}, True),
    ("theme font", {"slides": "all", "aspects": ["formatting"]}, False),
]


@pytest.mark.slow
@each_case("name, scope, in_scope", SCOPES)
def test_consequences_are_in_scope_with_their_cause(
    lab: Any, name: str, scope: dict[str, Any], in_scope: bool
) -> None:
    leaf = {"name": "rest", "check": "nothing_else_changed", "args": {"per_change": 0.25}}
    rubric = load_rubric({"version": 1, "root": {"name": "root", "children": [leaf]}})
    edited = lab.edited(lambda deck: CAUSES[name][0](lab, deck))
    node = score(rubric, lab.original, edited, load_scope(scope)).children[0]
    assert node.score == (1.0 if in_scope else 0.75), node.reason


def test_consequences_are_serialized_with_text(lab: Any) -> None:
    change = _changes(lab, lambda deck: _add_link(lab, deck))[0]
    assert [each["text"] for each in change.to_json()["consequences"]] == [
        "slide 5: formatting changed of the text box 'Remark': underline none -> sng"
    ]


def _add_growing_box(deck: Any, height_in: float, *edits: Any) -> None:
    """Add a box that grows with its one line of 24-point text to the fifth slide."""
    slide = deck.slides[4]
    box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(4), Inches(height_in))
    box.name = "Grows"
    frame = box.text_frame
    frame.word_wrap, frame.auto_size = True, MSO_AUTO_SIZE.SHAPE_TO_FIT_TEXT
    frame.text = "One line of words"
    frame.paragraphs[0].runs[0].font.size = Pt(24)
    for edit in edits:
        edit(box)


def _fill(box: Any) -> None:
    box.fill.solid()
    box.fill.fore_color.rgb = rgb("C00000")


def _box_changes(lab: Any, height_in: float, *edits: Any) -> tuple[Change, ...]:
    before = lab.edited(lambda deck: _add_growing_box(deck, 1.2))
    changes: tuple[Change, ...] = diff_decks(
        before, lab.edited(lambda deck: _add_growing_box(deck, height_in, *edits))
    )
    return changes


def test_autofit_of_a_box_is_a_consequence_of_any_edit(lab: Any) -> None:
    (change,) = _box_changes(lab, 0.5, _fill)
    assert change.aspect == "style"
    assert [each.aspect for each in change.consequences] == ["geometry"]


@pytest.mark.parametrize(("height_in", "edits"), [(3.0, (_fill,)), (0.5, ())])
def test_resizing_not_explained_by_autofit_is_a_change(
    lab: Any, height_in: float, edits: tuple[Any, ...]
) -> None:
    assert "geometry" in {change.aspect for change in _box_changes(lab, height_in, *edits)}


@pytest.mark.parametrize(("height_in", "count"), [(1.7, 1), (5.5, 2)])
def test_word_wider_than_its_box_is_broken(lab: Any, height_in: float, count: int) -> None:
    def narrow(box: Any) -> None:
        box.width = Inches(0.9)
        box.text_frame.paragraphs[0].runs[0].text = "Unbreakableword"

    before = lab.edited(lambda deck: _add_growing_box(deck, 1.2, narrow))
    after = lab.edited(lambda deck: _add_growing_box(deck, height_in, narrow, _fill))
    assert len(diff_decks(before, after)) == count


def test_autofit_is_a_consequence_of_a_background_edit(lab: Any) -> None:
    def edit(deck: Any) -> None:
        _add_growing_box(deck, 0.5)
        fill = deck.slides[4].background.fill
        fill.solid()
        fill.fore_color.rgb = rgb("FFD500")

    before = lab.edited(lambda deck: _add_growing_box(deck, 1.2))
    (change,) = diff_decks(before, lab.edited(edit))
    assert change.aspect == "background"


def _add_glued_line(deck: Any, box_left: float, line_left: float) -> None:
    """Add a box and a line glued to it to the fifth slide; positions are in inches."""
    shapes = deck.slides[4].shapes
    box = shapes.add_textbox(Inches(1), Inches(1), Inches(2), Inches(1))
    box.text_frame.text = "Here"
    line = shapes.add_connector(MSO_CONNECTOR.STRAIGHT, 0, 0, Inches(1), Inches(1))
    line.begin_connect(box, 3)
    box.left = Inches(box_left)
    line.left, line.width = Inches(line_left), Inches(8 - line_left)


@pytest.mark.parametrize(("box_left", "line_left", "count"), [(2, 4, 1), (1, 4, 2), (2, 3, 1)])
def test_glued_line_follows_its_box(
    lab: Any, box_left: float, line_left: float, count: int
) -> None:
    before = lab.edited(lambda deck: _add_glued_line(deck, 1, 3))
    changes = diff_decks(
        before, lab.edited(lambda deck: _add_glued_line(deck, box_left, line_left))
    )
    assert len(changes) == count
    if box_left == 2:
        assert "text box" in changes[0].shape
        assert bool(changes[0].consequences) == (line_left == 4)


@pytest.mark.parametrize(("inset_pt", "count"), [(3.6 + 2, 1), (3.6 + 9, 2)])
def test_insets_grow_with_the_line_width(lab: Any, inset_pt: float, count: int) -> None:
    def set_line(width_pt: float, inset_pt: float) -> Any:
        def edit(box: Any) -> None:
            box.line.color.rgb = rgb("000000")
            box.line.width = Pt(width_pt)
            frame = box.text_frame
            frame.margin_top = frame.margin_bottom = Pt(inset_pt)
            frame.margin_left = frame.margin_right = Pt(inset_pt)

        return edit

    before = lab.edited(lambda deck: _add_growing_box(deck, 1.2, set_line(1, 3.6)))
    after = lab.edited(lambda deck: _add_growing_box(deck, 1.2, set_line(5, inset_pt)))
    assert len(diff_decks(before, after)) == count


@pytest.mark.slow
def test_notes_prompt_is_a_consequence_of_a_theme_change(lab: Any) -> None:
    def set_notes(deck: Any, text: str) -> None:
        deck.slides[4].notes_slide.notes_text_frame.text = text

    def edit(deck: Any, text: str) -> None:
        _edit_theme(deck, _set_accent)
        set_notes(deck, text)

    before = lab.edited(lambda deck: set_notes(deck, ""))
    kinds = [
        [change.kind for change in diff_decks(before, lab.edited(partial(edit, text=text)))]
        for text in ("Click to add Notes", "Another text")
    ]
    assert kinds == [["theme_colors_changed"], ["theme_colors_changed", "notes_changed"]]
    (notes_change,) = diff_decks(
        before, lab.edited(lambda deck: set_notes(deck, "Click to add Notes"))
    )
    assert notes_change.kind == "notes_changed"


def test_values_and_flags_are_never_consequences_of_a_theme(lab: Any) -> None:
    def edit(deck: Any) -> None:
        _edit_theme(deck, _set_accent)
        deck.slides[1]._element.set("show", "0")
        lab.shape_named(deck, 5, "Remark").text_frame.paragraphs[0].runs[0].font.bold = True
        chart = lab.shape_named(deck, 4, "Revenue chart").chart
        series = {s.name: tuple(value + 1 for value in s.values) for s in chart.plots[0].series}
        chart.replace_data(lab.chart_data(**series))

    aspects = {change.aspect for change in _changes(lab, edit)}
    assert {"master", "visibility", "formatting", "charts"} <= aspects


def test_removed_empty_cells_excuse_no_formatting(lab: Any) -> None:
    def add_table(deck: Any) -> Any:
        frame = deck.slides[0].shapes.add_table(3, 3, 0, 0, Inches(6), Inches(2))
        frame.name = "Plain"
        properties = frame.table._tbl.tblPr
        for name in ("firstRow", "bandRow"):
            properties.attrib.pop(name, None)
        for column, text in enumerate(("Item", "Cost", "Notes")):
            frame.table.cell(0, column).text = text
        return frame.table

    def remove_last_column(deck: Any, *, struck: bool) -> None:
        table_xml = add_table(deck)._tbl
        table_xml.tblGrid.remove(table_xml.tblGrid[-1])
        for row in table_xml.tr_lst:
            row.remove(row.tc_lst[-1])
        for run in table_xml.iter(qn("a:r")):
            run.get_or_add_rPr().set("strike", "sngStrike" if struck else "noStrike")

    before = lab.edited(add_table)
    plain = diff_decks(before, lab.edited(partial(remove_last_column, struck=False)))
    assert {change.aspect for change in plain} == {"tables", "geometry"}
    struck = diff_decks(before, lab.edited(partial(remove_last_column, struck=True)))
    assert [c.what for c in struck if c.aspect == "formatting"] == [
        "row 1 column 1 strike",
        "row 1 column 2 strike",
    ]
