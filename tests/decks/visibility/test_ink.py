"""What is expected of letters on a picture."""

from typing import Any

from pptarena.decks.visibility.ink import all_words


def test_the_colour_of_a_link_is_the_themes(lab: Any) -> None:
    def red(deck: Any) -> Any:
        run = lab.shape_named(deck, 5, "Remark").text_frame.paragraphs[0].runs[0]
        run.font.color.rgb = lab.rgb("CC0000")
        return run

    def linked(deck: Any) -> None:
        red(deck).hyperlink.address = "https://docs.example.com/guide"

    assert _colors(lab.edited(red)) == {"#CC0000"}
    assert _colors(lab.edited(linked)) == {None}


def _colors(deck: Any) -> set[str | None]:
    remark = next(shape for shape in deck.slides[4].shapes if shape.name == "Remark")
    words = all_words(remark, None)
    assert words is not None
    return set(words.colors)
