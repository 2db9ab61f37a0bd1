"""The edits that exist only for submissions, checked with python-pptx."""

import io
from typing import Any

import pytest
from pptx import Presentation

from pptarena.edits import EDITS, apply_solution
from pptarena.tasks import get_task
from tools.meta_eval import VOCABULARY

INCOME_CHART: dict[str, Any] = {"slide": 18, "shape": "Income by quarter"}
WARDS_TABLE: dict[str, Any] = {"slide": 7, "shape": "Incidents by ward"}


def _edited(task: str, *edits: dict[str, Any]) -> Any:
    deck = apply_solution(get_task(task).deck_bytes(), edits, vocabulary=VOCABULARY)
    return Presentation(io.BytesIO(deck))


def _shape(deck: Any, slide: int, name: str) -> Any:
    return next(each for each in deck.slides[slide - 1].shapes if each.name == name)


def test_every_edit_has_a_description() -> None:
    assert EDITS.items() < VOCABULARY.items()
    assert all(edit.signature.description for edit in VOCABULARY.values())


def test_modern_transition_has_a_fallback() -> None:
    edit = {"edit": "set_modern_transition", "slide": 3, "kind": "fade"}
    slide = _edited("meridian-hide-backup", edit).slides[2]._element
    assert len(slide.xpath(".//p:transition/p:fade")) == 2
    again = _edited("meridian-hide-backup", edit, edit).slides[2]._element
    assert len(again.xpath(".//p:transition/p:fade")) == 2


def test_removed_animations_leave_an_empty_list() -> None:
    edit = {"edit": "empty_animations", "slide": 17}
    slide = _edited("resistance-cell-picture", edit).slides[16]._element
    assert slide.xpath("./p:timing")
    assert not slide.xpath(".//p:spTgt")


def test_text_is_replaced_in_notes_only() -> None:
    edit = {"edit": "replace_in_notes", "old": "TrailLite", "new": "TrailLight"}
    slide = _edited("meridian-hide-backup", edit).slides[7]
    assert slide.shapes.title.text_frame.text == "TrailLite: the launch in numbers"
    assert slide.notes_slide.notes_text_frame.text.startswith("TrailLight")


def test_all_text_of_a_slide_is_formatted() -> None:
    edit = {"edit": "format_all_text", "slide": 6, "bold": True, "size_pt": 28}
    runs = _edited("resistance-cell-picture", edit).slides[5]._element.xpath(".//a:r/a:rPr")
    assert runs
    assert {(run.get("b"), run.get("sz"), run.get("i")) for run in runs} == {("1", "2800", None)}


def test_axis_step_and_series_format_are_set() -> None:
    series = [{"name": name, "values": [1, 2]} for name in ("Actual", "Budget")]
    deck = _edited(
        "ledger-axis",
        {"edit": "set_axis_step", **INCOME_CHART, "step": 5},
        {"edit": "set_chart_data", **INCOME_CHART, "categories": ["Q1", "Q2"], "series": series},
        {"edit": "clear_series_format", **INCOME_CHART, "series": 2},
        {"edit": "show_legend", **INCOME_CHART},
    )
    chart = _shape(deck, 18, INCOME_CHART["shape"]).chart
    assert (chart.value_axis.major_unit, chart.has_legend) == (5, True)
    first, second = chart.series
    assert [len(each._element.xpath("./c:spPr")) for each in (first, second)] == [1, 0]


def test_row_is_moved() -> None:
    edit = {"edit": "move_row", "slide": 10, "shape": "Branches", "position": 4, "to": 2}
    before = _shape(_edited("ledger-axis"), 10, "Branches").table.rows
    rows = _shape(_edited("ledger-axis", edit), 10, "Branches").table.rows
    names = [row.cells[0].text for row in before]
    names.insert(1, names.pop(3))
    assert [row.cells[0].text for row in rows] == names


def test_columns_are_widened_after_deletion() -> None:
    frame = _shape(
        _edited(
            "clinic-drop-2024",
            {"edit": "delete_column", **WARDS_TABLE, "position": 2},
            {"edit": "widen_columns", **WARDS_TABLE, "width_cm": 20},
        ),
        *WARDS_TABLE.values(),
    )
    widths = [each.width for each in frame.table.columns]
    assert sum(widths) == pytest.approx(frame.width, abs=3)
    assert frame.width == 20 * 360_000


