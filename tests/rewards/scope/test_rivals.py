"""Rival answers: several answers in one line score as none; additions to one answer are fine."""

from typing import Any

import pytest
from pptx.util import Cm
from tests.each_case import each_case
from tests.rewards.scope.test_unexplained_changes import scored
from tests.slide_edits import rewrite_cell, slide_at

from pptarena.rewards.scope.content import lines_with_rivals

RIVALS = [
    ("93.7", "93.7 / 95.4", "95.4"),
    ("48.6", "48.6 or 48.2", ""),
    ("48.6", "48.2 48.6 47.9", "41.0"),
    ("762.6", "762.6 (761.9)", "711.3"),
    ("Loans\n762.6", "Loans\n762.6\n761.9", "Loans\n711.3"),
    ("12 K cooler", "12 K cooler\n14 K cooler", "10 K cooler"),
    ("Report, June 2026", "Report, June 2026 (Report, June 2027)", "Report, 2026"),
    ("Falls down from 38 to 33", "Falls down from 38 to 33, or from 38 to 31", ""),
    ("Falls down from 38 to 33", "Falls down from 38 to 33 (32)", ""),
    ("38.5", "38.5, though perhaps rather 39.5", "35"),
    ("Write to Tilo by 12 December", "Write to Tilo by 12 December, else 19 December", ""),
    ("Write to Tilo by 12 December", "Write to Tilo by 12 / 19 December", ""),
    ("We sold 87 of them", "We sold 87 of them and we sold 91", ""),
    ("Summer", "Summer / Autumn", "Winter"),
    ("Der Sommer", "Der Herbst oder der Sommer", "Der Winter"),
    ("夏の予定", "夏の予定または秋の予定", "冬"),
]
SINGLE_ANSWERS = [
    ("93.7", "93.7", "95.4"),
    ("93.7", "CHF 93.7 m", "95.4"),
    ("8 min", "1. 8 min", "10 min"),
    ("5 May", "Tuesday, 5 May 2026", "4 May"),
    ("762.6", "762.6\nSource: survey of 2026", "711.3"),
    ("12 K cooler", "cooler by 12 K", "10 K cooler"),
    ("Summer", "Summer, at last", "Winter"),
    ("Falls down from 38 to 33", "Falls fell from 38 to 33, reports in 20 days, not 31", ""),
    ("Falls down from 38 to 33", "Falls from 38 to 33 and equipment from 15 to 14", ""),
    ("Write to Tilo by 12 December", "24 places: write to Tilo by 12 December", ""),
    ("We read 3 samples", "Day 1: soil. Bring 3 samples and read them", ""),
    ("87 reports in 2026, 91 in 2025", "87 reports in 2026, 4 fewer than in 2025 (91)", ""),
    ("and/or", "and/or", "or"),
    ("Red\nBlue", "Blue\nRed", ""),
    ("From 9 to 11", "From 9 to 11", "From 8 to 11"),
]


@each_case("target, current, original", RIVALS)
def test_lines_with_rival_answers_are_found(target: str, current: str, original: str) -> None:
    assert lines_with_rivals(target, current, original) == [target.split("\n")[-1]]


@each_case("target, current, original", SINGLE_ANSWERS)
def test_additions_to_an_answer_are_no_rivals(target: str, current: str, original: str) -> None:
    assert lines_with_rivals(target, current, original) == []


def test_wrong_figure_is_no_rival_unless_it_is_added() -> None:
    target = "0.9\n0.5\n1.8\n0.6"
    assert lines_with_rivals(target, "0.9\n0.4\n1.8\n0.6", "") == []
    assert lines_with_rivals(target, "0.9\n0.5\n1.8\n0.6\n0.4", "") != []


def box(text: str) -> Any:
    def edit(deck: Any) -> None:
        slide = slide_at(deck, 21)
        shape = slide.shapes.add_textbox(Cm(2), Cm(11), Cm(6), Cm(2))
        shape.text_frame.text = text

    return edit


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "maximum"), [("93.7\nMio. € heute", 0.5), ("97.3", 0.5), ("12", 0.95)]
)
def test_new_box_with_a_rival_answer_halves_the_score(text: str, maximum: float) -> None:
    assert (scored("harbor-new-costs", box(text)).score or 0.0) <= maximum + 1e-9


@pytest.mark.slow
def test_new_box_with_unrelated_text_costs_little() -> None:
    assert (scored("harbor-new-costs", box("Stand: Oktober")).score or 0.0) > 0.85


@pytest.mark.slow
def test_cell_with_two_answers_halves_the_score() -> None:
    node = scored(
        "ledger-corrections",
        lambda deck: rewrite_cell(deck, 10, "Branches", 6, 2, "135.3 / 133.5"),
    )
    assert (node.score or 0.0) < 0.5
