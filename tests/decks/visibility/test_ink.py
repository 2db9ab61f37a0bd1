"""The ink and colors expected of text on a slide."""

from typing import Any

import pytest

from pptarena.decks import Box, Paragraph, Run, RunStyle, Shape
from pptarena.decks.visibility.ink import TextGroup, all_text_group, changed_text_groups


def text_group(text: str) -> TextGroup:
    paragraph = Paragraph((Run(text, RunStyle(size_pt=20.0)),))
    shape = Shape(0, "Box", "text_box", "", "rect", Box(0, 0, 3_000_000, 1_000_000), (paragraph,))
    (group,) = changed_text_groups(shape, None)
    return group


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("\uff12\uff10\uff12\uff16", "2026"),  # full-width digits
        ("g\u200br\u200be\u200bw", "grew"),  # zero-width spaces
        ("g\u00adr\u00ade\u00adw", "grew"),  # soft hyphens
        ("\ufeffgrew", "grew"),
    ],
)
def test_characters_without_strokes_add_no_ink(text: str, plain: str) -> None:
    assert text_group(text).ink == pytest.approx(text_group(plain).ink)
    assert text_group(text).characters == len(plain)


def test_narrow_characters_leave_less_ink_and_kanji_more() -> None:
    assert text_group("1.1").ink < text_group("2x9").ink < text_group("\u5206\u5206\u5206").ink


def test_link_color_comes_from_the_theme(lab: Any) -> None:
    def colors(*, linked: bool) -> tuple[str | None, ...]:
        def edit(deck: Any) -> None:
            run = lab.shape_named(deck, 5, "Remark").text_frame.paragraphs[0].runs[0]
            run.font.color.rgb = lab.rgb("CC0000")
            run.hyperlink.address = "https://docs.example.com/guide" if linked else None

        remark = next(s for s in lab.edited(edit).slides[4].shapes if s.name == "Remark")
        group = all_text_group(remark, None)
        assert group is not None
        return tuple(set(group.colors))

    assert colors(linked=False) == ("#CC0000",)
    assert colors(linked=True) == (None,)
