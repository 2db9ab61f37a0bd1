import io
import json
from copy import deepcopy
from typing import Any

import pytest
from pptx.enum.text import MSO_ANCHOR
from pptx.util import Emu, Pt
from tests.each_case import each_case

from pptarena.decks.diff.change import ASPECTS
from pptarena.decks.diff.consequences import flatten_changes
from pptarena.rewards import diff_decks, read_deck
from pptarena.vm_images.office import Office


def _kinds(lab: Any, edit: Any) -> list[str]:
    return [change.kind for change in diff_decks(lab.original, lab.edited(edit))]


def _remark(lab: Any, deck: Any) -> Any:
    return lab.shape_named(deck, 5, "Remark")


def _run(lab: Any, deck: Any) -> Any:
    return _remark(lab, deck).text_frame.paragraphs[0].runs[0]


def _set_bold(lab: Any, deck: Any) -> None:
    _run(lab, deck).font.bold = True


def _set_color(lab: Any, deck: Any) -> None:
    _run(lab, deck).font.color.rgb = lab.rgb("FF0000")


def _move_shape(lab: Any, deck: Any) -> None:
    _remark(lab, deck).left += lab.inches(1)


def _remove_shape(lab: Any, deck: Any) -> None:
    element = lab.shape_named(deck, 5, "C")._element
    element.getparent().remove(element)


def _set_text(lab: Any, deck: Any) -> None:
    _remark(lab, deck).text_frame.text = "Acme shrinks"


def _set_fill(lab: Any, deck: Any) -> None:
    lab.shape_named(deck, 5, "A").fill.fore_color.rgb = lab.rgb("FF0000")


def _restack(lab: Any, deck: Any) -> None:
    tree = deck.slides[4].shapes._spTree
    element = lab.shape_named(deck, 5, "A")._element
    tree.remove(element)
    tree.append(element)


def _set_picture(lab: Any, deck: Any) -> None:
    logo = lab.shape_named(deck, 4, "Logo")
    part, rel = deck.slides[3].part.get_or_add_image_part(io.BytesIO(lab.picture_bytes("blue")))
    assert part is not None
    logo._element.blipFill.blip.rEmbed = rel


def _set_crop(lab: Any, deck: Any) -> None:
    lab.shape_named(deck, 4, "Logo").crop_left = 0.25


def _set_cell(lab: Any, deck: Any) -> None:
    lab.shape_named(deck, 3, "Sales").table.cell(1, 1).text = "11"


def _set_chart(lab: Any, deck: Any) -> None:
    lab.shape_named(deck, 4, "Revenue chart").chart.chart_title.text_frame.text = "Costs"


def _set_alt(lab: Any, deck: Any) -> None:
    lab.shape_named(deck, 4, "Logo")._element.nvPicPr.cNvPr.set("descr", "New")


def _set_link(lab: Any, deck: Any) -> None:
    _run(lab, deck).hyperlink.address = "https://example.org"


def _set_notes(lab: Any, deck: Any) -> None:
    deck.slides[0].notes_slide.notes_text_frame.text = "Hello"


def _set_transition(lab: Any, deck: Any) -> None:
    lab.set_transition(deck.slides[1], "")


def _set_animations(lab: Any, deck: Any) -> None:
    lab.set_animations(deck.slides[4], [])


def _hide(lab: Any, deck: Any) -> None:
    deck.slides[2]._element.set("show", "0")


def _set_background(lab: Any, deck: Any) -> None:
    fill = deck.slides[2].background.fill
    fill.solid()
    fill.fore_color.rgb = lab.rgb("000000")


def _set_layout(lab: Any, deck: Any) -> None:
    part = deck.slides[2].part
    rel = next(rel for rel in part.rels.values() if rel.reltype.endswith("slideLayout"))
    rel._target = deck.slide_layouts[6].part


def _set_size(lab: Any, deck: Any) -> None:
    deck.slide_width = lab.inches(13)


def _set_properties(lab: Any, deck: Any) -> None:
    deck.core_properties.title = "Plan for 2027"


def _add_row(lab: Any, deck: Any) -> None:
    table = lab.shape_named(deck, 3, "Sales").table
    row = deepcopy(table._tbl.tr_lst[1])
    table._tbl.append(row)
    table.cell(3, 0).text_frame.paragraphs[0].runs[0].text = "West"


