"""New shapes that do not render make the work unfit, unless a target has the same."""

import io
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Inches, Pt
from tests.conftest import save

from pptarena.decks import Deck, read_deck
from pptarena.decks.diff.compare import diff_matched
from pptarena.decks.match.decks import match_decks
from pptarena.decks.slide_variants import TextRange
from pptarena.rewards.fitness import Fitness, measure_fitness
from pptarena.rewards.render_check import IllegibleText, RenderCheckResult

TEXT = "Figures of the second half"
PALE = IllegibleText(
    TextRange(1, None, 0, 0, len(TEXT)), "its text cannot be distinguished from the background"
)


def deck(text: str | None = None, size_pt: float = 20.0) -> Deck:
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "A title that stays"
    if text is not None:
        box = slide.shapes.add_textbox(Inches(1), Inches(3), Inches(6), Inches(1))
        box.text_frame.text = text
        box.text_frame.paragraphs[0].runs[0].font.size = Pt(size_pt)
    return read_deck(save(presentation))


def fitness(render_check: RenderCheckResult | None, target: Deck) -> Fitness:
    match = match_decks(deck(), deck(TEXT))
    return measure_fitness(match, diff_matched(match), (), (target,), render_check)


@pytest.mark.parametrize(
    ("render_check", "reason"),
    [
        (RenderCheckResult(illegible_texts={0: (PALE,)}), "cannot be distinguished"),
        (RenderCheckResult(visible_shares={(0, 1): 0.0}), "does not show it"),
    ],
)
def test_shapes_that_do_not_render_are_unfit(render_check: RenderCheckResult, reason: str) -> None:
    result = fitness(render_check, deck(TEXT, size_pt=28))
    assert result.share < 0.5
    assert reason in result.reason


@pytest.mark.parametrize(
    "render_check",
    [
        None,
        RenderCheckResult(),
        RenderCheckResult(visible_shares={(0, 1): 1.0}),
        RenderCheckResult(illegible_texts={1: (PALE,)}),
    ],
)
def test_rendered_shapes_are_fit(render_check: RenderCheckResult | None) -> None:
    assert fitness(render_check, deck(TEXT, size_pt=28)).share == 1.0


def test_target_with_the_same_shape_excuses_it() -> None:
    assert fitness(RenderCheckResult(illegible_texts={0: (PALE,)}), deck(TEXT)).share == 1.0


def test_empty_placeholders_of_a_new_slide_need_not_render() -> None:
    presentation: Any = Presentation()
    first = presentation.slides.add_slide(presentation.slide_layouts[5])
    first.shapes.title.text = "A title that stays"
    presentation.slides.add_slide(presentation.slide_layouts[1])
    out = io.BytesIO()
    presentation.save(out)
    match = match_decks(deck(), read_deck(out.getvalue()))
    unrendered = RenderCheckResult(visible_shares={(1, 0): 0.0, (1, 1): 0.0})
    changes = diff_matched(match)
    assert measure_fitness(match, changes, (), (deck(TEXT),), unrendered).share == 1.0
    presentation.slides[1].shapes.title.text = "A title that no picture shows"
    out = io.BytesIO()
    presentation.save(out)
    match = match_decks(deck(), read_deck(out.getvalue()))
    changes = diff_matched(match)
    assert (
        "does not show it" in measure_fitness(match, changes, (), (deck(TEXT),), unrendered).reason
    )
