"""Tasks about one of several copies of a slide: only an edit of the requested copy scores."""

from typing import Any

import pytest
from pptx import Presentation
from tests.conftest import save
from tests.each_case import each_case

from pptarena.rewards import load_rubric, load_scope, read_deck, score

pytestmark = pytest.mark.slow


def _deck(edit: int = 0, text: str = "Team of the north", copies: int = 3) -> bytes:
    """Return a cover and copies of a slide; `edit` (from 1 in the deck) gets a new title."""
    deck = Presentation()
    deck.slides.add_slide(deck.slide_layouts[0]).shapes.title.text = "Cover"
    for _ in range(copies):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = "Team"
        slide.placeholders[1].text = "Who does what\nand when"
    if edit:
        deck.slides[edit - 1].shapes.title.text = text
    return save(deck)


def _score(requested: int, edited: int, text: str = "Team of the north") -> float | None:
    children: list[dict[str, Any]] = [
        {"name": "title", "check": "title_is", "args": {"slide": requested, "text": text}},
        {"name": "rest", "critical": False, "check": "nothing_else_changed"},
    ]
    rubric = load_rubric({"version": 1, "root": {"name": "root", "children": children}})
    scope = load_scope({"slides": [requested], "aspects": ["text"], "shapes": ["@title"]})
    return score(rubric, read_deck(_deck()), read_deck(_deck(edited, text)), scope).score


@each_case("text", ["Team of the north", "Nothing in common"])
@each_case("edited", [2, 3, 4])
@each_case("requested", [2, 3, 4])
def test_only_the_requested_copy_scores(requested: int, edited: int, text: str) -> None:
    result = _score(requested, edited, text)
    assert result is not None
    assert result == 1.0 if requested == edited else result <= 0.1
