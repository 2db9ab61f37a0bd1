from typing import Any

import pytest
from pptx.util import Inches, Pt


def _restack(*names: str) -> Any:
    """Put shapes of slide 1 on top, one after the other."""

    def edit(lab: Any, deck: Any) -> None:
        tree = deck.slides[0].shapes._spTree
        for name in names:
            tree.append(lab.shape_named(deck, 1, name)._element)

    return edit


def _titles(*texts: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for slide, text in zip(deck.slides, texts, strict=False):
            slide.shapes.title.text = text

    return edit


def _paint(color: str, *names: str, size: float | None = None) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for name in names:
            for paragraph in lab.shape_named(deck, 1, name).text_frame.paragraphs:
                for run in paragraph.runs:
                    run.font.color.rgb = lab.rgb(color)
                    run.font.size = Pt(size) if size is not None else run.font.size

    return edit


def _fade_first_line(lab: Any, deck: Any) -> None:
    lab.shape_named(deck, 1, "Motto").text_frame.text = "Fast cars\nFast cars"
    runs = [p.runs[0] for p in lab.shape_named(deck, 1, "Motto").text_frame.paragraphs]
    runs[0].font.color.rgb = lab.rgb("BBBBBB")


def _off_slide(lab: Any, deck: Any) -> None:
    _titles("A", "B", "C", "D", "E")(lab, deck)
    deck.slides[0].shapes.title.left = Inches(30)
    deck.slides[0].shapes.title.top = Inches(1)
    deck.slides[0].shapes.title.width, deck.slides[0].shapes.title.height = Inches(3), Inches(1)


ORDER = {"slide": 1, "shapes": ["S", "R", "Motto"]}
UNIQUE = {"slides": "all"}

CASES = [
    ("reading_order", ORDER, _restack("R", "Motto"), 1, 1),
    ("reading_order", ORDER | {"shapes": ["Motto", "S", "R"]}, _restack("S", "R"), 1, 1),
    ("reading_order", {"slide": 1, "shapes": ["Motto", "R"]}, _restack("S"), 0, 0),
    ("reading_order", {"slide": 1, "shapes": ["Motto", "S", "R"]}, _restack("S"), 0.3, 0.4),
    ("slides_titled", UNIQUE, _titles("A", "B", "C", "D", "E"), 1, 1),
    ("slides_titled", {"slides": [4, 5]}, _titles("A", "B", "C", "D", "d"), 0, 0),
    ("slides_titled", UNIQUE, _titles("", "", "", "", ""), 0, 0),
    ("slides_titled", {"slides": [2, 5]}, _titles("A", "", "C", "D", "E"), 0, 0),
    ("text_contrast", {"slide": 1, "shape": "R"}, _paint("FFFFFF", "R"), 0, 0.99),
    ("text_contrast", {"slide": 1, "shape": "R", "ratio": 4.6}, _paint("000000", "R"), 1, 1),
    ("text_contrast", {"slide": 1, "shape": "R", "ratio": 4.6}, _paint("5080C0", "R"), 0, 0),
]


@pytest.mark.slow
def test_scores_are_in_range_and_0_without_the_edit(rich_scorer: Any) -> None:
    rich_scorer.assert_scores(CASES)


# All slides of the base deck have a title, so the check scores what an edit leaves of them.
REMOVED_TITLES = [("slides_titled", {"slides": [1, 2, 3, 4]}, _titles("A", "", "C", "c"), 0.5, 0.5)]


def test_removed_and_repeated_titles_lower_the_score(scorer: Any) -> None:
    scorer.assert_edited_scores(REMOVED_TITLES)


# The pale line earns a part of its half.
PALE_LINE = [("text_contrast", {"slide": 1, "shape": "Motto"}, _fade_first_line, 0.6, 0.75)]


def test_text_with_contrast_in_part_earns_a_part(rich_scorer: Any, rich: Any) -> None:
    rich_scorer.assert_edited_scores(PALE_LINE)
    args = {"slide": 1, "shape": "Motto"}
    node = rich.check("text_contrast", args, lambda d: _fade_first_line(rich, d))
    assert node.score == pytest.approx(0.5 + 0.5 * (1.92 - 1) / (4.5 - 1), abs=0.1)
    assert "1.9 : 1" in node.reason


def test_large_type_needs_less_contrast(rich: Any) -> None:
    args = {"slide": 1, "shape": "Motto"}
    small, large = (
        rich.check(
            "text_contrast", args, lambda d, s=size: _paint("808080", "Motto", size=s)(rich, d)
        )
        for size in (12, 24)
    )
    assert small.score == pytest.approx((3.95 - 1) / (4.5 - 1), abs=0.01)
    assert large.score == 1


def test_title_off_the_slide_does_not_count(rich: Any) -> None:
    node = rich.check("slides_titled", UNIQUE, lambda deck: _off_slide(rich, deck))
    assert node.score is not None
    assert node.score < 1
    assert rich.check("slides_titled", UNIQUE).score == 0
