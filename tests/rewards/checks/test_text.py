from typing import Any

import pytest
from pptx.util import Pt


def _title(number: int, text: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        deck.slides[number - 1].shapes.title.text = text

    return edit


def _body(number: int, text: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        deck.slides[number - 1].placeholders[1].text = text

    return edit


def _box(number: int, text: str, size_pt: int = 20) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        box = deck.slides[number - 1].shapes.add_textbox(914_400, 5_000_000, 5_000_000, 900_000)
        box.text_frame.text = text
        for paragraph in box.text_frame.paragraphs:
            paragraph.runs[0].font.size = Pt(size_pt)
            paragraph.runs[0].font.color.rgb = lab.rgb("000000")

    return edit


def _replace(old: str, new: str, *numbers: int) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for number in numbers:
            for shape in deck.slides[number - 1].shapes:
                if shape.has_text_frame:
                    shape.text_frame.text = shape.text_frame.text.replace(old, new)

    return edit


def _clear_all(lab: Any, deck: Any) -> None:
    _replace("Acme", "", 1, 2, 5, 6)(lab, deck)


TITLE = {"slide": 2, "text": "Plan of the day"}
CONTAINS = {"slide": 2, "texts": ["Budget for 2027", "Staff"]}
PRICES = {"slide": 2, "pairs": [["members", "40"], ["others|non-members", "65"]]}
YEARS = {"slide": 2, "pairs": [["2026|this year", "87"], ["2025", "91"]]}
LACKS = {"slide": 2, "texts": ["Outlook", "Questions"]}
FULL_TEXT = {"slide": 5, "shape": "Remark", "text": "Acme is the largest"}
PART = {"slide": 5, "shape": "Acme grows fast", "texts": ["in Europe"]}
LINES = {"slide": 2, "shape": "@body", "paragraphs": ["Questions", "Outlook", "Results of Acme"]}
QUOTATION = {"slide": 2, "shape": "@body", "paragraphs": ["It grew."], "quotation": True}
PLANS = {"slide": 2, "shape": "@body", "paragraphs": ["Plans for winter", "Outlook"]}
RENAME = {"old": "Acme", "new": "Apex"}
LONGER = {"old": "Acme", "new": "Acme Ltd"}

CASES = [
    ("title_is", TITLE, _title(2, "Plan of the day"), 1, 1),
    ("title_is", TITLE, _title(2, "Plan  of the\u00a0day"), 1, 1),
    ("title_is", TITLE, _title(2, "Plan of that day"), 0.4, 0.9),
    ("title_is", TITLE, _title(2, "plan of the day"), 0.5, 0.9),
    ("title_is", TITLE | {"match_case": False}, _title(2, "plan of the day"), 1, 1),
    ("title_is", TITLE, _title(3, "Plan of the day"), 0, 0),
    ("title_is", TITLE, _box(2, "Plan of the day"), 0.16, 0.17),
    ("title_is", TITLE, _box(3, "Plan of the day"), 0, 0),
    ("title_is", TITLE, _box(2, "Plan of the day", size_pt=1), 0, 0),
    ("title_is", TITLE, _title(2, "Plan: of the day"), 0.79, 0.9),
    ("title_is", TITLE, lambda lab, d: lab.delete_slide(d, 1), 0, 0),
    ("title_is", TITLE, lambda lab, d: lab.move_slide(d, 0, 4), 0, 0),
    ("slide_text_contains", CONTAINS, _body(2, "Budget for 2027\nStaff"), 1, 1),
    ("slide_text_contains", CONTAINS, _body(2, "Staff"), 0.5, 0.5),
    ("text_pairs", YEARS, _body(2, "87 reports in 2026, 91 in 2025"), 1, 1),
    ("text_pairs", YEARS, _body(2, "2025: 91 reports\nthis year: 87 of 5,087"), 1, 1),
    ("text_pairs", YEARS, _body(2, "Reports in 2025 and 2026: 91 and 87"), 1, 1),
    ("text_pairs", YEARS, _body(2, "From 91 (2025) to 87 reports (2026)"), 1, 1),
    ("text_pairs", YEARS, _body(2, "87 reports in 2026, down from 91"), 1, 1),
    ("text_pairs", YEARS, _body(2, "87 reports, after 91"), 1, 1),
    ("text_pairs", YEARS, _body(2, "87 reports in 2025, 91 in 2026"), 0, 0),
    ("text_pairs", YEARS, _body(2, "2025 and 2026: 87 and 91 reports"), 0, 0),
    ("text_pairs", YEARS, _body(2, "2026: 91 reports\n2025: 87 reports"), 0, 0),
    ("text_pairs", YEARS, _body(2, "2026: 91 reports. 87 the year before."), 0.5, 0.5),
    ("text_pairs", YEARS, _body(2, "87 reports"), 0.5, 0.5),
    ("text_pairs", PRICES, _body(2, "Members: 40 euros, non-members: 65"), 1, 1),
    ("text_pairs", PRICES, _body(2, "Members: 65 euros, non-members: 40"), 0, 0),
    ("text_pairs", YEARS, _body(2, "1,087 reports, 91.5 %"), 0, 0),
    ("slide_text_contains", CONTAINS, _body(2, "Budget of 2027"), 0.2, 0.4),
    ("slide_text_contains", CONTAINS, _body(2, "Something else"), 0, 0),
    ("slide_text_lacks", LACKS, _body(2, "Results"), 1, 1),
    ("slide_text_lacks", LACKS, _body(2, "Results\nOutlook"), 0.5, 0.5),
    ("slide_text_lacks", LACKS, _body(6, "Results"), 0, 0),
    ("shape_text_is", FULL_TEXT, _replace("grows fast", "is the largest", 5), 1, 1),
    ("shape_text_is", FULL_TEXT, _replace("grows fast", "is the smallest", 5), 0.2, 0.9),
    ("shape_text_is", FULL_TEXT, _replace("Acme grows fast", "Nothing", 5), 0, 0),
    ("shape_text_contains", PART, _replace("fast", "fast in Europe", 5), 1, 1),
    ("shape_text_contains", PART, _replace("fast", "fast in Asia", 5), 0.2, 0.6),
    ("shape_text_contains", PART, _title(5, "in Europe"), 0, 0),
    ("paragraphs_are", LINES, _body(2, "Questions\nOutlook\nResults of Acme"), 1, 1),
    ("paragraphs_are", LINES, _body(2, "Questions\nResults of Acme\nOutlook"), 0.3, 0.6),
    ("paragraphs_are", LINES, _body(2, "Results of Acme"), 0, 0),
    ("paragraphs_are", LINES, _body(2, "Questions Outlook Results of Acme"), 0.39, 0.41),
    ("paragraphs_are", QUOTATION, _body(2, "\u201cIt grew.\u201d"), 1, 1),
    ("paragraphs_are", QUOTATION, _body(2, '"It grew"'), 1, 1),
    ("paragraphs_are", QUOTATION, _body(2, '"It shrank."'), 0, 0.6),
    ("paragraphs_are", QUOTATION | {"quotation": False}, _body(2, '"It grew."'), 0, 0.9),
    ("paragraphs_are", QUOTATION, _body(2, "\u200b".join("It grew.")), 0.4, 0.5),
    ("paragraphs_are", PLANS, _body(2, "Plants for winter\nOutlook"), 0.4, 0.5),
    ("paragraphs_are", PLANS, _box(2, "Plans for winter\nOutlook"), 0.16, 0.17),
    ("text_replaced_everywhere", RENAME, _replace("Acme", "Apex", 1, 2, 5, 6), 1, 1),
    ("text_replaced_everywhere", RENAME, _replace("Acme", "Apex", 1, 2), 0.5, 0.5),
    ("text_replaced_everywhere", RENAME, _clear_all, 0, 0),
    ("text_replaced_everywhere", RENAME, _title(3, "Apex Apex Apex Apex"), 0, 0),
    ("text_replaced_everywhere", LONGER, _replace("Acme", "Acme Ltd", 1, 2, 5, 6), 1, 1),
    ("text_replaced_everywhere", LONGER, _replace("Acme", "Acme Ltd", 1), 0.25, 0.25),
    ("text_replaced_everywhere", RENAME | {"slides": [1]}, _replace("Acme", "Apex", 1), 1, 1),
    ("text_replaced_everywhere", {"old": " fast", "new": ""}, _replace(" fast", "", 5), 1, 1),
]


@pytest.mark.slow
def test_scores_are_in_range_and_0_without_the_edit(scorer: Any) -> None:
    scorer.assert_scores(CASES)


def test_whole_word_option_ignores_parts_of_words(lab: Any) -> None:
    args = {"old": "Result", "new": "Outcome", "whole_word": True}
    assert lab.check("text_replaced_everywhere", args).score is None
    assert lab.check("text_replaced_everywhere", args | {"whole_word": False}).score == 0


def test_notes_are_included_on_request(lab: Any) -> None:
    def edit(deck: Any) -> None:
        _replace("Acme", "Apex", 1, 2, 5, 6)(lab, deck)

    args = RENAME | {"include_notes": True}
    assert lab.check("text_replaced_everywhere", args, edit).score == pytest.approx(0.8)


def test_typographic_quotes_equal_plain_ones(lab: Any) -> None:
    def edit(deck: Any) -> None:
        deck.slides[1].shapes.title.text = "Acme\u2019s plan \u2013 next"

    args = {"slide": 2, "text": "Acme's plan - next"}
    assert lab.check("title_is", args, edit).score == 1


def test_unknown_shape_or_slide_is_unscored(lab: Any) -> None:
    node = lab.check("shape_text_is", {"slide": 5, "shape": "Nobody", "text": "x"})
    assert node.score is None
    assert "Nobody" in node.reason
    node = lab.check("title_is", {"slide": 99, "text": "x"})
    assert node.score is None
    assert "99" in node.reason


def test_slide_now_and_slide_new_refer_to_the_current_deck(lab: Any) -> None:
    def edit(deck: Any) -> None:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = "Brand new"
        lab.move_slide(deck, 6, 2)

    text = {"text": "Brand new"}
    assert lab.check("title_is", {"slide_now": 3, **text}, edit).score == 1
    assert lab.check("title_is", {"slide_new": 1, **text}, edit).score == 1
    assert lab.check("title_is", {"slide_new": 2, **text}, edit).score == 0
    assert lab.check("title_is", {"slide_now": 99, **text}, edit).score == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1,234", 1), ("1\N{NARROW NO-BREAK SPACE}234", 1), ("1'234", 1), ("1.234", 0), ("12,34", 0)],
)
def test_number_texts_match_with_any_separators(lab: Any, text: str, expected: float) -> None:
    def edit(deck: Any) -> None:
        deck.slides[1].shapes.title.text = text

    assert lab.check("title_is", {"slide": 2, "text": "1234"}, edit).score == expected