def _add_row_above_the_last(lab: Any, deck: Any) -> None:
    rows = lab.shape_named(deck, 3, "Sales").table._tbl.tr_lst
    row = deepcopy(rows[-1])
    rows[-1].addprevious(row)
    for cell in row.tc_lst:
        cell.txBody.p_lst[0].r_lst[0].text = "ICU"
    rows[-1].tc_lst[1].txBody.p_lst[0].r_lst[0].text = "106"


def _set_header_row(lab: Any, deck: Any) -> None:
    lab.shape_named(deck, 3, "Sales").table.first_row = False


def _move_title_of_layout(lab: Any, deck: Any) -> None:
    title = deck.slide_layouts[1].placeholders[0]
    title.left, title.top, title.width, title.height = map(lab.inches, (1, 3, 8, 1))


def _set_anchor(lab: Any, deck: Any) -> None:
    _remark(lab, deck).text_frame.vertical_anchor = MSO_ANCHOR.BOTTOM


CASES: list[tuple[Any, list[str], str]] = [
    (_set_bold, ["formatting_changed"], "formatting"),
    (_set_color, ["formatting_changed"], "formatting"),
    (_move_shape, ["geometry_changed"], "geometry"),
    (_remove_shape, ["shape_removed"], "shapes"),
    (_set_text, ["text_changed"], "text"),
    (_set_fill, ["style_changed"], "style"),
    (_restack, ["z_order_changed"], "shapes"),
    (_set_picture, ["pictures_changed"], "pictures"),
    (_set_crop, ["pictures_changed"], "pictures"),
    (_set_cell, ["tables_changed"], "tables"),
    (_set_chart, ["charts_changed"], "charts"),
    (_set_alt, ["alt_text_changed"], "alt_text"),
    (_set_link, ["hyperlinks_changed"], "hyperlinks"),
    (_set_notes, ["notes_changed"], "notes"),
    (_set_transition, ["transition_changed"], "transition"),
    (_set_animations, ["animation_removed"] * 2, "animation"),
    (_hide, ["visibility_changed"], "visibility"),
    (_set_background, ["background_changed"], "background"),
    (_set_layout, ["layout_changed"], "layout"),
    (_set_size, ["slide_size_changed"], "master"),
    (_set_properties, ["properties_changed"], "properties"),
    (_set_anchor, ["formatting_changed"], "formatting"),
    (lambda lab, deck: lab.delete_slide(deck, 2), ["slide_removed"], "slides"),
    (lambda lab, deck: lab.move_slide(deck, 0, 3), ["slide_moved"], "order"),
    (lambda lab, deck: lab.duplicate_slide(deck, 2, 3), ["slide_added"], "slides"),
]


# Their consequences: heights of rows, styles of cells, positions on slides that inherit.
CASES_WITH_CONSEQUENCES: list[tuple[Any, list[str], str]] = [
    (_add_row, ["tables_changed"], "tables"),
    (_set_header_row, ["style_changed"], "style"),
    (_move_title_of_layout, ["master_changed", "geometry_changed"], "master"),
]


def test_total_row_with_a_new_value_keeps_its_identity(lab: Any) -> None:
    after = lab.edited(lambda deck: _add_row_above_the_last(lab, deck))
    shapes = lab.original.slides[2].shapes
    count = max(len(shape.table.rows) for shape in shapes if shape.table)
    changes = diff_decks(lab.original, after)
    tables = [change for change in changes if change.kind == "tables_changed"]
    assert [(c.what, c.value_before) for c in tables] == [
        (f"row {count}", None),
        (f"row {count} column 2", tables[1].value_before),
    ]
    assert tables[0].value_after == ("ICU",) * 3
    assert tables[1].value_after == "106"


@pytest.mark.slow
@each_case("edit, kinds, aspect", CASES_WITH_CONSEQUENCES)
def test_edit_with_consequences_is_reported(
    lab: Any, edit: Any, kinds: list[str], aspect: str
) -> None:
    changes = diff_decks(lab.original, lab.edited(lambda deck: edit(lab, deck)))
    assert set(kinds) <= {change.kind for change in flatten_changes(changes)}
    assert aspect in {change.aspect for change in changes}


