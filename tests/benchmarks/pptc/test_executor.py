"""Effects of calls on slides, shapes, tables and charts."""

from collections.abc import Callable

import pytest
from tests.each_case import each_case

from pptarena.benchmarks.pptc import (
    APIS,
    LABEL_ONLY,
    CallError,
    Executor,
    parse_calls,
    placeholder_picture,
)
from pptarena.decks import Deck, Shape, read_deck
from pptarena.errors import DeckError, TaskError

RunCalls = Callable[[str], Deck]
CM = 360_000


def last_shape(deck: Deck) -> Shape:
    return deck.slides[-1].shapes[-1]


def test_api_counts_match_the_paper() -> None:
    assert len(set(APIS) - LABEL_ONLY) == 49
    assert len(LABEL_ONLY) == 11


def test_new_deck_has_title_and_content(run_calls: RunCalls) -> None:
    deck = run_calls("")
    assert (deck.width_emu, deck.height_emu) == (9_144_000, 6_858_000)
    assert [shape.placeholder for shape in deck.slides[0].shapes] == ["title", "body"]


def test_slides_are_created_selected_and_colored(run_calls: RunCalls) -> None:
    deck = run_calls(
        "create_slide();create_slide();move_to_previous_slide();set_background_color('red');"
        "move_to_slide(0);set_background_color('dark blue');move_to_next_slide();"
        "move_to_next_slide();set_background_color('light green')"
    )
    assert [slide.background.color for slide in deck.slides] == ["#00008B", "#FF0000", "#90EE90"]


def test_next_and_previous_do_not_move_with_quirks() -> None:
    executor = Executor(quirks=True)
    executor.run(parse_calls("create_slide();move_to_previous_slide();move_to_next_slide()"))
    assert executor.slide_index == 1


@pytest.mark.parametrize(
    ("name", "geometry"),
    [
        ("rectangle", "rect"),
        ("right_arrow", "rightArrow"),
        ("rounded_rectangle", "roundRect"),
        ("triangle", "triangle"),
        ("callout", "wedgeRoundRectCallout"),
        ("cloud", "cloud"),
        ("star", "star5"),
        ("circle", "ellipse"),
    ],
)
def test_shapes_are_inserted_selected_filled_and_rotated(
    run_calls: RunCalls, name: str, geometry: str
) -> None:
    deck = run_calls(
        f"insert_{name}();choose_title();choose_shape({name!r});set_fill_color('purple');"
        "rotate_element(30);rotate_element(-45);insert_text('here')"
    )
    shape = last_shape(deck)
    assert (shape.geometry, shape.fill.color, shape.text) == (geometry, "#800080", "here")
    assert (shape.box.left, shape.box.top, shape.box.width) == (4_122_000, 2_979_000, 900_000)
    assert shape.box.rotation_deg == 345


def test_picture_is_placeholder_with_description(run_calls: RunCalls) -> None:
    deck = run_calls("insert_picture('a red hat')")
    picture = last_shape(deck)
    assert (picture.kind, picture.alt_text) == ("picture", "a red hat")
    assert (picture.box.width, picture.box.height) == (6 * CM, 6 * CM)
    assert placeholder_picture().startswith(b"\x89PNG")


def test_pictures_and_text_boxes_are_selected_by_index(run_calls: RunCalls) -> None:
    deck = run_calls(
        "insert_picture('a');insert_picture('b');insert_textbox();insert_textbox();"
        "choose_picture(1);set_width(2);choose_picture();set_width(1);choose_textbox(idx=1);"
        "insert_text('second');choose_textbox();insert_text('first')"
    )
    pictures, boxes = deck.slides[0].shapes[2:4], deck.slides[0].shapes[4:]
    assert [picture.box.width for picture in pictures] == [CM, 2 * CM]
    assert [box.text for box in boxes] == ["first", "second"]


