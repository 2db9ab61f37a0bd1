"""Operators exclude targets that the edit would hide or the application would move."""

import io
from random import Random
from typing import Any

import pytest
from lxml import etree
from PIL import Image
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import MSO_AUTO_SIZE
from pptx.oxml.ns import qn
from pptx.util import Inches
from tests.conftest import save

from pptarena.decks import read_deck
from pptarena.tasks.generator import OPERATORS
from pptarena.tasks.generator.deck_context import DeckContext


@pytest.fixture
def deck() -> Any:
    presentation: Any = Presentation()
    presentation.slides.add_slide(presentation.slide_layouts[6])
    return presentation


def names(deck: Any, operator: str) -> list[str]:
    """Return the names of shapes, or numbers of slides, that an operator applies to."""
    targets = OPERATORS[operator].targets(_context(deck))
    return [str(s.slide_number) if s.shape_index is None else s.shape.name for s in targets]


def _context(deck: Any) -> DeckContext:
    file = save(deck)
    return DeckContext("deck.pptx", "", file, read_deck(file))


def block(deck: Any, name: str, left: float, width: float) -> None:
    shape = deck.slides[0].shapes.add_shape(
        MSO_SHAPE.RECTANGLE, Inches(left), Inches(3), Inches(width), Inches(0.5)
    )
    shape.name = name


def test_shape_is_rotated_only_if_it_covers_nothing_more(deck: Any) -> None:
    block(deck, "Alone", 7, 1)
    block(deck, "Long", 0.5, 4)
    assert names(deck, "rotate-shape") == ["Alone", "Long"]
    box = deck.slides[0].shapes.add_textbox(Inches(2), Inches(4), Inches(1), Inches(0.5))
    box.name, box.text_frame.text = "Below", "words"
    assert "Long" not in names(deck, "rotate-shape")
    assert "Alone" in names(deck, "rotate-shape")


def test_slide_with_a_picture_gets_no_background_task(deck: Any) -> None:
    assert names(deck, "slide-background") == ["1"]
    file = io.BytesIO()
    Image.new("RGB", (40, 20), "#C00000").save(file, "PNG")
    deck.slides[0].shapes.add_picture(file, Inches(1), Inches(1))
    assert names(deck, "slide-background") == []


def backgrounds(deck: Any) -> set[str]:
    """Return the colors that tasks may request for the background of the first slide."""
    (target,) = OPERATORS["slide-background"].targets(_context(deck))
    samples = [OPERATORS["slide-background"].params(target, Random(seed)) for seed in range(200)]
    return {params["color"] for params in samples if params}


def test_small_text_restricts_background_colors(deck: Any) -> None:
    assert {"green", "dark red"} <= backgrounds(deck)
    deck.slides[0].shapes.add_textbox(*[Inches(1)] * 4).text_frame.text = "with footnote"
    assert backgrounds(deck) == {"orange", "yellow", "light blue", "light green"}


def test_filled_shapes_must_stand_out_from_the_background(deck: Any) -> None:
    block(deck, "Box", 1, 2)
    fill: Any = deck.slides[0].shapes[0].fill
    fill.solid()
    fill.fore_color.rgb = RGBColor.from_string("156082")  # type: ignore[no-untyped-call]
    colors = backgrounds(deck)
    assert {"yellow", "light blue"} <= colors
    assert not {"green", "blue", "dark green"} & colors


def test_shape_that_never_stood_out_excludes_no_color(deck: Any) -> None:
    everything = backgrounds(deck)
    block(deck, "Box", 1, 2)
    shape: Any = deck.slides[0].shapes[0]
    shape.fill.solid()
    shape.fill.fore_color.rgb = RGBColor.from_string("FFFFFF")  # type: ignore[no-untyped-call]
    assert backgrounds(deck) == everything


def test_words_of_links_are_not_set_in_bold(deck: Any) -> None:
    frame = deck.slides[0].shapes.add_textbox(*[Inches(1)] * 4).text_frame
    frame.paragraphs[0].add_run().text = "Read these words "
    link = frame.paragraphs[0].add_run()
    link.text, link.hyperlink.address = "here without delay", "https://example.org"
    (target,) = OPERATORS["bold-words"].targets(_context(deck))
    samples = [OPERATORS["bold-words"].params(target, Random(seed)) for seed in range(50)]
    assert {params["words"] for params in samples if params} == {"Read", "these", "words"}


@pytest.mark.parametrize(("wrap", "count"), [(True, 1), (False, 0)])
def test_theme_changes_only_if_no_box_would_be_refitted(deck: Any, wrap: bool, count: int) -> None:
    frame = deck.slides[0].shapes.add_textbox(*[Inches(1)] * 4).text_frame
    frame.word_wrap, frame.auto_size, frame.text = wrap, MSO_AUTO_SIZE.SHAPE_TO_FIT_TEXT, "words"
    assert len(names(deck, "theme-accent")) == count


@pytest.mark.parametrize(
    ("shades", "has_own_color", "count"), [(0, False, 1), (1, False, 0), (1, True, 1)]
)
def test_theme_changes_only_if_no_line_is_a_shade_of_it(
    deck: Any, shades: int, has_own_color: bool, count: int
) -> None:
    block(deck, "Box", 1, 2)
    shape = deck.slides[0].shapes[0]
    color = next(shape._element.iter(qn("a:lnRef")))[0]
    for _ in range(shades):
        etree.SubElement(color, qn("a:shade")).set("val", "15000")
    if has_own_color:
        shape.line.color.rgb = RGBColor.from_string("156082")  # type: ignore[no-untyped-call]
    assert len(names(deck, "theme-accent")) == count