@pytest.mark.slow
@each_case("edit, kinds, aspect", CASES)
def test_edit_is_reported_as_its_kind(lab: Any, edit: Any, kinds: list[str], aspect: str) -> None:
    changes = diff_decks(lab.original, lab.edited(lambda deck: edit(lab, deck)))
    assert [change.kind for change in changes] == kinds, [change.text for change in changes]
    assert aspect in {change.aspect for change in changes}
    for change in changes:
        assert change.text
        assert json.loads(json.dumps(change.to_json()))["aspect"] in ASPECTS


@pytest.mark.image
def test_edit_is_reported_as_its_kind_after_saving_in_the_application(lab: Any) -> None:
    edited = [lab.edited_bytes(lambda deck, edit=edit: edit(lab, deck)) for edit, _, _ in CASES]
    original, *saved = Office().save_all([lab.base, *edited])
    assert isinstance(original, bytes)
    for (edit, kinds, _), after in zip(CASES, saved, strict=True):
        assert isinstance(after, bytes)
        changes = diff_decks(read_deck(original), read_deck(after))
        texts = [change.text for change in changes]
        assert [change.kind for change in changes] == kinds, (edit.__name__, texts)


def _split_runs(lab: Any, deck: Any) -> None:
    paragraph = _remark(lab, deck).text_frame.paragraphs[0]
    paragraph.runs[0].text = "Acme gr"
    paragraph.add_run().text = "ows fast"


def _write_defaults(lab: Any, deck: Any) -> None:
    font = _run(lab, deck).font
    font.bold = font.italic = font.underline = False
    font.size, font.name = Pt(18), "Calibri"
    font.color.rgb = lab.rgb("000000")


def _move_slightly(lab: Any, deck: Any) -> None:
    shape = _remark(lab, deck)
    shape.left, shape.width = Emu(shape.left + 10_000), Emu(shape.width - 10_000)


def _renumber(lab: Any, deck: Any) -> None:
    for number, slide in enumerate(deck.slides._sldIdLst):
        slide.set("id", str(900 - number))
    for shape in deck.slides[1].placeholders:
        shape.name = f"PlaceHolder {shape.shape_id}"
        shape._element.nvSpPr.cNvPr.set("id", str(70 + shape.shape_id))


@pytest.mark.slow
@each_case("edit", [lambda *_: None, _split_runs, _write_defaults, _move_slightly, _renumber])
def test_rewriting_without_visible_effect_is_no_change(lab: Any, edit: Any) -> None:
    assert diff_decks(lab.original, lab.original) == ()
    assert _kinds(lab, lambda deck: edit(lab, deck)) == []


def test_numbers_in_shape_names_are_ignored(lab: Any) -> None:
    def edit(deck: Any) -> None:
        for name in ("A", "B"):
            lab.shape_named(deck, 5, name).name = f"{name} 12"

    assert _kinds(lab, edit) == []
    assert _kinds(lab, lambda deck: setattr(lab.shape_named(deck, 5, "A"), "name", "Z")) == [
        "shapes_changed"
    ]


def test_new_text_is_no_formatting_change(lab: Any) -> None:
    def edit(deck: Any) -> None:
        paragraph = _remark(lab, deck).text_frame.paragraphs[0]
        run = paragraph.add_run()
        run.text = " and is bold"
        run.font.bold = True

    assert _kinds(lab, edit) == ["text_changed"]


def test_removed_shape_includes_its_animation(lab: Any) -> None:
    def edit(deck: Any) -> None:
        shape = lab.shape_named(deck, 5, "A")
        other = lab.shape_named(deck, 5, "B").shape_id
        shape._element.getparent().remove(shape._element)
        lab.set_animations(deck.slides[4], [("entr", 2, "afterEffect", other)])

    assert _kinds(lab, edit) == ["shape_removed"]


def test_link_to_a_moved_slide_is_unchanged(lab: Any) -> None:
    def link(deck: Any) -> None:
        lab.shape_named(deck, 5, "A").click_action.target_slide = deck.slides[2]

    def link_and_move(deck: Any) -> None:
        link(deck)
        lab.move_slide(deck, 2, 0)

    changes = diff_decks(lab.edited(link), lab.edited(link_and_move))
    assert [change.kind for change in changes] == ["slide_moved"]
