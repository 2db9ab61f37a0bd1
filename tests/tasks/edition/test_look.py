"""Colours that are turned: another hue, as light as before."""

import pytest

from pptarena.decks.visibility.contrast import contrast_ratio
from pptarena.tasks.edition.look import named_colors, turned


@pytest.mark.parametrize("color", ["0077B6", "2A9D8F", "F4A300", "12355B", "E9EEF2", "E63946"])
@pytest.mark.parametrize("degrees", [60, 180, 300])
def test_contrasts_stay(color: str, degrees: int) -> None:
    new = turned(color, degrees)
    assert new != color
    for ground in ("FFFFFF", "000000"):
        assert contrast_ratio(f"#{new}", f"#{ground}") == pytest.approx(
            contrast_ratio(f"#{color}", f"#{ground}"), rel=0.02
        )


@pytest.mark.parametrize("color", ["FFFFFF", "000000", "808080"])
def test_greys_stay(color: str) -> None:
    assert turned(color, 90) == color


def test_colors_that_a_text_names_are_found() -> None:
    assert named_colors("sand, #f3e5c3, or 1F7A8C, not 1234567") == ["F3E5C3", "1F7A8C"]
