"""Tasks about one of several copies of a slide: the right copy pays, a wrong one does not."""

import io
from typing import Any

import pytest
from pptx import Presentation
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
    file = io.BytesIO()
    deck.save(file)
    return file.getvalue()


def _score(asked: int, edited: int, text: str = "Team of the north") -> float | None:
    children: list[dict[str, Any]] = [
        {"name": "title", "check": "title_is", "args": {"slide": asked, "text": text}},
        {"name": "rest", "critical": False, "check": "nothing_else_changed"},
    ]
    rubric = load_rubric({"version": 1, "root": {"name": "root", "children": children}})
    scope = load_scope({"slides": [asked], "aspects": ["text"], "shapes": ["@title"]})
    found = score(rubric, read_deck(_deck()), read_deck(_deck(edited, text)), scope)
    return found.score


@each_case("text", ["Team of the north", "Nothing in common"])
@each_case("edited", [2, 3, 4])
@each_case("asked", [2, 3, 4])
def test_the_copy_that_was_asked_for_pays(asked: int, edited: int, text: str) -> None:
    found = _score(asked, edited, text)
    assert found is not None
    assert found == 1.0 if asked == edited else found <= 0.1
