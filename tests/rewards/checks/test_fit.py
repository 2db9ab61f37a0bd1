from typing import Any

import pytest
from pptx.enum.text import MSO_AUTO_SIZE
from pptx.util import Inches, Pt
from tests.conftest import Lab

LOREM = "The quick brown fox jumps over the lazy dog. "


def _write(text: str, name: str = "Motto", auto: Any = MSO_AUTO_SIZE.NONE, size: int = 18) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        frame = lab.shape_named(deck, 1, name).text_frame
        frame.text, frame.word_wrap, frame.auto_size = text, True, auto
        for paragraph in frame.paragraphs:
            for run in paragraph.runs:
                run.font.size = Pt(size)

    return edit


def _full_table(lab: Any, deck: Any) -> None:
    lab.shape_named(deck, 2, "Costs").table.cell(1, 2).text = LOREM * 12


MOTTO = {"slide": 1, "shape": "Motto"}
SHORT = MOTTO | {"words_max": 4, "paragraphs_max": 1}

FITS = [
    ("text_fits", MOTTO, _write(LOREM), 1, 1),
    ("text_fits", MOTTO, _write(LOREM * 3), 0.2, 0.9),
    ("text_fits", MOTTO, _write(LOREM * 400), 0, 0.02),
    ("text_fits", MOTTO, _write(LOREM * 3, auto=MSO_AUTO_SIZE.TEXT_TO_FIT_SHAPE), 1, 1),
    ("text_fits", MOTTO, _write(LOREM * 3, auto=MSO_AUTO_SIZE.SHAPE_TO_FIT_TEXT), 1, 1),
    ("text_fits", MOTTO, _write(LOREM * 40, auto=MSO_AUTO_SIZE.SHAPE_TO_FIT_TEXT), 0.2, 0.8),
    ("text_fits", {"slide": 1}, _write(LOREM * 30), 0.5, 0.95),
    ("text_fits", {"slide": 2, "shape": "@table"}, _full_table, 0.2, 0.9),
    ("text_fits", MOTTO, _write(""), 0, 1),
]


@pytest.mark.slow
def test_text_fit_is_estimated(rich_scorer: Any) -> None:
    rich_scorer.assert_edited_scores(FITS)


CASES = [
    ("text_length", SHORT, _write("Growing fast"), 1, 1),
    ("text_length", SHORT, _write("We grow fast and receive more"), 0.1, 0.9),
    ("text_length", SHORT, _write(LOREM + "\nand\nmore\nand\n" + LOREM * 3), 0, 0),
    ("text_length", SHORT, _write(""), 0, 0),
    ("text_length", MOTTO | {"words_min": 12}, _write(LOREM * 3), 1, 1),
    ("text_length", MOTTO | {"letters_max": 10}, _write("Growth"), 1, 1),
]


@pytest.mark.slow
def test_scores_are_in_range_and_0_without_the_edit(rich_scorer: Any) -> None:
    rich_scorer.assert_scores(CASES)


FOOTER = "Hallander, autumn"


def _add_page(deck: Any, footer: str, title: str = "Costs are down") -> None:
    """Add a page with a title and a footer, as the application adds one."""
    page = deck.slides.add_slide(deck.slide_layouts[5])
    page.shapes.title.text = title
    box = page.shapes.add_textbox(0, Inches(7), Inches(6), Inches(0.4))
    box.text_frame.text = footer
    placeholder = box._element.nvSpPr.nvPr.get_or_add_ph()
    placeholder.set("type", "ftr")
    placeholder.set("idx", "11")


@pytest.mark.parametrize(
    ("footer", "scores_fully"),
    [(FOOTER, True), (f"\ufeff{FOOTER}", True), ("Sixty more words to read", False)],
)
def test_footers_of_the_original_are_not_counted(lab: Lab, footer: str, scores_fully: bool) -> None:
    with_footer = Lab(lab.edited_bytes(lambda deck: _add_page(deck, FOOTER)))
    limits = {"slide_new": 1, "words_max": 3, "paragraphs_max": 1}
    node = with_footer.check("text_length", limits, lambda deck: _add_page(deck, footer))
    assert (node.score == 1.0) is scores_fully, node.to_json()


def test_footer_does_not_count_as_source_text(lab: Lab) -> None:
    with_footer = Lab(lab.edited_bytes(lambda deck: _add_page(deck, FOOTER)))
    source = {"slide_new": 1, "sources": [len(with_footer.original.slides)], "share": 0.2}
    node = with_footer.check(
        "words_from", source, lambda deck: _add_page(deck, FOOTER, "Velvet banjo")
    )
    assert node.score == 0.0, node.to_json()


def test_word_wider_than_its_box_does_not_fit(rich: Any) -> None:
    def edit(deck: Any) -> None:
        shape = rich.shape_named(deck, 1, "Motto")
        _write("Incomprehensibilities", size=60)(rich, deck)
        shape.text_frame.word_wrap = False
        shape.width = Inches(1)

    node = rich.check("text_fits", MOTTO, edit)
    assert node.score is not None
    assert node.score < 0.5