@pytest.mark.slow
def test_only_empty_comment_list_is_dropped() -> None:
    def count(*edits: dict[str, Any]) -> int:
        deck = _edited("townhall-show-backup", *edits)
        types = (each.reltype for slide in deck.slides for each in slide.part.rels.values())
        return sum(each.endswith("/comments") for each in types)

    drop = {"edit": "drop_empty_comments", "slides": "all"}
    slides = [
        number
        for number, slide in enumerate(_edited("townhall-show-backup").slides, 1)
        if any(each.reltype.endswith("/comments") for each in slide.part.rels.values())
    ]
    assert count(drop) == count() == len(slides)
    delete = {"edit": "delete_comments", "slide": slides[0]}
    assert count(delete) == len(slides)
    assert count(delete, drop) == len(slides) - 1


def test_text_is_linked_to_slide() -> None:
    edit = {"edit": "link_text_to_slide", "slide": 2, "shape": "Go 1", "to_slide": 3}
    deck = _edited("field-links", edit)
    (run,) = _shape(deck, 2, "Go 1").text_frame.paragraphs[0].runs
    target = run.part.related_part(run._r.rPr.hlinkClick.rId)
    assert target is deck.slides[2].part


def test_line_is_drawn_text_lowered_and_shape_renamed() -> None:
    line = {"left_cm": 4, "top_cm": 9, "height_cm": 1}
    deck = _edited(
        "thesis-subscripts",
        {"edit": "draw_line", "slide": 28, "name": "Line", **line},
        {"edit": "rename_shape", "slide": 28, "shape": "Line", "name": "Other"},
        {"edit": "lower_text", "slide": 28, "shape": "Balance text", "paragraph": 1, "text": "2",
         "percent": 33},
    )  # fmt: skip
    shape = _shape(deck, 28, "Other")
    assert (shape.begin_x, shape.end_y) == (4 * 360_000, 10 * 360_000)
    lowered = _shape(deck, 28, "Balance text")._element.xpath(".//a:r[a:rPr/@baseline='-33000']")
    assert {each.text for each in lowered} == {"2"}


def test_title_style_changes_in_master_or_layout() -> None:
    def bold(**arguments: Any) -> tuple[list[str], int]:
        edit = {"edit": "style_master", "attribute": "b", **arguments}
        master = _edited("aurora-light-titles", edit).slide_masters[0]
        path = "p:txStyles/p:titleStyle/a:lvl1pPr/a:defRPr/@b"
        light = (len(each._element.xpath(".//a:defRPr[@b=0]")) for each in master.slide_layouts)
        return master._element.xpath(path), sum(light)

    assert bold(value="0") == (["0"], 0)
    assert bold(value=None) == ([], 0)
    assert bold(value="0", layout="Title Only") == (["1"], 1)


def test_text_box_on_layout_is_formatted() -> None:
    layout = {"layout": "Title Only"}
    box = {"left_cm": 1, "top_cm": 14, "width_cm": 6, "height_cm": 1}
    deck = _edited(
        "harbor-draft-stamp",
        {"edit": "add_layout_text_box", **layout, "text": "Draft", **box, "name": "Stamp"},
        {"edit": "format_layout_text", **layout, "shape": "Stamp", "size_pt": 16,
         "color": "#B00020"},
    )  # fmt: skip
    stamp = deck.slide_layouts.get_by_name("Title Only").shapes[-1]
    font = stamp.text_frame.paragraphs[0].runs[0].font
    assert (font.size.pt, font.bold, str(font.color.rgb)) == (16, None, "B00020")


def test_markup_of_other_programs_is_written() -> None:
    title = {"slide": 8, "shape": "Title 1"}
    deck = _edited(
        "meridian-hide-backup",
        {"edit": "write_out_shown", "slides": [3, 4]},
        {"edit": "set_alt_title", **title, "text": "Heading"},
        {"edit": "set_run_format", **title, "font": "Liberation Mono"},
        {"edit": "use_theme_font", **title, "paragraph": 1},
        {"edit": "split_notes", "slide": 8, "parts": ["One ", "two"]},
    )
    assert [slide._element.get("show") for slide in deck.slides][1:5] == [None, "1", "1", None]
    shape = _shape(deck, 8, "Title 1")
    assert shape._element.xpath(".//p:cNvPr/@title") == ["Heading"]
    assert shape.text_frame.paragraphs[0].runs[0].font.name is None
    notes = deck.slides[7].notes_slide.notes_text_frame.paragraphs[0]
    assert [run.text for run in notes.runs] == ["One ", "two"]
