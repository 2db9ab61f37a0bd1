"""Scores of attacks on generated tasks of small decks, which contain little to damage."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_CONNECTOR
from pptx.oxml.ns import qn
from tests.tasks.generator.conftest import generated_material, sample_drafts

from pptarena.decks.presentation import save_presentation
from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.generator import DeckGenerator
from pptarena.tasks.quality.attacks import ALLOWED_GAIN, ATTACKS, AttackResult, attack_task
from pptarena.tasks.quality.attacks.tools import text_picture

pytestmark = pytest.mark.slow


@cache
def _meridian() -> DeckGenerator:
    return DeckGenerator(read_deck_file("meridian"), "meridian")


def _default_deck(edit: Callable[[Any], object] = lambda deck: None) -> DeckGenerator:
    """Return a generator for three slides of the default template."""
    deck = Presentation()
    for number in range(3):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = f"Chapter {number}"
        slide.placeholders[1].text = f"It is about part {number}\nand about nothing else"
    edit(deck)
    return DeckGenerator(save_presentation(deck), "usual")


def _attacks(generator: DeckGenerator, operator: str, *names: str) -> tuple[AttackResult, ...]:
    (draft,) = sample_drafts(generator, operator, 1)
    selected = [each for each in ATTACKS if each.name in names]
    assert len(selected) == len(names)
    return attack_task(generated_material(draft), attacks=selected)


def _attack(generator: DeckGenerator, operator: str, name: str) -> AttackResult:
    (result,) = _attacks(generator, operator, name)
    return result


def test_new_file_deserves_the_restored_share_of_a_small_deck() -> None:
    def add_boxes(deck: Any) -> None:
        deck.slides[0].shapes.add_shape(1, 0, 0, 900_000, 900_000).text = "A box"

    result = _attack(_default_deck(add_boxes), "insert-slide", "only the words of the goal")
    assert result.score > ALLOWED_GAIN
    assert result.deserved > ALLOWED_GAIN
    assert result.ok


def test_new_file_scores_zero_on_larger_decks() -> None:
    attack_name = "only the words of the goal"
    assert _attack(_meridian(), "insert-slide", attack_name).deserved == 0

    def add_boxes(deck: Any) -> None:
        for slide in deck.slides:
            for number in range(6):
                box = slide.shapes.add_shape(1, 0, number * 900_000, 900_000, 900_000)
                box.text = f"Box {number}"

    # Title and body are restored, but they are only a quarter of each slide.
    result = _attack(_default_deck(add_boxes), "insert-slide", attack_name)
    assert (result.score, result.deserved) == (0, 0)


def test_bold_text_is_fine_in_a_deck_without_other_text() -> None:
    def clear_text(deck: Any) -> None:
        for slide in deck.slides:
            for shape in slide.placeholders:
                shape.text = ""

    bold = "goal, everything bold and italic"
    assert _attack(_default_deck(clear_text), "fill-placeholder", bold).deserved == 1
    assert _attack(_meridian(), "set-title", bold).deserved < 0.65


def test_text_box_on_every_slide_costs_half() -> None:
    result = _attack(_meridian(), "add-text-box", "every answer on every slide")
    assert result.ok
    assert result.deserved < 0.55


def test_text_in_the_background_color_scores_zero_before_a_chart() -> None:
    def add_charts(deck: Any) -> None:
        kind: Any = CategoryChartData  # python-pptx has no types for it
        data = kind()
        data.categories = ["Rome", "Oslo"]
        data.add_series("Cost", (12, 9))
        size = 0, 0, deck.slide_width, deck.slide_height
        for slide in deck.slides:
            slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *size, data)

    name = "words in the background's colour"
    assert _attack(_default_deck(add_charts), "add-text-box", name).score == 0


def test_rotated_line_is_covered_completely() -> None:
    def add_rotated_lines(deck: Any) -> None:
        for slide in deck.slides:
            kind = MSO_CONNECTOR.STRAIGHT
            line = slide.shapes.add_connector(kind, 900_000, 4_900_000, 3_700_000, 4_900_000)
            line._element.spPr.xfrm.set("rot", "5400000")

    assert (
        _attack(_default_deck(add_rotated_lines), "line-color", "goal, under another shape").score
        == 0
    )


def test_empty_pictures_are_not_hidden() -> None:
    def add_empty_pictures(deck: Any) -> None:
        for slide in deck.slides:
            for shape in list(slide.placeholders):
                shape._element.getparent().remove(shape._element)
            picture = slide.shapes.add_picture(text_picture("a film"), 0, 0)
            for blip in list(picture._element.iter(qn("a:blip"))):
                blip.getparent().remove(blip)

    results = _attacks(
        _default_deck(add_empty_pictures), "duplicate-slide", "goal, hidden", "the original"
    )
    assert [result.attack for result in results] == ["the original"]


def test_unrequested_formatting_is_charged_per_property() -> None:
    deck = Presentation()
    for _ in range(3):
        deck.slides.add_slide(deck.slide_layouts[1])
    generator = DeckGenerator(save_presentation(deck), "empty")
    name = "goal, every look at once"
    (attack,) = (each for each in ATTACKS if each.name == name)
    drafts = sample_drafts(generator, "insert-titled-slide", 5)
    results = [attack_task(generated_material(each), attacks=[attack])[0] for each in drafts]
    assert len(results) > 3
    assert all(result.ok and result.deserved == pytest.approx(0.85) for result in results)
    # The formatting depends on the task; usually several properties are visible.
    scores = [result.score for result in results]
    assert max(scores) < 0.93
    assert min(scores) < 0.85


def test_theme_change_excuses_no_other_formatting() -> None:
    assert _attack(_meridian(), "theme-accent", "goal, other letters of 1 pt").ok
