"""A turn whose rubric refers to earlier work is scored against its reference deck."""

from typing import Any

import pytest
from tests.slide_edits import set_title, slide_at

from pptarena.rewards import ScoredNode, load_rubric, load_scope, read_deck, score
from pptarena.rewards.context import TurnContext
from pptarena.tasks import get_task
from pptarena.tasks.goals.editing import edit_deck

pytestmark = pytest.mark.slow

FILE = get_task("ledger-corrections").deck_bytes()
RUBRIC = load_rubric(
    {
        "version": 1,
        "root": {
            "name": "the renamed slide is hidden",
            "check": "slide_hidden",
            "args": {"slides": {"title": "Renamed by turn one"}},
        },
    }
)


def deck(*edits: Any) -> Any:
    return read_deck(edit_deck(FILE, *edits) if edits else FILE)


def scored(current: Any, context: TurnContext | None) -> ScoredNode:
    scope = load_scope({"parts": [{"slides": [6], "aspects": ["visibility"]}]}).resolve(deck())
    return score(RUBRIC, deck(), current, scope, targets=(current,), turn=context)


def hide(presentation: Any) -> None:
    slide_at(presentation, 6)._element.set("show", "0")


def rename(presentation: Any) -> None:
    set_title(presentation, 6, "Renamed by turn one")


def test_work_is_scored_by_the_reference_and_damage_is_charged() -> None:
    context = TurnContext(first=deck(), reference=deck(rename))
    assert scored(deck(hide), None).score is None
    assert scored(deck(hide), context).score == 1.0

    def retitle_another_slide(presentation: Any) -> None:
        set_title(presentation, 4, "Something else")

    damaged = scored(deck(hide, retitle_another_slide), context)
    assert damaged.score is not None
    assert 0 < damaged.score < 0.9
