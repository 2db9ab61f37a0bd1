"""The estimated extent of text, against a font of known widths."""

import pytest

from pptarena.decks import Box, Paragraph, Run, RunStyle, TextFrame
from pptarena.decks.visibility.text_extent import text_blocks, text_width_pt
from pptarena.decks.visibility.text_layout import measure_text, text_areas

ARIAL = RunStyle(size_pt=10, font="Arial")
INCH = 914_400


def paragraph(text: str, **values: object) -> Paragraph:
    return Paragraph((Run(text, ARIAL),), **values)  # type: ignore[arg-type]


def test_widths_match_the_core_fonts() -> None:
    # Adobe's metrics for Helvetica: H 722, e 556, l 222, l 222, o 556.
    assert text_width_pt("Hello", ARIAL) == pytest.approx(22.78)
    assert text_width_pt("iii", ARIAL) < text_width_pt("mmm", ARIAL)


@pytest.mark.parametrize(
    ("style", "wider"),
    [
        (RunStyle(size_pt=10, font="Arial", bold=True), True),
        (RunStyle(size_pt=10, font="Verdana"), True),
        (RunStyle(size_pt=10, font="Arial", caps="all"), True),
        (RunStyle(size_pt=10, font="Calibri"), False),
    ],
)
def test_style_changes_the_width(style: RunStyle, wider: bool) -> None:
    assert (text_width_pt("Hello", style) > text_width_pt("Hello", ARIAL)) == wider


def test_lines_break_between_words() -> None:
    blocks = text_blocks([paragraph("Hello Hello Hello Hello")], 55)
    assert blocks[0].lines == 2
    assert blocks[0].height_pt == pytest.approx(24)
    assert blocks[0].width_pt <= 55
    assert text_blocks([paragraph("Hello Hello Hello Hello")], None)[0].lines == 1


def test_long_words_and_line_breaks_make_lines() -> None:
    assert text_blocks([paragraph("m" * 20)], 40)[0].lines == 5
    assert text_blocks([paragraph("a\vb\vc")], 500)[0].lines == 3


@pytest.mark.parametrize(
    ("text", "width_pt", "min_lines"),
    [
        (Paragraph((Run("word " * 50, RunStyle(size_pt=0, spacing_pt=-5)),)), -10, 1),
        (paragraph("x" * 1000, margin_emu=10**12), 1, 2),
        (Paragraph((Run("x" * 100_000, RunStyle(size_pt=4000)),)), 1, 1000),
    ],
    ids=["no size", "huge margin", "huge word"],
)
def test_extreme_sizes_are_handled(text: Paragraph, width_pt: float, min_lines: int) -> None:
    assert text_blocks([text], width_pt)[0].lines >= min_lines


def test_text_follows_its_anchor() -> None:
    box = Box(0, 0, 4 * INCH, 2 * INCH)
    tops = [
        text_areas((paragraph("Hello"),), box, TextFrame(anchor=anchor))[0].top
        for anchor in ("top", "middle", "bottom")
    ]
    assert tops == sorted(tops)
    assert tops[0] == pytest.approx(45_720)
    right = text_areas((paragraph("Hello", align="right"),), box, None)[0]
    assert right.right == pytest.approx(4 * INCH - 91_440)


def test_text_shrinks_until_it_fits() -> None:
    box = Box(0, 0, 2 * INCH, INCH // 2)
    text = (paragraph("Hello " * 30),)
    full = measure_text(text, box, None)
    assert full.height_pt > full.available_height_pt
    shrunk = measure_text(text, box, None, shrinks=True)
    assert shrunk.scale < 1
    assert shrunk.height_pt <= shrunk.available_height_pt
