"""Comparison of content: each difference is reported with its reason."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pptx import Presentation
from tests.each_case import each_case

from pptarena.benchmarks.pptc import Executor, parse_calls
from pptarena.benchmarks.pptc.pptx_match import compare_content, match_turn
from pptarena.decks import Deck, read_deck
from pptarena.errors import DeckError

pytestmark = pytest.mark.slow

MakeDeck = Callable[[str], Deck]

_STEPS = st.sampled_from(
    [
        "choose_title();insert_text('a')",
        "choose_content();insert_bullet_point('b')",
        "choose_title();set_font_color('green')",
        "insert_star();set_fill_color('blue')",
        "insert_circle();rotate_element(30)",
        "insert_picture('hat');align_slide_left()",
        "insert_table(1, 2);insert_table_row(['x', 'y'])",
        "create_slide()",
        "insert_note('n')",
        "insert_textbox();insert_text('box');set_font_bold()",
    ]
)


def reasons(
    result: Deck, label: Deck, *, strict: bool = False, quirks: bool = False
) -> tuple[str, ...]:
    return match_turn(result, label, strict=strict, quirks=quirks).reasons


@each_case(
    "change, reason",
    [
        (
            "move_to_slide(0);choose_title();insert_text('!')",
            "slide 0, Title 0: text: expected 'Sales', found 'Sales!'",
        ),
        (
            "move_to_slide(0);choose_title();set_font_color('green')",
            "slide 0, Title 0: font color: expected '#000000', found '#008000'",
        ),
        (
            "move_to_slide(0);choose_title();set_font_size(41)",
            "slide 0, Title 0: font size: expected '40 pt', found '41 pt'",
        ),
        (
            "move_to_slide(0);choose_content();set_line_space(2)",
            "slide 0, Content 0: line spacing: expected '100 %', found '200 %'",
        ),
        (
            "move_to_slide(0);choose_shape('star');set_fill_color('blue')",
            "slide 0, Star 0: fill: expected '#FF0000', found '#0000FF'",
        ),
        (
            "move_to_slide(0);choose_picture();rotate_element(90)",
            "slide 0, Picture 0: rotation: expected '0', found '90'",
        ),
        (
            "move_to_slide(0);insert_note('!')",
            "slide 0: notes: expected 'say it', found 'say it!'",
        ),
        ("set_background_color('red')", "slide 1: background: expected '#FFFF00', found '#FF0000'"),
        (
            "insert_table_row(['c', 'd'])",
            "slide 1, Table 0: data: expected 'a|b\\n|', found 'a|b\\nc|d'",
        ),
        (
            "choose_chart();set_chart_title('Other')",
            "slide 1, Chart 0: chart title: expected 'Chart', found 'Other'",
        ),
        ("insert_cloud()", "slide 1, Cloud 0: extra"),
        ("create_slide()", "the deck: number of slides: expected '2', found '3'"),
    ],
)
def test_single_change_is_reported(make_scene: MakeDeck, change: str, reason: str) -> None:
    label, result = make_scene(""), make_scene(change)
    first, *more = reasons(result, label)
    assert first == reason
    # The header row is bold and the new row is not, so its font is reported as well.
    location = reason.partition(":")[0]
    assert all("insert_table_row" in change and other.startswith(location) for other in more)
    assert not match_turn(result, label).matched
    assert reasons(make_scene(""), label) == ()


def test_missing_shape_is_reported(make_deck: MakeDeck) -> None:
    label, result = make_deck("insert_star();insert_cloud()"), make_deck("insert_cloud()")
    assert reasons(result, label) == ("slide 0, Star 0: missing",)


def test_partially_formatted_text_is_reported(make_deck: MakeDeck) -> None:
    label = make_deck("choose_content();insert_text('one\\ntwo')")
    result = make_deck("choose_content();insert_text('one');insert_text('\\ntwo');set_font_bold()")
    assert reasons(result, label) == ("slide 0, Content 0: bold: expected 'False', found 'True'",)


def test_later_runs_are_compared_except_with_quirks(make_deck: MakeDeck) -> None:
    label = make_deck("insert_textbox();insert_text('one two')")
    file = io.BytesIO()
    executor = Executor()
    executor.run(parse_calls("insert_textbox();insert_text('one ')"))
    presentation = Presentation(io.BytesIO(executor.to_bytes()))
    run = presentation.slides[0].shapes[2].text_frame.paragraphs[0].add_run()
    run.text, run.font.bold = "two", True
    presentation.save(file)
    result = read_deck(file.getvalue())
    assert reasons(result, label) == (
        "slide 0, TextBox 0: bold: expected 'False', found 'False x4, True x3'",
    )
    assert reasons(result, label, quirks=True) == ()


@each_case(
    "change",
    [
        "set_font_bold()", "set_font_italic()", "set_font_underline()", "set_font_size(30)",
        "set_font_color('red')", "set_font_style('Arial')", "set_line_space(2)",
        "text_align_left()", "text_align_right()", "set_font_bold();set_font_size(9)",
    ],
)  # fmt: skip
def test_font_of_drawn_shapes_is_compared_except_with_quirks(
    make_deck: MakeDeck, change: str
) -> None:
    # AutoShape in the benchmark's src/ppt_reader.py writes text and fill, but no font.
    star = "insert_star();insert_text('one');"
    label, result = make_deck(star), make_deck(star + change)
    assert reasons(result, label)
    assert reasons(result, label, quirks=True) == ()
    for other in ("insert_text('two')", "set_fill_color('green')"):
        assert reasons(make_deck(star + other), label, quirks=True)


@pytest.mark.parametrize("target", ["insert_textbox()", "choose_title()", "choose_content()"])
def test_font_of_boxes_and_placeholders_is_compared_with_quirks(
    make_deck: MakeDeck, target: str
) -> None:
    label, result = (
        make_deck(f"{target};insert_text('one');{change}") for change in ("", "set_font_bold()")
    )
    (reason,) = reasons(result, label, quirks=True)
    assert "bold: expected 'False', found 'True'" in reason


def test_insertion_order_is_compared_only_with_quirks(make_deck: MakeDeck) -> None:
    label, result = (
        make_deck("insert_star();insert_cloud()"),
        make_deck("insert_cloud();insert_star()"),
    )
    assert reasons(result, label) == ()
    (reason,) = reasons(result, label, quirks=True)
    assert reason.startswith("slide 0: order: expected 'Title Content Star Cloud'")


def test_equal_objects_are_paired_first(make_deck: MakeDeck) -> None:
    red, blue = "insert_star();set_fill_color('red');", "insert_star();set_fill_color('blue');"
    assert reasons(make_deck(blue + red), make_deck(red + blue)) == ()
    (reason,) = reasons(make_deck(blue + blue), make_deck(red + blue))
    assert "Star 0: fill: expected '#FF0000', found '#0000FF'" in reason


@pytest.mark.parametrize(
    "change",
    [
        "insert_star();rotate_element(5)",
        "insert_table(1, 1);choose_table_cell(0, 0);set_fill_color('red')",
    ],
)
def test_differences_ignored_with_quirks(make_deck: MakeDeck, change: str) -> None:
    *others, _ = parse_calls(change)
    label = make_deck(";".join(call.text for call in others))
    result = make_deck(change)
    assert reasons(result, label, quirks=True) == ()
    assert len(reasons(result, label)) == 1


def test_position_and_size_are_compared_only_if_strict(make_scene: MakeDeck) -> None:
    label = make_scene("")
    result = make_scene("move_to_slide(0);choose_shape('star');align_slide_top();set_width(3)")
    assert reasons(result, label) == ()
    sides = [each.attribute for each in match_turn(result, label, strict=True).mismatches]
    assert sides == ["top", "width"]
    near = make_scene("move_to_slide(0);choose_shape('star');set_left(640000)")
    assert reasons(near, label, strict=True) == ()
    assert len(match_turn(near, label, strict=True, tolerance_emu=39_999).mismatches) == 1


def test_pictures_are_compared_only_if_strict(make_scene: MakeDeck) -> None:
    executor = Executor()
    executor.run(parse_calls("insert_picture('hat')"))
    label = executor.to_bytes()
    presentation = Presentation(io.BytesIO(label))
    image = presentation.slides[0].shapes[2].image
    assert image.content_type == "image/png"
    part = presentation.slides[0].part.related_part(
        presentation.slides[0].shapes[2]._element.blip_rId
    )
    part._blob = part.blob + b"\0"
    file = io.BytesIO()
    presentation.save(file)
    assert match_turn(file.getvalue(), label).matched
    (reason,) = match_turn(file.getvalue(), label, strict=True).reasons
    assert reason.startswith("slide 0, Picture 0: picture: expected")


def test_decks_can_be_bytes_or_paths(make_deck: MakeDeck, tmp_path: Path) -> None:
    executor = Executor()
    path = tmp_path / "deck.pptx"
    path.write_bytes(executor.to_bytes())
    assert match_turn(path, executor.to_bytes()).matched
    assert match_turn(make_deck(""), path).matched


def test_invalid_deck_is_an_error(make_deck: MakeDeck) -> None:
    with pytest.raises(DeckError):
        match_turn(b"nothing", make_deck(""))


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(_STEPS, max_size=5))
def test_equal_calls_match_and_extra_calls_do_not(steps: list[str]) -> None:
    decks = []
    for extra in ([], [], ["insert_right_arrow()"]):
        executor = Executor()
        executor.run(parse_calls(";".join([*steps, *extra])))
        decks.append(read_deck(executor.to_bytes()))
    for quirks in (False, True):
        assert compare_content(decks[0], decks[1], quirks=quirks) == ()
        assert compare_content(decks[0], decks[2], quirks=quirks) != ()
        assert compare_content(decks[2], decks[0], quirks=quirks) != ()
    assert match_turn(decks[0], decks[1], strict=True).matched
