"""Sound icons are large enough to click and leave the slide to its content."""

from dataclasses import replace

import pytest

from pptarena.decks import read_deck
from pptarena.decks.facts.content import Picture
from pptarena.decks.facts.shape import Box, Shape
from pptarena.decks.visibility.faults import shape_faults
from pptarena.tasks import get_task

SOUND = Picture("a" * 64, media_sha256="c" * 64, media_kind="audio")
EMU_PER_CM = 360_000


@pytest.mark.parametrize(
    ("side_cm", "kinds"),
    [
        (0.4, ["symbol"]),
        (0.6, []),
        (1.7, []),
        (5.4, []),
        (5.6, ["large symbol"]),
        (9, ["large symbol"]),
    ],
)
def test_sound_icon_size_limits(side_cm: float, kinds: list[str]) -> None:
    deck = read_deck(get_task("meridian-hide-backup").deck_bytes())
    assert deck.height_emu == pytest.approx(15.75 * EMU_PER_CM, rel=0.001)
    box = Box(0, 0, round(side_cm * EMU_PER_CM), round(side_cm * EMU_PER_CM))
    sound = Shape(0, "Chime", "media", "", "rect", box, picture=SOUND)
    slide = replace(deck.slides[0], shapes=(sound,))
    assert [fault.kind for fault in shape_faults(deck, slide, sound)] == kinds
