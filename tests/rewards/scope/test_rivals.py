"""Several answers in one place are none; what belongs to the one answer is not another one."""

from typing import Any

import pytest
from pptx.util import Cm
from tests.each_case import each_case
from tests.slide_edits import rewrite_cell, slide_at

from pptarena.rewards import read_deck, score
from pptarena.rewards.scope.content import lines_with_rivals
from pptarena.tasks import get_task
from pptarena.tasks.goals import goal_deck
from pptarena.tasks.goals.editing import edited

STUFFED = [
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
FINE = [
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


@each_case("target, now, original", STUFFED)
def test_a_line_with_several_answers_is_found(target: str, now: str, original: str) -> None:
    assert lines_with_rivals(target, now, original) == [target.split("\n")[-1]]


@each_case("target, now, original", FINE)
def test_what_belongs_to_the_answer_is_no_other_one(target: str, now: str, original: str) -> None:
    assert lines_with_rivals(target, now, original) == []


def test_a_wrong_figure_in_the_place_of_one_is_no_second_answer() -> None:
    target = "0.9\n0.5\n1.8\n0.6"
    assert lines_with_rivals(target, "0.9\n0.4\n1.8\n0.6", "") == []
    assert lines_with_rivals(target, "0.9\n0.5\n1.8\n0.6\n0.4", "") != []


def scored(task_id: str, edit: Any) -> float:
    task = get_task(task_id)
    goal = goal_deck(task)
    original, target = read_deck(task.deck_bytes()), read_deck(goal)
    now = read_deck(edited(goal, edit))
    return score(task.rubric, original, now, task.scope, targets=(target,)).score or 0.0


def box(text: str) -> Any:
    def edit(deck: Any) -> None:
        slide = slide_at(deck, 21)
        shape = slide.shapes.add_textbox(Cm(2), Cm(11), Cm(6), Cm(2))
        shape.text_frame.text = text

    return edit


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "most"), [("93.7\nMio. € heute", 0.5), ("97.3", 0.5), ("12", 0.95)]
)
def test_a_new_box_with_another_answer_halves_the_score(text: str, most: float) -> None:
    assert scored("harbor-new-costs", box(text)) <= most + 1e-9


@pytest.mark.slow
def test_a_new_box_that_says_something_else_costs_little() -> None:
    assert scored("harbor-new-costs", box("Stand: Oktober")) > 0.85


@pytest.mark.slow
def test_a_cell_with_two_answers_halves_the_score() -> None:
    two = scored(
        "ledger-corrections",
        lambda deck: rewrite_cell(deck, 10, "Branches", 6, 2, "135.3 / 133.5"),
    )
    assert two < 0.5
