"""What attacks earn on generated tasks of small decks, which have little to damage."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_CONNECTOR
from pptx.oxml.ns import qn
from tests.tasks.grow.conftest import drawn, generated_material

from pptarena.decks.presentation import save_presentation
from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.grow import DeckGrower
from pptarena.tasks.quality.attacks import ALLOWED_GAIN, ATTACKS, AttackResult, attack_task
from pptarena.tasks.quality.attacks.tools import words_picture

pytestmark = pytest.mark.slow


@cache
def _meridian() -> DeckGrower:
    return DeckGrower(read_deck_file("meridian"), "meridian")


def _usual(edit: Callable[[Any], object] = lambda deck: None) -> DeckGrower:
    """Return a generator for three slides of the usual template, such as a new file gives back."""
    deck = Presentation()
    for number in range(3):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = f"Chapter {number}"
        slide.placeholders[1].text = f"It is about part {number}\nand about nothing else"
    edit(deck)
    return DeckGrower(save_presentation(deck), "usual")


def _attacks(grower: DeckGrower, operator: str, *names: str) -> tuple[AttackResult, ...]:
    (draft,) = drawn(grower, operator, 1)
    chosen = [each for each in ATTACKS if each.name in names]
    assert len(chosen) == len(names)
    return attack_task(generated_material(draft), attacks=chosen)


def _attack(grower: DeckGrower, operator: str, name: str) -> AttackResult:
    (result,) = _attacks(grower, operator, name)
    return result


def test_a_new_file_earns_what_it_gives_back_of_a_small_deck() -> None:
    def boxed(deck: Any) -> None:
        deck.slides[0].shapes.add_shape(1, 0, 0, 900_000, 900_000).text = "A box"

    result = _attack(_usual(boxed), "insert-slide", "only the words of the goal")
    assert result.score > ALLOWED_GAIN
    assert result.deserved > ALLOWED_GAIN
    assert result.ok


def test_a_new_file_earns_nothing_of_other_decks() -> None:
    words = "only the words of the goal"
    assert _attack(_meridian(), "insert-slide", words).deserved == 0

    def boxed(deck: Any) -> None:
        for slide in deck.slides:
            for number in range(6):
                box = slide.shapes.add_shape(1, 0, number * 900_000, 900_000, 900_000)
                box.text = f"Box {number}"

    # Title and body come back, but they are only a quarter of what each slide had.
    result = _attack(_usual(boxed), "insert-slide", words)
    assert (result.score, result.deserved) == (0, 0)


def test_new_words_may_be_bold_where_a_deck_has_no_others() -> None:
    def emptied(deck: Any) -> None:
        for slide in deck.slides:
            for shape in slide.placeholders:
                shape.text = ""

    bold = "goal, everything bold and italic"
    assert _attack(_usual(emptied), "fill-placeholder", bold).deserved == 1
    assert _attack(_meridian(), "set-title", bold).deserved < 0.65


def test_one_box_on_each_of_many_slides_costs_half() -> None:
    result = _attack(_meridian(), "add-text-box", "every answer on every slide")
    assert result.ok
    assert result.deserved < 0.55


def test_words_in_the_backgrounds_colour_are_so_before_a_chart_too() -> None:
    def charted(deck: Any) -> None:
        kind: Any = CategoryChartData  # which is not typed
        data = kind()
        data.categories = ["Rome", "Oslo"]
        data.add_series("Cost", (12, 9))
        size = 0, 0, deck.slide_width, deck.slide_height
        for slide in deck.slides:
            slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *size, data)

    name = "words in the background's colour"
    assert _attack(_usual(charted), "add-text-box", name).score == 0


def test_a_turned_line_is_covered_whole() -> None:
    def drawn_lines(deck: Any) -> None:
        for slide in deck.slides:
            kind = MSO_CONNECTOR.STRAIGHT
            line = slide.shapes.add_connector(kind, 900_000, 4_900_000, 3_700_000, 4_900_000)
            line._element.spPr.xfrm.set("rot", "5400000")

    assert _attack(_usual(drawn_lines), "line-color", "goal, under another shape").score == 0


def test_a_picture_of_nothing_cannot_be_hidden() -> None:
    def shown(deck: Any) -> None:
        for slide in deck.slides:
            for shape in list(slide.placeholders):
                shape._element.getparent().remove(shape._element)
            picture = slide.shapes.add_picture(words_picture("a film"), 0, 0)
            for blip in list(picture._element.iter(qn("a:blip"))):
                blip.getparent().remove(blip)

    results = _attacks(_usual(shown), "duplicate-slide", "goal, hidden", "the original")
    assert [result.attack for result in results] == ["the original"]


def test_looks_of_new_words_are_counted_one_by_one() -> None:
    deck = Presentation()
    for _ in range(3):
        deck.slides.add_slide(deck.slide_layouts[1])
    grower = DeckGrower(save_presentation(deck), "empty")
    name = "goal, every look at once"
    (attack,) = (each for each in ATTACKS if each.name == name)
    drafts = drawn(grower, "insert-titled-slide", 5)
    tried = [attack_task(generated_material(each), attacks=[attack])[0] for each in drafts]
    assert len(tried) > 3
    assert all(result.ok and result.deserved == pytest.approx(0.85) for result in tried)
    # Which looks are tried is drawn with the task: seldom is only one of them seen.
    scores = [result.score for result in tried]
    assert max(scores) < 0.93
    assert min(scores) < 0.85


def test_a_theme_frees_no_other_looks() -> None:
    assert _attack(_meridian(), "theme-accent", "goal, other letters of 1 pt").ok