def test_size_and_position_are_set(run_calls: RunCalls) -> None:
    box = last_shape(
        run_calls("insert_star();set_width(3);set_height(1.5);set_left(100);set_top(200)")
    ).box
    assert (box.left, box.top, box.width, box.height) == (100, 200, 3 * CM, 540_000)


@pytest.mark.parametrize(
    ("call", "left", "top"),
    [
        ("align_slide_left", 600_000, 2_979_000),
        ("align_slide_right", 5_172_000, 2_979_000),
        ("align_slide_top", 4_122_000, 600_000),
        ("align_slide_bottom", 4_122_000, 4_029_000),
        ("align_slide_center", 4_122_000, 2_979_000),
        ("align_top_left_corner", 600_000, 600_000),
        ("align_top_right_corner", 7_644_000, 600_000),
        ("align_bottom_left_corner", 600_000, 5_358_000),
        ("align_bottom_right_corner", 7_644_000, 5_358_000),
    ],
)
def test_shape_is_aligned_on_slide(run_calls: RunCalls, call: str, left: int, top: int) -> None:
    box = last_shape(run_calls(f"insert_star();{call}()")).box
    assert (box.left, box.top) == (left, top)


def test_moving_placeholder_keeps_other_dimensions(run_calls: RunCalls) -> None:
    before = run_calls("").slides[0].shapes[0].box
    after = run_calls("choose_title();align_slide_top()").slides[0].shapes[0].box
    assert (after.left, after.width, after.height) == (before.left, before.width, before.height)
    assert after.top == 600_000


def test_relative_position_moves_the_selected_object(run_calls: RunCalls) -> None:
    deck = run_calls(
        "insert_picture('a');insert_picture('b');insert_star();choose_picture(0);"
        "set_right('picture', 'star')"
    )
    first, second, star = deck.slides[0].shapes[2:]
    assert first.box.left > star.box.right
    assert second.box.left < star.box.left


def test_positions_are_skipped_with_quirks() -> None:
    executor = Executor(quirks=True)
    executor.run(parse_calls("insert_star();insert_text('set_left');set_left(5);set_top('a', 'b')"))
    shape = last_shape(read_deck(executor.to_bytes()))
    assert (shape.text, shape.box.left) == ("", 4_122_000)


def test_rows_fill_the_table_before_extending_it(run_calls: RunCalls) -> None:
    deck = run_calls(
        "insert_table(2, 2);insert_table_row(['a', 1]);insert_table_row(['b', 2.5]);"
        "insert_table_row(['c']);choose_table_cell(2, 1);insert_text('d');set_fill_color('red')"
    )
    table = last_shape(deck).table
    assert table is not None
    texts = [[cell.text for cell in row] for row in table.rows]
    assert texts == [["a", "1"], ["b", "2.5"], ["c", "d"]]
    assert table.rows[2][1].fill.color == "#FF0000"


def test_table_is_resized(run_calls: RunCalls) -> None:
    shape = last_shape(run_calls("insert_table(2, 2);set_width(10);set_height(4)"))
    assert shape.table is not None
    assert shape.table.column_widths == (5 * CM, 5 * CM)
    assert shape.table.row_heights == (2 * CM, 2 * CM)


@pytest.mark.parametrize(("name", "kind"), [("line", "line"), ("bar", "column")])
def test_each_number_becomes_a_series(run_calls: RunCalls, name: str, kind: str) -> None:
    deck = run_calls(f"insert_{name}_chart([3, 4.5], ['x', 'y']);set_chart_title('T')")
    chart = last_shape(deck).chart
    assert chart is not None
    assert (chart.type, chart.title) == (kind, "T")
    assert [(each.name, each.values) for each in chart.series] == [("x", (3.0,)), ("y", (4.5,))]


