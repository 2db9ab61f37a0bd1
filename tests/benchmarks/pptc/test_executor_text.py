"""Effects of calls on text and its font."""

from collections.abc import Callable

import pytest

from pptarena.decks import Deck, Shape

RunCalls = Callable[[str], Deck]
FONT_CALLS = (
    "set_font_size(20);set_font_color('red');set_font_bold();set_font_italic();"
    "set_font_underline();set_font_style('Arial');"
)


def content(deck: Deck) -> Shape:
    return deck.slides[0].shapes[1]


def test_text_is_appended(run_calls: RunCalls) -> None:
    deck = run_calls("choose_content();insert_text('one');insert_text(' two\\nthree')")
    assert content(deck).text == "one two\nthree"


@pytest.mark.parametrize(
    "calls",
    [
        f"insert_text('some\\ntext');{FONT_CALLS}",
        f"{FONT_CALLS}insert_text('some\\ntext')",
        f"insert_text('some');{FONT_CALLS}insert_text('\\ntext')",
        f"insert_text('old');{FONT_CALLS}delete_text();insert_text('some\\ntext')",
    ],
    ids=["after", "before", "between", "instead"],
)
def test_new_text_takes_on_the_font(run_calls: RunCalls, calls: str) -> None:
    shape = content(run_calls(f"choose_content();{calls}"))
    assert shape.text == "some\ntext"
    styles = {run.style for paragraph in shape.paragraphs for run in paragraph.runs}
    assert len(styles) == 1
    (style,) = styles
    assert (style.size_pt, style.color, style.font) == (20, "#FF0000", "Arial")
    assert (style.bold, style.italic, style.underline) == (True, True, "sng")


def test_font_of_entire_table(run_calls: RunCalls) -> None:
    deck = run_calls("insert_table(1, 2);insert_table_row(['a', 'b']);set_font_size(9)")
    table = deck.slides[0].shapes[-1].table
    assert table is not None
    assert [cell.paragraphs[0].runs[0].style.size_pt for cell in table.rows[0]] == [9, 9]


def test_bullet_points_are_added(run_calls: RunCalls) -> None:
    deck = run_calls(
        "choose_content();insert_bullet_point('a');insert_bullet_point('b');"
        "insert_textbox();insert_bullet_point('c');insert_bullet_point('d')"
    )
    for shape in (content(deck), deck.slides[0].shapes[2]):
        assert len(shape.paragraphs) == 2
        assert {paragraph.bullet.kind for paragraph in shape.paragraphs} == {"char"}
    assert deck.slides[0].shapes[2].text == "c\nd"


def test_empty_bullet_point_is_a_paragraph(run_calls: RunCalls) -> None:
    deck = run_calls("choose_content();insert_text('a');insert_bullet_point('')")
    assert content(deck).text == "a\n"


@pytest.mark.parametrize("side", ["left", "center", "right"])
def test_alignment_and_spacing_apply_to_all_paragraphs(run_calls: RunCalls, side: str) -> None:
    deck = run_calls(f"choose_content();insert_text('a\\nb');text_align_{side}();set_line_space(2)")
    assert [p.align for p in content(deck).paragraphs] == [side, side]
    assert [p.line_spacing_pct for p in content(deck).paragraphs] == [200, 200]


def test_default_line_spacing_is_single(run_calls: RunCalls) -> None:
    deck = run_calls("choose_content();insert_text('a');set_line_space(2);set_line_space()")
    assert content(deck).paragraphs[0].line_spacing_pct == 100


def test_notes_are_appended(run_calls: RunCalls) -> None:
    deck = run_calls("insert_note('one');insert_note(' two');create_slide()")
    assert [slide.notes for slide in deck.slides] == ["one two", ""]
