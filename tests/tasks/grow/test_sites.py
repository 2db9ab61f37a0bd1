"""Where operators find no place: what would be hidden, or moved by the application."""

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

from pptarena.decks import read_deck
from pptarena.tasks.grow import OPERATORS
from pptarena.tasks.grow.ground import Ground


@pytest.fixture
def deck() -> Any:
    made: Any = Presentation()
    made.slides.add_slide(made.slide_layouts[6])
    return made


def names(deck: Any, operator: str) -> list[str]:
    """Return the shapes, or slides, that an operator can work on."""
    sites = OPERATORS[operator].sites(_ground(deck))
    return [str(s.number) if s.shape_index is None else s.shape.name for s in sites]


def _ground(deck: Any) -> Ground:
    stream = io.BytesIO()
    deck.save(stream)
    file = stream.getvalue()
    return Ground("deck.pptx", "", file, read_deck(file))


def block(deck: Any, name: str, left: float, width: float) -> None:
    shape = deck.slides[0].shapes.add_shape(
        MSO_SHAPE.RECTANGLE, Inches(left), Inches(3), Inches(width), Inches(0.5)
    )
    shape.name = name


def test_a_shape_is_turned_where_it_covers_nothing_more(deck: Any) -> None:
    block(deck, "Alone", 7, 1)
    block(deck, "Long", 0.5, 4)
    assert names(deck, "rotate-shape") == ["Alone", "Long"]
    box = deck.slides[0].shapes.add_textbox(Inches(2), Inches(4), Inches(1), Inches(0.5))
    box.name, box.text_frame.text = "Below", "words"
    assert "Long" not in names(deck, "rotate-shape")
    assert "Alone" in names(deck, "rotate-shape")


def test_a_background_has_no_picture_before_it(deck: Any) -> None:
    assert names(deck, "slide-background") == ["1"]
    file = io.BytesIO()
    Image.new("RGB", (40, 20), "#C00000").save(file, "PNG")
    deck.slides[0].shapes.add_picture(file, Inches(1), Inches(1))
    assert names(deck, "slide-background") == []


def backgrounds(deck: Any) -> set[str]:
    """Return the colours that the background of the first slide may be asked to have."""
    (site,) = OPERATORS["slide-background"].sites(_ground(deck))
    drawn = [OPERATORS["slide-background"].params(site, Random(seed)) for seed in range(200)]
    return {params["color"] for params in drawn if params}


def test_small_letters_lose_nothing_on_a_background(deck: Any) -> None:
    assert {"green", "dark red"} <= backgrounds(deck)
    deck.slides[0].shapes.add_textbox(*[Inches(1)] * 4).text_frame.text = "with footnote"
    assert backgrounds(deck) == {"orange", "yellow", "light blue", "light green"}


def test_a_filled_shape_stands_out_from_a_background(deck: Any) -> None:
    block(deck, "Box", 1, 2)
    fill: Any = deck.slides[0].shapes[0].fill
    fill.solid()
    fill.fore_color.rgb = RGBColor.from_string("156082")  # type: ignore[no-untyped-call]
    found = backgrounds(deck)
    assert {"yellow", "light blue"} <= found
    assert not {"green", "blue", "dark green"} & found


def test_a_shape_that_never_stood_out_rules_no_background_out(deck: Any) -> None:
    everything = backgrounds(deck)
    block(deck, "Box", 1, 2)
    shape: Any = deck.slides[0].shapes[0]
    shape.fill.solid()
    shape.fill.fore_color.rgb = RGBColor.from_string("FFFFFF")  # type: ignore[no-untyped-call]
    assert backgrounds(deck) == everything


def test_no_word_of_a_link_is_set_in_bold(deck: Any) -> None:
    frame = deck.slides[0].shapes.add_textbox(*[Inches(1)] * 4).text_frame
    frame.paragraphs[0].add_run().text = "Read these words "
    link = frame.paragraphs[0].add_run()
    link.text, link.hyperlink.address = "here without delay", "https://example.org"
    (site,) = OPERATORS["bold-words"].sites(_ground(deck))
    drawn = [OPERATORS["bold-words"].params(site, Random(seed)) for seed in range(50)]
    assert {params["words"] for params in drawn if params} == {"Read", "these", "words"}


@pytest.mark.parametrize(("wrap", "count"), [(True, 1), (False, 0)])
def test_a_theme_changes_where_no_box_is_fitted_anew(deck: Any, wrap: bool, count: int) -> None:
    frame = deck.slides[0].shapes.add_textbox(*[Inches(1)] * 4).text_frame
    frame.word_wrap, frame.auto_size, frame.text = wrap, MSO_AUTO_SIZE.SHAPE_TO_FIT_TEXT, "words"
    assert len(names(deck, "theme-accent")) == count


@pytest.mark.parametrize(("shade", "own", "count"), [(0, False, 1), (1, False, 0), (1, True, 1)])
def test_a_theme_changes_where_no_line_is_a_shade_of_it(
    deck: Any, shade: int, own: bool, count: int
) -> None:
    block(deck, "Box", 1, 2)
    shape = deck.slides[0].shapes[0]
    color = next(shape._element.iter(qn("a:lnRef")))[0]
    for _ in range(shade):
        etree.SubElement(color, qn("a:shade")).set("val", "15000")
    if own:
        shape.line.color.rgb = RGBColor.from_string("156082")  # type: ignore[no-untyped-call]
    assert len(names(deck, "theme-accent")) == count
