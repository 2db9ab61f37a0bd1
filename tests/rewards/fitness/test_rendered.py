"""What pictures do not show of new shapes makes the work unfit, unless a target has the same."""

import io
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Inches, Pt

from pptarena.decks import Deck, read_deck
from pptarena.decks.diff.compare import diff_matched
from pptarena.decks.edits import Spot
from pptarena.decks.match.decks import match_decks
from pptarena.rewards.fitness import Fitness, measure_fitness
from pptarena.rewards.looks import Looked, Unseen

TEXT = "Figures of the second half"
PALE = Unseen(Spot(1, None, 0, 0, len(TEXT)), "its letters cannot be told from the paper")


def deck(text: str | None = None, size_pt: float = 20.0) -> Deck:
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "A title that stays"
    if text is not None:
        box = slide.shapes.add_textbox(Inches(1), Inches(3), Inches(6), Inches(1))
        box.text_frame.text = text
        box.text_frame.paragraphs[0].runs[0].font.size = Pt(size_pt)
    out = io.BytesIO()
    presentation.save(out)
    return read_deck(out.getvalue())


def fitness(looked: Looked | None, target: Deck) -> Fitness:
    match = match_decks(deck(), deck(TEXT))
    return measure_fitness(match, diff_matched(match), (), (target,), looked)


@pytest.mark.parametrize(
    ("looked", "reason"),
    [
        (Looked(unseen={0: (PALE,)}), "cannot be told"),
        (Looked(shares={(0, 1): 0.0}), "does not show it"),
    ],
)
def test_what_pictures_do_not_show_is_unfit(looked: Looked, reason: str) -> None:
    found = fitness(looked, deck(TEXT, size_pt=28))
    assert found.share < 0.5
    assert reason in found.reason


@pytest.mark.parametrize(
    "looked", [None, Looked(), Looked(shares={(0, 1): 1.0}), Looked(unseen={1: (PALE,)})]
)
def test_what_they_show_is_fit(looked: Looked | None) -> None:
    assert fitness(looked, deck(TEXT, size_pt=28)).share == 1.0


def test_what_a_target_has_in_the_same_way_is_no_fault() -> None:
    assert fitness(Looked(unseen={0: (PALE,)}), deck(TEXT)).share == 1.0


def test_unfilled_placeholders_of_a_new_slide_need_not_show() -> None:
    presentation: Any = Presentation()
    first = presentation.slides.add_slide(presentation.slide_layouts[5])
    first.shapes.title.text = "A title that stays"
    presentation.slides.add_slide(presentation.slide_layouts[1])
    out = io.BytesIO()
    presentation.save(out)
    match = match_decks(deck(), read_deck(out.getvalue()))
    unseen = Looked(shares={(1, 0): 0.0, (1, 1): 0.0})
    changes = diff_matched(match)
    assert measure_fitness(match, changes, (), (deck(TEXT),), unseen).share == 1.0
    presentation.slides[1].shapes.title.text = "A title that no picture shows"
    out = io.BytesIO()
    presentation.save(out)
    match = match_decks(deck(), read_deck(out.getvalue()))
    changes = diff_matched(match)
    assert "does not show it" in measure_fitness(match, changes, (), (deck(TEXT),), unseen).reason
