"""Drawings are compared by the position of their ink, not its amount."""

import numpy as np
import pytest

from pptarena.decks.visibility.slide_images import Pixels
from pptarena.rewards.render_check.check import lost_pattern

HEIGHT, WIDTH = 180, 320
Pictures = tuple[Pixels, Pixels]


def drawing() -> Pixels:
    """Return stairs that rise to the right, with bars of different gray values."""
    pixels = np.full((100, 140, 3), 200, np.int16)
    for step, shade in enumerate((20, 90, 50, 130, 10, 70, 40)):
        pixels[90 - 12 * step : 96 - 12 * step, 20 * step : 20 * step + 20] = shade
    return pixels


def on_slide(content: Pixels, down: int = 40, across: int = 80, paper: int = 255) -> Pictures:
    background = np.full((HEIGHT, WIDTH, 3), paper, np.int16)
    full = background.copy()
    full[down : down + content.shape[0], across : across + content.shape[1]] = content
    return full, background


def covered(pictures: Pictures) -> Pictures:
    for each in pictures:
        each[:, : WIDTH // 2] = 128
    return pictures


@pytest.mark.parametrize(
    "current",
    [
        on_slide(drawing()),
        on_slide(drawing(), down=41, across=82),
        on_slide(drawing(), paper=40),
        on_slide(230 - drawing()),
        covered(on_slide(drawing())),
    ],
    ids=["same", "two pixels off", "other paper", "other colors", "half covered"],
)
def test_same_drawing_keeps_its_pattern(current: Pictures) -> None:
    assert lost_pattern(on_slide(drawing()), current) == 0.0


@pytest.mark.parametrize(
    "current",
    [drawing()[:, ::-1], drawing()[::-1], np.roll(drawing(), 45, 0)],
    ids=["mirrored", "upside down", "another drawing"],
)
def test_different_drawing_with_equal_ink_loses_its_pattern(current: Pixels) -> None:
    assert lost_pattern(on_slide(drawing()), on_slide(current)) > 0.5


def test_missing_drawing_has_no_pattern_to_compare() -> None:
    paper = np.full((HEIGHT, WIDTH, 3), 255, np.int16)
    assert lost_pattern(on_slide(drawing()), (paper, paper)) == 0.0
