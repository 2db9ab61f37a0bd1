"""The edits do to a deck what they say, as python-pptx reads it afterwards."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Cm

from pptarena.audits.meta_eval import Edit, edited
from pptarena.errors import ConfigError
from pptarena.tasks import get_task
from pptarena.tasks.task_files import packaged_file

Made = Callable[..., Any]


@pytest.fixture
def meridian() -> Made:
    return _making("meridian-hide-backup")


@pytest.fixture
def resistance() -> Made:
    return _making("resistance-cell-picture")


def _making(task: str) -> Made:
    original = get_task(task).deck_bytes()

    def make(*edits: tuple[str, dict[str, Any]]) -> Any:
        return Presentation(io.BytesIO(edited(original, [Edit(*each) for each in edits])))

    return make


def _titles(deck: Any) -> list[str]:
    return [slide.shapes.title.text_frame.text for slide in deck.slides]


def _shape(deck: Any, slide: int, name: str) -> Any:
    return next(each for each in deck.slides[slide - 1].shapes if each.name == name)


def test_slides_are_hidden_and_nothing_else(meridian: Made) -> None:
    deck = meridian(("hide_slides", {"slides": [17]}))
    assert [slide._element.get("show") for slide in deck.slides] == [None] * 16 + ["0"]
    assert _titles(deck) == _titles(meridian())


def test_slides_are_deleted_by_their_numbers_before(meridian: Made) -> None:
    titles = _titles(meridian())
    deck = meridian(("delete_slides", {"slides": [10, 17]}))
    assert _titles(deck) == titles[:9] + titles[10:16]


def test_a_moved_slide_has_the_number_wanted(meridian: Made) -> None:
    deck = meridian(("move_slide", {"slide": 14, "to": 4}))
    assert _titles(deck)[2:5] == [
        "The quarter at a glance",
        "Risks, and what we do about them",
        "Revenue grew by 9 % to €48.2 m",
    ]


def test_a_duplicate_can_be_edited_and_the_first_stays(resistance: Made) -> None:
    deck = resistance(
        ("duplicate_slide", {"slide": 19, "to": 20}),
        ("type_over", {"slide": 20, "shape": "Title 1", "text": "Answers"}),
        ("type_over", {"slide": 20, "shape": "Content Placeholder 2", "text": "One\nTwo"}),
    )
    assert _titles(deck)[18:] == ["Check yourself", "Answers", "Further reading"]
    assert _shape(deck, 20, "Content Placeholder 2").text_frame.text == "One\nTwo"
    assert _shape(deck, 19, "Content Placeholder 2").text_frame.text.startswith("Efflux pumps")
    notes = deck.slides[19].notes_slide.notes_text_frame.text
    assert notes == "Let them write for two minutes."


def test_a_duplicate_keeps_pictures_and_charts(meridian: Made) -> None:
    deck = meridian(
        ("delete_slides", {"slides": [2]}),
        ("duplicate_slide", {"slide": 7, "to": 8}),
        ("recreate_slide", {"slide": 17, "to": 17}),
    )
    assert _shape(deck, 8, "Tent").image.sha1 == _shape(deck, 7, "Tent").image.sha1
    assert [plot.categories[0] for plot in _shape(deck, 17, "Visitors").chart.plots] == ["Mon"]


def test_all_slides_get_a_transition(meridian: Made) -> None:
    deck = meridian(("set_transition", {"slides": "all", "effect": "fade"}))
    assert all(slide._element.xpath("./p:transition/p:fade") for slide in deck.slides)
    none = meridian(("set_transition", {"slides": "all", "effect": None}))
    assert not any(slide._element.xpath(".//p:transition") for slide in none.slides)


def test_a_modern_transition_comes_with_a_fallback(meridian: Made) -> None:
    deck = meridian(("set_transition", {"slides": [3], "effect": "fade", "modern": True}))
    assert len(deck.slides[2]._element.xpath(".//p:transition/p:fade")) == 2


def test_animations_go_or_leave_an_empty_list(resistance: Made) -> None:
    gone = resistance(("remove_animations", {"slides": [17]}))
    assert not gone.slides[16]._element.xpath("./p:timing")
    empty = resistance(("remove_animations", {"slides": [17], "leave_empty": True}))
    assert empty.slides[16]._element.xpath("./p:timing")
    assert not empty.slides[16]._element.xpath(".//p:spTgt")


def test_only_a_part_of_a_line_is_formatted(resistance: Made) -> None:
    look = {"slide": 1, "shape": "Subtitle 2", "paragraph": 1, "bold": True}
    deck = resistance(
        ("style_text", {**look, "part": "Amara"}), ("style_text", {**look, "part": "Lindqvist"})
    )
    runs = _shape(deck, 1, "Subtitle 2").text_frame.paragraphs[1].runs
    assert [(run.text, run.font.bold) for run in runs] == [
        ("Amara", True),
        (" ", None),
        ("Lindqvist", True),
    ]


def test_text_is_replaced_on_slides_or_in_notes(meridian: Made) -> None:
    names = {"old": "TrailLite", "new": "TrailLight"}
    deck = meridian(("replace_text", names))
    assert _titles(deck)[7] == "TrailLight: the launch in numbers"
    assert deck.slides[7].notes_slide.notes_text_frame.text.startswith("TrailLite")
    notes = meridian(("replace_text", {**names, "shapes": False, "notes": True}))
    assert _titles(notes)[7] == "TrailLite: the launch in numbers"
    assert notes.slides[7].notes_slide.notes_text_frame.text.startswith("TrailLight")


def test_a_cell_keeps_the_look_of_its_text(resistance: Made) -> None:
    cell = {"slide": 6, "shape": "Classes", "row": 4, "column": 1, "text": "DNA copying"}
    (run,) = (
        _shape(resistance(("set_cell", cell)), 6, "Classes")
        .table.cell(4, 1)
        .text_frame.paragraphs[0]
        .runs
    )
    assert (run.text, run.font.size.pt) == ("DNA copying", 18)


def test_a_pasted_picture_is_a_new_shape_of_the_same_look(resistance: Made) -> None:
    deck = resistance(
        ("recreate_shape", {"slide": 5, "shape": "Cell", "name": "Picture 9"}),
        ("place_shape", {"slide": 5, "shape": "Picture 9", "width_cm": 10.5, "height_cm": 7.1}),
    )
    before, after = _shape(resistance(), 5, "Cell"), _shape(deck, 5, "Picture 9")
    assert after.shape_id != before.shape_id
    assert (after.left, after.top, after.width) == (before.left, before.top, Cm(10.5))
    assert after.image.sha1 == before.image.sha1


def _office(task: str, *edits: tuple[str, dict[str, Any]]) -> Any:
    return _making(task)(*edits)


def test_an_axis_and_the_data_of_a_chart_change_and_nothing_is_dated() -> None:
    data = {"categories": ["Q1", "Q2"], "series": {"Actual": [1, 2], "Budget": [3, 4]}}
    edits = [
        Edit("set_axis", {"slide": 18, "shape": "Income by quarter", "minimum": 0, "step": 5}),
        Edit("set_chart_data", {"slide": 18, "shape": "Income by quarter", **data}),
    ]
    original = get_task("ledger-axis").deck_bytes()
    assert edited(original, edits) == edited(original, edits)
    deck = Presentation(io.BytesIO(edited(original, edits)))
    chart = _shape(deck, 18, "Income by quarter").chart
    assert [(one.name, list(one.values)) for one in chart.series] == [
        ("Actual", [1.0, 2.0]),
        ("Budget", [3.0, 4.0]),
    ]
    assert (chart.value_axis.minimum_scale, chart.value_axis.major_unit) == (0, 5)


def test_a_row_is_added_and_another_moved() -> None:
    table = {"slide": 10, "shape": "Branches"}
    deck = _office(
        "ledger-axis",
        ("insert_row", {**table, "texts": ["New", "1", "2", "3"], "before": 1}),
        ("move_row", {**table, "row": 4, "to": 1}),
    )
    rows = _shape(deck, 10, "Branches").table.rows
    assert [row.cells[0].text for row in rows][:4] == ["Branch", "Kastell", "New", "Aarfeld"]


def test_only_the_comments_of_one_author_go() -> None:
    deck = _office("townhall-show-backup", ("delete_comments", {"author": "Maria"}))
    texts = [
        relation.target_part.blob
        for slide in deck.slides
        for relation in slide.part.rels.values()
        if relation.reltype.endswith("/comments")
    ]
    assert len(texts) == 2
    assert not any(b'authorId="0"' in text for text in texts)


def test_a_layout_gets_a_box_and_the_slide_that_lent_it_none() -> None:
    box = {"layout": "Title Only", "text": "Draft", "place_cm": [1, 14, 6, 1]}
    deck = _office("harbor-draft-stamp", ("add_layout_text_box", box))
    layout = deck.slide_layouts.get_by_name("Title Only")
    assert "Draft" in [each.text_frame.text for each in layout.shapes if each.has_text_frame]
    assert len(deck.slides[0].shapes) == len(_office("harbor-draft-stamp").slides[0].shapes)


def test_a_connector_is_glued_to_what_it_is_told() -> None:
    deck = _office(
        "onboard-hr-partner",
        ("add_shape", {"slide": 11, "place_cm": [1.4, 10.6, 5.7, 2], "name": "New"}),
        ("add_line", {"slide": 11, "ends_cm": [0, 0, 1, 1], "name": "Line"}),
        ("glue_line", {"slide": 11, "line": "Line", "begin": ["Leader 1", 2], "end": ["New", 0]}),
    )
    line = _shape(deck, 11, "Line")
    assert line.begin_y == Cm(9.6)
    assert line.end_y == Cm(10.6)


def test_slides_fade_and_move_on_by_themselves(meridian: Made) -> None:
    deck = meridian(
        ("set_transition", {"slides": [3], "effect": "fade", "after_sec": 8}),
        ("set_transition", {"slides": [4], "effect": "fade", "after_sec": 8, "modern": True}),
    )
    times = [slide._element.xpath(".//p:transition/@advTm") for slide in deck.slides]
    assert times[2:4] == [["8000"], ["8000", "8000"]]
    assert not any(times[:2] + times[4:])


def test_a_column_goes_and_the_others_share_its_width() -> None:
    gone: dict[str, Any] = {"slide": 7, "shape": "Incidents by ward", "column": 1}
    narrow, wide = (
        _shape(_office("clinic-drop-2024", ("remove_column", {**gone, **more})), 7, gone["shape"])
        for more in ({}, {"widen": True})
    )
    for frame in (narrow, wide):
        assert [cell.text for cell in frame.table.rows[0].cells] == ["Ward", "2025", "2026"]
        assert sum(each.width for each in frame.table.columns) == pytest.approx(frame.width, abs=3)
    assert narrow.width < wide.width


def test_a_table_is_inserted(meridian: Made) -> None:
    rows = [["Crop", "Sow"], ["Melons", "March"]]
    deck = meridian(("add_table", {"slide": 2, "place_cm": [1, 2, 10, 3], "rows": rows}))
    frame = deck.slides[1].shapes[-1]
    assert [[cell.text for cell in row.cells] for row in frame.table.rows] == rows
    assert (frame.left, frame.top) == (Cm(1), Cm(2))


def test_a_series_is_coloured_and_one_column_differently() -> None:
    chart = {"slide": 7, "shape": "Net income"}
    deck = _office(
        "ledger-orange-quarter",
        ("color_series", {**chart, "color": "A6A6A6"}),
        ("color_points", {**chart, "colors": {"Q3 2026": "FFA500"}}),
    )
    (series,) = _shape(deck, 7, "Net income").chart.plots[0].series
    assert str(series.format.fill.fore_color.rgb) == "A6A6A6"
    assert [each.get("val") for each in series._element.xpath("./c:dPt/c:idx")] == ["3"]
    assert str(series.points[3].format.fill.fore_color.rgb) == "FFA500"


def test_a_layout_brings_the_places_that_a_slide_lacks() -> None:
    deck = _office("field-two-columns", ("set_layout", {"slides": [4], "layout": "Two Content"}))
    slide = deck.slides[3]
    assert slide.slide_layout.name == "Two Content"
    assert [each.placeholder_format.idx for each in slide.placeholders] == [0, 1, 2, 10, 11, 12]
    assert deck.slides[4].slide_layout.name == "Two Content"
    with pytest.raises(ConfigError, match="got 'No such'"):
        _office("field-two-columns", ("set_layout", {"slides": [4], "layout": "No such"}))


def test_titles_change_in_the_master_in_a_layout_or_slide_by_slide() -> None:
    bold = "p:txStyles/p:titleStyle/a:lvl1pPr/a:defRPr/@b"
    master = _office("aurora-light-titles", ("style_master", {"b": "0"})).slide_masters[0]
    assert master._element.xpath(bold) == ["0"]
    taken = _office("aurora-light-titles", ("style_master", {"b": None})).slide_masters[0]
    assert taken._element.xpath(bold) == []
    one = _office("aurora-light-titles", ("style_master", {"layout": "Title Only", "b": "0"}))
    assert one.slide_masters[0]._element.xpath(bold) == ["1"]
    assert [len(each._element.xpath(".//a:defRPr[@b=0]")) for each in one.slide_layouts] == [
        int(each.name == "Title Only") for each in one.slide_layouts
    ]
    slides = _office("aurora-light-titles", ("style_titles", {"slides": [2], "bold": False}))
    titles = [slide.shapes.title.text_frame.paragraphs[0].runs[0] for slide in slides.slides]
    assert [run.font.bold for run in titles[:3]] == [None, False, None]


def test_slides_get_a_plain_background(meridian: Made) -> None:
    deck = meridian(("set_background", {"slides": [3], "color": "F3E5C3"}))
    assert str(deck.slides[2].background.fill.fore_color.rgb) == "F3E5C3"
    assert deck.slides[1].follow_master_background


def test_words_lead_to_an_address_or_nowhere() -> None:
    words = {"slide": 19, "shape": "More"}
    for address in ("https://example.org/letter", None):
        deck = _office("ledger-letter-link", ("link_words", {**words, "address": address}))
        (run,) = _shape(deck, 19, "More").text_frame.paragraphs[0].runs
        assert run.hyperlink.address == address


def test_a_picture_takes_the_place_of_another_or_comes_along() -> None:
    file = packaged_file("aurora/team.png")
    deck = _office(
        "aurora-team-photo",
        ("swap_picture", {"slide": 17, "shape": "Team photo", "file": "aurora/team.png"}),
        ("add_picture", {"slide": 2, "file": "aurora/team.png", "place_cm": [1, 2, 4, 3]}),
    )
    before = _shape(_office("aurora-team-photo"), 17, "Team photo")
    swapped, added = _shape(deck, 17, "Team photo"), deck.slides[1].shapes[-1]
    assert swapped.image.blob == added.image.blob == file != before.image.blob
    assert (swapped.left, swapped.width) == (before.left, before.width)
    assert (added.left, added.height) == (Cm(1), Cm(3))
