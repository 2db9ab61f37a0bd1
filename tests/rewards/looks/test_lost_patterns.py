"""Drawings are compared by where their ink is, not by how much of it there is."""

import numpy as np
import pytest

from pptarena.decks.visibility.pictures import Pixels
from pptarena.rewards.looks.looks import lost_pattern

HEIGHT, WIDTH = 180, 320
Pictures = tuple[Pixels, Pixels]


def drawing() -> Pixels:
    """Return stairs that rise to the right, with bars of different gray values."""
    made = np.full((100, 140, 3), 200, np.int16)
    for step, shade in enumerate((20, 90, 50, 130, 10, 70, 40)):
        made[90 - 12 * step : 96 - 12 * step, 20 * step : 20 * step + 20] = shade
    return made


def on_slide(what: Pixels, down: int = 40, across: int = 80, paper: int = 255) -> Pictures:
    without = np.full((HEIGHT, WIDTH, 3), paper, np.int16)
    full = without.copy()
    full[down : down + what.shape[0], across : across + what.shape[1]] = what
    return full, without


def covered(pictures: Pictures) -> Pictures:
    for each in pictures:
        each[:, : WIDTH // 2] = 128
    return pictures


@pytest.mark.parametrize(
    "now",
    [
        on_slide(drawing()),
        on_slide(drawing(), down=41, across=82),
        on_slide(drawing(), paper=40),
        on_slide(230 - drawing()),
        covered(on_slide(drawing())),
    ],
    ids=["same", "two pixels off", "other paper", "other colors", "half covered"],
)
def test_the_same_drawing_keeps_its_pattern(now: Pictures) -> None:
    assert lost_pattern(on_slide(drawing()), now) == 0.0


@pytest.mark.parametrize(
    "now",
    [drawing()[:, ::-1], drawing()[::-1], np.roll(drawing(), 45, 0)],
    ids=["mirrored", "upside down", "another drawing"],
)
def test_another_drawing_with_as_much_ink_does_not(now: Pixels) -> None:
    assert lost_pattern(on_slide(drawing()), on_slide(now)) > 0.5


def test_what_is_gone_has_no_pattern_to_compare() -> None:
    paper = np.full((HEIGHT, WIDTH, 3), 255, np.int16)
    assert lost_pattern(on_slide(drawing()), (paper, paper)) == 0.0
