from typing import Any

import pytest
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.text import PP_ALIGN
from pptx.oxml.ns import qn
from pptx.util import Pt

pytestmark = pytest.mark.slow


def _font(number: int, shape: str, /, **values: Any) -> Any:
    """Set properties of the font of every run of a shape."""

    def edit(lab: Any, deck: Any) -> None:
        for paragraph in lab.shape_named(deck, number, shape).text_frame.paragraphs:
            for run in paragraph.runs:
                for key, value in values.items():
                    setattr(run.font, key, value)

    return edit


def _color(number: int, name: str, color: Any) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for run in lab.shape_named(deck, number, name).text_frame.paragraphs[0].runs:
            if isinstance(color, str):
                run.font.color.rgb = lab.rgb(color)
            else:
                run.font.color.theme_color = color

    return edit


def _split(lab: Any, deck: Any) -> None:
    """Make only the word Acme bold, in runs of its own."""
    paragraph = lab.shape_named(deck, 5, "Remark").text_frame.paragraphs[0]
    paragraph.runs[0].text = "Ac"
    for text, bold in (("me", True), (" grows", None), (" fast", None)):
        run = paragraph.add_run()
        run.text, run.font.bold = text, bold
    paragraph.runs[0].font.bold = True


def _paragraphs(change: Any, *indices: int) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        paragraphs = deck.slides[1].placeholders[1].text_frame.paragraphs
        for index in indices:
            change(paragraphs[index])

    return edit


def _align(paragraph: Any) -> None:
    paragraph.alignment = PP_ALIGN.CENTER


def _bullet(paragraph: Any) -> None:
    properties = paragraph._p.get_or_add_pPr()
    properties.insert(0, properties.makeelement(qn("a:buNone"), {}))


def _scheme(**attributes: str) -> Any:
    def change(paragraph: Any) -> None:
        properties = paragraph._p.get_or_add_pPr()
        properties.insert(0, properties.makeelement(qn("a:buAutoNum"), attributes))

    return change


_number = _scheme(type="arabicPeriod")


def _spaced(paragraph: Any) -> None:
    paragraph.line_spacing = 1.5


def _level(level: int) -> Any:
    def change(paragraph: Any) -> None:
        paragraph.level = level

    return change


REMARK = {"slide": 5, "shape": "Remark"}
BOLD = REMARK | {"bold": True}
WORD = BOLD | {"text": "acme"}
BODY = {"slide": 2, "shape": "@body"}
ONE_TO_THREE = BODY | {"bullet": "number", "char": "arabic", "start": 1}
BIG = REMARK | {"bold": True, "italic": True, "size_pt": 32, "font": "Verdana"}
TITLES = {"slides": "all", "shape": "@title", "underline": True}


def _underline_titles(*numbers: int) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for number in numbers:
            title = deck.slides[number - 1].shapes.title
            title.text_frame.paragraphs[0].runs[0].font.underline = True

    return edit


CASES = [
    ("run_format", BOLD, _font(5, "Remark", bold=True), 1, 1),
    ("run_format", BOLD, _split, 4 / 13 - 0.01, 4 / 13 + 0.01),
    ("run_format", BOLD, _font(5, "A", bold=True), 0, 0),
    ("run_format", WORD, _split, 1, 1),
    ("run_format", WORD, _font(5, "Remark", italic=True), 0, 0),
    ("run_format", WORD | {"alone": True}, _split, 1, 1),
    ("run_format", WORD | {"alone": True}, _font(5, "Remark", bold=True), 0, 0),
    ("run_format", BIG, _font(5, "Remark", bold=True), 0.25, 0.25),
    ("run_format", BIG, _font(5, "Remark", bold=True, italic=True, size=Pt(32), name="Verdana"),
     1, 1),
    ("run_format", REMARK | {"size_min_pt": 20}, _font(5, "Remark", size=Pt(24)), 1, 1),
    ("run_format", REMARK | {"size_max_pt": 12}, _font(5, "Remark", size=Pt(11)), 1, 1),
    ("run_format", REMARK | {"color": "#FF0000"}, _color(5, "Remark", "FA0505"), 1, 1),
    ("run_format", REMARK | {"color": "#FF0000"}, _color(5, "Remark", "00FF00"), 0, 0),
    ("run_format", REMARK | {"color": "accent1"}, _color(5, "Remark", MSO_THEME_COLOR.ACCENT_1),
     1, 1),
    ("run_format", TITLES, _underline_titles(1, 2, 3, 4, 5, 6), 1, 1),
    ("run_format", TITLES, _underline_titles(1, 2, 3), 0.5, 0.5),
    ("run_format", {"slide": 5, "text": "Acme", "bold": True}, _split, 1, 1),
    ("paragraph_alignment", BODY | {"align": "center"}, _paragraphs(_align, 0, 1, 2), 1, 1),
    ("paragraph_alignment", BODY | {"align": "center"}, _paragraphs(_align, 0), 0.3, 0.34),
    ("paragraph_alignment", BODY | {"align": "right"}, _paragraphs(_align, 0), 0, 0),
    ("paragraph_bullet", BODY | {"bullet": "none"}, _paragraphs(_bullet, 0, 1, 2), 1, 1),
    ("paragraph_bullet", BODY | {"bullet": "none"}, _paragraphs(_bullet, 0, 1), 0.6, 0.7),
    ("paragraph_bullet", BODY | {"bullet": "number"}, _paragraphs(_number, 0, 1, 2), 1, 1),
    ("paragraph_bullet", BODY | {"bullet": "number"}, _paragraphs(_bullet, 0, 1, 2), 0, 0),
    ("paragraph_bullet", ONE_TO_THREE, _paragraphs(_scheme(type="arabicParenR"), 0, 1, 2), 1, 1),
    ("paragraph_bullet", ONE_TO_THREE, _paragraphs(_scheme(type="alphaLcPeriod"), 0, 1, 2), 0, 0),
    ("paragraph_bullet", ONE_TO_THREE,
     _paragraphs(_scheme(type="arabicPeriod", startAt="5"), 0, 1, 2), 0, 0),
    ("paragraph_level", BODY | {"text": "Outlook", "level": 2}, _paragraphs(_level(2), 1), 1, 1),
    ("paragraph_level", BODY | {"text": "Outlook", "level": 2}, _paragraphs(_level(1), 1),
     0.5, 0.5),
    ("paragraph_level", BODY | {"text": "Outlook", "level": 2}, _paragraphs(_level(2), 0), 0, 0),
    ("line_spacing", BODY | {"percent": 150}, _paragraphs(_spaced, 0, 1, 2), 1, 1),
    ("line_spacing", BODY | {"percent": 150}, _paragraphs(_spaced, 2), 0.3, 0.34),
    ("line_spacing", BODY | {"percent": 200}, _paragraphs(_spaced, 2), 0, 0),
]  # fmt: skip


def test_scores_are_in_range_and_0_without_the_edit(scorer: Any) -> None:
    scorer.assert_scores(CASES)


def test_goal_met_by_the_original_loses_points_when_damaged(lab: Any) -> None:
    args = BODY | {"bullet": "char"}
    assert lab.check("paragraph_bullet", args).score == 1
    worse = lab.check("paragraph_bullet", args, lambda d: _paragraphs(_bullet, 0)(lab, d))
    assert worse.score == pytest.approx(2 / 3)
