"""Symbols of sounds are small."""

from dataclasses import replace

import pytest

from pptarena.decks import read_deck
from pptarena.decks.facts.content import Picture
from pptarena.decks.facts.shape import Box, Shape
from pptarena.decks.visibility.fitness import shape_faults
from pptarena.tasks import get_task

SOUND = Picture("a" * 64, media_sha256="c" * 64, media_kind="audio")


@pytest.mark.parametrize(
    ("side", "kinds"), [(0.03, []), (0.2, []), (0.35, ["large symbol"]), (0.6, ["large symbol"])]
)
def test_a_symbol_that_fills_much_of_the_slide_is_a_fault(side: float, kinds: list[str]) -> None:
    deck = read_deck(get_task("meridian-hide-backup").deck_bytes())
    box = Box(0, 0, round(side * deck.width_emu), round(side * deck.height_emu))
    sound = Shape(0, "Chime", "media", "", "rect", box, picture=SOUND)
    slide = replace(deck.slides[0], shapes=(sound,))
    assert [fault.kind for fault in shape_faults(deck, slide, sound)] == kinds
