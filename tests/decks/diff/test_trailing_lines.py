"""Empty lines after a text are a change only if they move the text."""

from typing import Any

import pytest
from pptx import Presentation
from pptx.enum.text import MSO_ANCHOR, MSO_AUTO_SIZE
from pptx.util import Inches
from tests.each_case import each_case

from pptarena.decks import Deck, read_deck
from pptarena.decks.diff import diff_decks
from pptarena.decks.diff.text import TRAILING_LINES
from pptarena.decks.package_writer import write_package
from pptarena.rewards import load_rubric, score

ANCHORS: dict[str, Any] = {
    "top": MSO_ANCHOR.TOP,
    "middle": MSO_ANCHOR.MIDDLE,
    "bottom": MSO_ANCHOR.BOTTOM,
}


def _deck(text: str, anchor: str = "bottom", fit: Any = None, cell: str = "x") -> Deck:
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(4), Inches(2))
    box.name = "Box"
    frame = box.text_frame
    frame.text, frame.vertical_anchor = text, ANCHORS[anchor]
    frame.auto_size = MSO_AUTO_SIZE.NONE if fit is None else fit
    table = slide.shapes.add_table(1, 1, Inches(1), Inches(4), Inches(4), Inches(2)).table
    table.cell(0, 0).text = cell
    table.cell(0, 0).vertical_anchor = ANCHORS[anchor]
    return read_deck(write_package(presentation))


MOVING_LINES = [
    ("Word", "Word\v\v", "0 -> 2"),
    ("Word", "Word\v", "0 -> 1"),
    ("Word", "Word\n", "0 -> 1"),
    ("Word", "Word\n\n\n", "0 -> 3"),
    ("Word", "Word\v\n\v", "0 -> 3"),
    ("Word", "Word \v \v ", "0 -> 2"),
    ("Word\n", "Word", "1 -> 0"),
    ("Word\v\v", "Word\n", "2 -> 1"),
    ("One\nTwo", "One\nTwo\v", "0 -> 1"),
    ("One\n\nTwo", "One\n\nTwo\n", "0 -> 1"),
]


@pytest.mark.slow
@each_case("anchor", ["middle", "bottom"])
@each_case("before, after, counts", MOVING_LINES)
def test_trailing_lines_that_move_the_text_are_a_change(
    before: str, after: str, counts: str, anchor: str
) -> None:
    (change,) = diff_decks(_deck(before, anchor), _deck(after, anchor))
    assert (change.aspect, change.what) == ("text", TRAILING_LINES)
    assert change.text.endswith(counts)


@pytest.mark.slow
@each_case("before, after", [case[:2] for case in MOVING_LINES])
def test_trailing_lines_of_top_anchored_text_are_ignored(before: str, after: str) -> None:
    assert diff_decks(_deck(before, "top"), _deck(after, "top")) == ()


def test_trailing_lines_of_a_growing_shape_are_a_change() -> None:
    fit = MSO_AUTO_SIZE.SHAPE_TO_FIT_TEXT
    (change,) = diff_decks(_deck("Word", "top", fit), _deck("Word\n", "top", fit))
    assert change.what == TRAILING_LINES


@pytest.mark.parametrize("spaces", [" ", "   ", "\t"])
def test_trailing_spaces_are_ignored(spaces: str) -> None:
    assert diff_decks(_deck("Word"), _deck(f"Word{spaces}")) == ()


@pytest.mark.slow
@each_case("anchor", list(ANCHORS))
@each_case("after", ["One\v\nTwo", "One\v\v\nTwo", "One\v \nTwo"])
def test_line_breaks_before_a_paragraph_are_a_change(after: str, anchor: str) -> None:
    (change,) = diff_decks(_deck("One\nTwo", anchor), _deck(after, anchor))
    assert (change.aspect, change.what) == ("text", "")


@pytest.mark.parametrize("after", ["x\v", "x\n", "x\n\n", "x\v\n"])
def test_trailing_lines_in_cells(after: str) -> None:
    (change,) = diff_decks(_deck("Word"), _deck("Word", cell=after))
    assert (change.aspect, change.what) == ("tables", f"row 1 column 1 {TRAILING_LINES}")
    assert diff_decks(_deck("Word", "top"), _deck("Word", "top", cell=after)) == ()


@pytest.mark.parametrize("empty", ["\v", "\n", "\v\v\n"])
def test_empty_lines_without_text_are_ignored(empty: str) -> None:
    assert diff_decks(_deck(""), _deck(empty)) == ()


@pytest.mark.parametrize(("text", "cell"), [("Word\v\v", "x"), ("Word", "x\n\n")])
def test_unrequested_trailing_lines_lower_the_score(text: str, cell: str) -> None:
    leaf = {"name": "kept", "check": "nothing_else_changed", "args": {}}
    rubric = load_rubric({"version": 1, "root": {"name": "r", "children": [leaf]}})
    total = score(rubric, _deck("Word"), _deck(text, cell=cell)).score
    assert total is not None
    assert total < 1
