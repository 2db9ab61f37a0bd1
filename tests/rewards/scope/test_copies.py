"""Side effects of copying a slide in the application are not damage."""

import io

import pytest
from pptx import Presentation
from pptx.enum.text import MSO_AUTO_SIZE
from pptx.util import Emu
from tests.conftest import save

from pptarena.decks.match.decks import match_decks
from pptarena.rewards import load_scope, read_deck
from pptarena.rewards.scope.out_of_scope import out_of_scope_changes

WIDTH_EMU, NEEDED_EMU = 4_000_000, 369_332  # one line of 18 pt and the usual insets
ONE_COPY = load_scope({"new_slides": 1, "copy_of": 1})


def _deck(*heights_emu: int, left_emu: int = 0, width_emu: int = WIDTH_EMU) -> bytes:
    """Return a slide for each height, with a text box that fits itself to its text.

    The arguments `left_emu` and `width_emu` apply to all slides but the first.
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
    return save(deck)


@pytest.mark.parametrize(
    ("height_emu", "left_emu", "narrower_emu", "is_damage"),
    [
        (900_000, 0, 0, False),
        (NEEDED_EMU, 0, 0, False),
        (2_000_000, 0, 0, True),
        (100_000, 0, 0, True),
        (NEEDED_EMU, 600_000, 0, True),
        # Every save rounds the width.
        (NEEDED_EMU, 0, 360, False),
        (NEEDED_EMU, 0, 3_600, False),
        (NEEDED_EMU, 0, 90_000, True),
    ],
)
def test_box_of_a_copy_may_only_take_the_height_of_its_text(
    height_emu: int, left_emu: int, narrower_emu: int, *, is_damage: bool
) -> None:
    original = read_deck(_deck(900_000))
    width_emu = WIDTH_EMU - narrower_emu
    copied = read_deck(_deck(900_000, height_emu, left_emu=left_emu, width_emu=width_emu))
    changes = out_of_scope_changes(match_decks(original, copied), ONE_COPY)
    assert {change.aspect for change in changes} == ({"geometry"} if is_damage else set())


def test_box_without_autofit_keeps_its_height() -> None:
    original, copied = (_fixed(_deck(*heights)) for heights in ((900_000,), (900_000, NEEDED_EMU)))
    changes = out_of_scope_changes(match_decks(read_deck(original), read_deck(copied)), ONE_COPY)
    assert [change.aspect for change in changes] == ["geometry"]


def _fixed(data: bytes) -> bytes:
    deck = Presentation(io.BytesIO(data))
    for slide in deck.slides:
        slide.shapes[0].text_frame.auto_size = MSO_AUTO_SIZE.NONE
    return save(deck)
