"""How much ink text is expected to leave on a slide."""

import pytest

from pptarena.decks.facts.shape import Box, Shape
from pptarena.decks.facts.text import Paragraph, Run, RunStyle
from pptarena.decks.visibility.ink import Words, changed_words


def words(text: str) -> Words:
    paragraph = Paragraph((Run(text, RunStyle(size_pt=20.0)),))
    box = Box(0, 0, 3_000_000, 1_000_000)
    (found,) = changed_words(Shape(0, "Box", "text_box", "", "rect", box, (paragraph,)), None)
    return found


@pytest.mark.parametrize(
    ("text", "same_as"),
    [
        ("\uff12\uff10\uff12\uff16", "2026"),  # full-width digits
        ("g\u200br\u200be\u200bw", "grew"),  # zero-width spaces
        ("g\u00adr\u00ade\u00adw", "grew"),  # soft hyphens
        ("\ufeffgrew", "grew"),
    ],
)
def test_characters_without_strokes_of_their_own_add_no_ink(text: str, same_as: str) -> None:
    assert words(text).ink == pytest.approx(words(same_as).ink)
    assert words(text).letters == len(same_as)


def test_narrow_characters_leave_less_ink_and_kanji_more() -> None:
    assert words("1.1").ink < words("2x9").ink < words("\u5206\u5206\u5206").ink
