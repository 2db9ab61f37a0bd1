import pytest

from pptarena.decks.visibility.contrast import (
    blend,
    contrast_ratio,
    relative_luminance,
    required_contrast,
)


@pytest.mark.parametrize(
    ("first", "second", "ratio"),
    [
        ("#000000", "#FFFFFF", 21.0),
        ("#FFFFFF", "#FFFFFF", 1.0),
        # Known pairs: the lightest grey that level AA allows on white, and its neighbor.
        ("#767676", "#FFFFFF", 4.54),
        ("#777777", "#FFFFFF", 4.48),
        ("#0000FF", "#FFFFFF", 8.59),
        ("#FF0000", "#FFFFFF", 4.0),
    ],
)
def test_contrast_ratios_match_wcag(first: str, second: str, ratio: float) -> None:
    assert contrast_ratio(first, second) == pytest.approx(ratio, abs=0.005)
    assert contrast_ratio(second, first) == contrast_ratio(first, second)


def test_luminance_weighs_green_most() -> None:
    values = [relative_luminance(color) for color in ("#0000FF", "#FF0000", "#00FF00")]
    assert values == sorted(values)
    assert sum(values) == pytest.approx(1)


@pytest.mark.parametrize(
    ("size", "bold", "least"), [(12, False, 4.5), (18, False, 3), (14, True, 3), (13.9, True, 4.5)]
)
def test_large_text_needs_less_contrast(size: float, bold: bool, least: float) -> None:
    assert required_contrast(size, bold) == least


def test_blend_mixes_colors() -> None:
    assert blend("#FF0000", "#0000FF", 100) == "#FF0000"
    assert blend("#FF0000", "#0000FF", 0) == "#0000FF"
    assert blend("#FFFFFF", "#000000", 50) == "#808080"
