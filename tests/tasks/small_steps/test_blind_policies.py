"""Policies that ignore the instruction score low, even if they do everything."""

from itertools import combinations
from typing import Any

import pytest
from tests.tasks.small_steps.conftest import kind_of, slide_number_of

from pptarena.rewards import read_deck
from pptarena.rewards.scored_tree import value_of
from pptarena.tasks import Task, list_tasks
from pptarena.tasks.goals.editing import edit_deck
from pptarena.tasks.scorer import Scorer

pytestmark = pytest.mark.slow

SUITES = ("all#first-steps", "all#first-steps-unseen")
MAX_SCORE = 0.82
MAX_MEAN_SCORE = 0.3
TITLES = ("italic-title", "underline-title", "center-title")
NEW_SLIDES = ("duplicate-slide", "new-slide")
POLICIES = (
    TITLES,
    *combinations(TITLES, 2),
    *((title, "delete-picture") for title in TITLES),
    *((title, slide) for title in TITLES[:1] for slide in NEW_SLIDES),
    ("duplicate-slide", "new-slide"),
    (*TITLES, "delete-picture", "new-slide"),
)


# The first task of each kind.
TASKS = [
    task
    for suite in SUITES
    for task in {kind_of(task): task for task in reversed(list_tasks(suite))}.values()
]


def _apply_policy(task: Task, names: tuple[str, ...], edits: Any) -> bytes:
    def edit(deck: Any) -> None:
        for name in sorted(names, key=lambda name: name.endswith("-slide")):
            edits[name](deck, slide_number_of(task))

    return edit_deck(task.deck_bytes(), edit)


@pytest.mark.parametrize("policy", POLICIES, ids="+".join)
def test_blind_policies_score_low(policy: tuple[str, ...], edits: Any) -> None:
    scores = {
        task.id: value_of(Scorer(task).score(_apply_policy(task, policy, edits)))
        for task in TASKS
        # Without a picture, deleting it does nothing.
        if "delete-picture" not in policy or _has_picture(task)
    }
    assert {id: score for id, score in scores.items() if score > MAX_SCORE} == {}
    assert sum(scores.values()) / len(scores) <= MAX_MEAN_SCORE


def _has_picture(task: Task) -> bool:
    slide = read_deck(task.deck_bytes()).slides[slide_number_of(task) - 1]
    return any(shape.kind == "picture" for shape in slide.shapes)


def _hide(deck: Any) -> None:
    for slide in deck.slides:
        slide._element.set("show", "0")


def _empty(deck: Any) -> None:
    for slide in deck.slides:
        for shape in list(slide.shapes):
            shape._element.getparent().remove(shape._element)


def _add(deck: Any) -> None:
    for slide in deck.slides:
        slide.shapes.add_textbox(0, 0, 4_000_000, 2_000_000).text_frame.text = "words " * 40


def _style(deck: Any) -> None:
    for slide in deck.slides:
        for shape in slide.shapes:
            for paragraph in shape.text_frame.paragraphs if shape.has_text_frame else ():
                for run in paragraph.runs:
                    run.font.bold = run.font.italic = run.font.underline = True


@pytest.mark.parametrize("change", [_hide, _empty, _add, _style], ids=lambda each: each.__name__)
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_changes_of_the_entire_deck_score_low(task: Task, change: Any) -> None:
    assert value_of(Scorer(task).score(edit_deck(task.deck_bytes(), change))) <= 0.35