@pytest.mark.parametrize("data", ["[3, 4]", "[[3, 4]]"])
def test_pie_chart_has_one_series(run_calls: RunCalls, data: str) -> None:
    chart = last_shape(run_calls(f"insert_pie_chart({data}, ['x', 'y'])")).chart
    assert chart is not None
    assert [(each.categories, each.values) for each in chart.series] == [(("x", "y"), (3.0, 4.0))]
    assert chart.title == ""


def test_chart_has_default_names(run_calls: RunCalls) -> None:
    chart = last_shape(run_calls("insert_line_chart([[1, 2], [3, 4]])")).chart
    assert chart is not None
    assert [each.name for each in chart.series] == ["Series 0", "Series 1"]
    assert chart.series[1].categories == ("Category 0", "Category 1")


@pytest.mark.slow
@each_case(
    "calls, message",
    [
        ("fly()", "there is no API 'fly'"),
        ("set_width(1)", "expected a chosen object"),
        ("move_to_slide(3)", "expected a slide from 0 to 0, got 3"),
        ("move_to_next_slide()", "expected a slide from 0 to 0"),
        ("choose_table()", "expected a table on the slide"),
        ("choose_picture(2)", "expected a picture of index 2, the slide has 0"),
        ("choose_shape('dragon')", "expected one of rectangle"),
        ("set_background_color('mauve')", "'color': expected one of black"),
        ("insert_table(0, 2)", "'row_num': expected a whole number from 1 to 100, got 0"),
        ("insert_table(2)", "expected an argument 'col_num'"),
        ("insert_table(2, 2, 2)", "expected at most 2 arguments, got 3"),
        ("choose_picture(idx=0, id=1)", "expected arguments out of .* got 'id'"),
        ("insert_textbox();set_font_size(0)", "'font_size': expected a number from 1"),
        ("insert_table(1, 1);insert_text('x')", "call choose_table_cell first"),
        ("insert_table(1, 1);rotate_element(5)", "expected something that can be turned"),
        ("insert_table(1, 1);insert_table_row(['a', 'b'])", "expected at most 1 cells, got 2"),
        ("insert_table(1, 1);choose_table_cell(1, 0)", "expected a cell of 1 rows"),
        ("insert_table(1, 1);choose_table_cell(0, 0);set_width(3)", "got a cell of a table"),
        ("insert_picture('x');insert_text('x')", "expected something that holds text"),
        ("insert_picture('x');set_fill_color('red')", "expected something that can be filled"),
        ("insert_star();set_left('star', 'star')", "expected two objects"),
        ("insert_star();set_left('star')", "expected a position in EMU"),
        ("insert_bar_chart(['a'])", "'data': expected a number"),
        ("insert_bar_chart([[1], [1, 2]])", "'data': expected series of one length"),
        ("insert_bar_chart([1, 2], ['a'])", "expected 2 names of series, got 1"),
        ("insert_note('\x01')", "without control characters"),
    ],
)
def test_error_names_the_call(calls: str, message: str) -> None:
    with pytest.raises(CallError, match=message) as error:
        Executor().run(parse_calls(calls))
    assert isinstance(error.value, TaskError)
    assert error.value.call == parse_calls(calls)[-1].text
    assert str(error.value).startswith(error.value.call)


def test_execution_continues_after_an_error() -> None:
    executor = Executor()
    errors = executor.run(parse_calls("choose_table();insert_star();fly()"), keep_going=True)
    assert [error.call for error in errors] == ["choose_table()", "fly()"]
    assert last_shape(read_deck(executor.to_bytes())).geometry == "star5"


def test_deck_opens_on_last_slide() -> None:
    first = Executor()
    first.run(parse_calls("create_slide();choose_title();insert_text('two')"))
    executor = Executor(first.to_bytes())
    executor.run(parse_calls("choose_title();insert_text(' and more')"))
    assert read_deck(executor.to_bytes()).slides[1].title == "two and more"


def test_invalid_deck_is_rejected() -> None:
    with pytest.raises(DeckError):
        Executor(b"nothing")
