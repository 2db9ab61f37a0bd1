"""Copies of a slide: what the application does while it copies is no damage."""

import io

import pytest
from pptx import Presentation
from pptx.enum.text import MSO_AUTO_SIZE
from pptx.util import Emu

from pptarena.decks.match.decks import match_decks
from pptarena.rewards import load_scope, read_deck
from pptarena.rewards.scope.outside import changes_outside

WIDTH_EMU, NEEDED_EMU = 4_000_000, 369_332  # one line of 18 pt and the usual insets


def _deck(*heights_emu: int, left_emu: int = 0, width_emu: int = WIDTH_EMU) -> bytes:
    """Return one slide for each height, with a text box that fits itself to its text.

    Those after the first have another place and width.
    """
    deck = Presentation()
    for number, height in enumerate(heights_emu):
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        left = left_emu if number else 0
        width = width_emu if number else WIDTH_EMU
        box = slide.shapes.add_textbox(Emu(left), Emu(500_000), Emu(width), Emu(height))
        box.name = "Summary"
        box.text_frame.word_wrap = True
        box.text_frame.auto_size = MSO_AUTO_SIZE.SHAPE_TO_FIT_TEXT
        box.text_frame.text = "One line of text"
    file = io.BytesIO()
    deck.save(file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("height_emu", "left_emu", "blamed"),
    [
        (900_000, 0, False),
        (NEEDED_EMU, 0, False),
        (2_000_000, 0, True),
        (100_000, 0, True),
        (NEEDED_EMU, 600_000, True),
    ],
)
def test_a_box_of_a_copy_may_only_get_the_height_of_its_text(
    height_emu: int, left_emu: int, *, blamed: bool
) -> None:
    original = read_deck(_deck(900_000))
    copied = read_deck(_deck(900_000, height_emu, left_emu=left_emu))
    scope = load_scope({"new_slides": 1, "copy_of": 1})
    found = changes_outside(match_decks(original, copied), scope)
    assert {each.aspect for each in found} == ({"geometry"} if blamed else set())


@pytest.mark.parametrize(("narrower_emu", "blamed"), [(360, False), (3_600, False), (90_000, True)])
def test_a_box_that_was_saved_more_than_once_may_get_the_height_of_its_text(
    narrower_emu: int, *, blamed: bool
) -> None:
    original = read_deck(_deck(900_000))
    copied = read_deck(_deck(900_000, NEEDED_EMU, width_emu=WIDTH_EMU - narrower_emu))
    scope = load_scope({"new_slides": 1, "copy_of": 1})
    found = changes_outside(match_decks(original, copied), scope)
    assert {each.aspect for each in found} == ({"geometry"} if blamed else set())


def test_a_box_that_does_not_fit_itself_keeps_its_height() -> None:
    original, copied = (_fixed(_deck(*heights)) for heights in ((900_000,), (900_000, NEEDED_EMU)))
    scope = load_scope({"new_slides": 1, "copy_of": 1})
    found = changes_outside(match_decks(read_deck(original), read_deck(copied)), scope)
    assert [each.aspect for each in found] == ["geometry"]


def _fixed(data: bytes) -> bytes:
    deck = Presentation(io.BytesIO(data))
    for slide in deck.slides:
        slide.shapes[0].text_frame.auto_size = MSO_AUTO_SIZE.NONE
    file = io.BytesIO()
    deck.save(file)
    return file.getvalue()
