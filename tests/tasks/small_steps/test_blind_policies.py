"""Policies that read no instruction: doing everything does not pay what one thing pays."""

from io import BytesIO
from itertools import combinations
from typing import Any

import pytest
from pptx import Presentation

from pptarena.rewards import read_deck
from pptarena.rewards.scored import value_of
from pptarena.tasks import Task, list_tasks
from pptarena.tasks.scorer import Scorer

pytestmark = pytest.mark.slow

SUITES = ("all#first-steps", "all#first-steps-unseen")
MOST = 0.82
MOST_OF_ALL = 0.3
TITLES = ("italic-title", "underline-title", "center-title")
WHOLE = ("duplicate-slide", "new-slide")
POLICIES = (
    TITLES,
    *combinations(TITLES, 2),
    *((title, "delete-picture") for title in TITLES),
    *((title, slide) for title in TITLES[:1] for slide in WHOLE),
    ("duplicate-slide", "new-slide"),
    (*TITLES, "delete-picture", "new-slide"),
)


def _kind(task: Task) -> str:
    return task.id.removeprefix(f"{task.suite}-").rsplit("-", 1)[0]


# The first task of each kind.
TASKS = [
    task
    for suite in SUITES
    for task in {_kind(task): task for task in reversed(list_tasks(suite))}.values()
]


def _done(task: Task, names: tuple[str, ...], edits: Any) -> bytes:
    deck = Presentation(BytesIO(task.deck_bytes()))
    number = int(task.id.rsplit("-", 1)[1])
    pictures = any(each.shape_type == 13 for each in deck.slides[number - 1].shapes)
    for name in sorted(names, key=lambda name: name.endswith("-slide")):
        if name != "delete-picture" or pictures:
            edits[name](deck, number)
    stream = BytesIO()
    deck.save(stream)
    return stream.getvalue()


@pytest.mark.parametrize("policy", POLICIES, ids="+".join)
def test_doing_more_than_was_asked_for_does_not_pay(policy: tuple[str, ...], edits: Any) -> None:
    found = {
        task.id: value_of(Scorer(task).score(_done(task, policy, edits)))
        for task in TASKS
        # Without a picture, deleting it does nothing.
        if "delete-picture" not in policy or _has_picture(task)
    }
    assert {id: score for id, score in found.items() if score > MOST} == {}
    assert sum(found.values()) / len(found) <= MOST_OF_ALL


def _has_picture(task: Task) -> bool:
    slide = read_deck(task.deck_bytes()).slides[int(task.id.rsplit("-", 1)[1]) - 1]
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
def test_what_is_done_to_the_whole_deck_pays_next_to_nothing(task: Task, change: Any) -> None:
    deck = Presentation(BytesIO(task.deck_bytes()))
    change(deck)
    stream = BytesIO()
    deck.save(stream)
    assert value_of(Scorer(task).score(stream.getvalue())) <= 0.35
