from typing import Any

import pytest
from pptx.util import Inches

FADE = '<p:transition spd="med"><p:fade/></p:transition>'
PUSH = '<p:transition spd="med"><p:push dir="u"/></p:transition>'


def _fonts(name: str, *slides: int) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for number in slides:
            for shape in deck.slides[number - 1].shapes:
                if shape.has_text_frame:
                    for paragraph in shape.text_frame.paragraphs:
                        for run in paragraph.runs:
                            run.font.name = name

    return edit


def _titles(*slides: int, color: str = "") -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for number in slides:
            title = deck.slides[number - 1].shapes.title
            title.left, title.top = Inches(2), Inches(1)
            title.width, title.height = Inches(5), Inches(1)
            if color:
                title.text_frame.paragraphs[0].runs[0].font.color.rgb = lab.rgb(color)

    return edit


def _transitions(*slides: int, last: str = FADE) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        lab.set_transition(deck.slides[1], "")
        for number in slides:
            lab.set_transition(deck.slides[number - 1], FADE)
        if slides:
            lab.set_transition(deck.slides[slides[-1] - 1], last)

    return edit


def _fill(**colors: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for name, color in colors.items():
            lab.shape_named(deck, 5, name).fill.fore_color.rgb = lab.rgb(color)

    return edit


def _theme(lab: Any, deck: Any) -> None:
    _fill(A="4F81BD", B="C0504D", C="9BBB59")(lab, deck)


PLACES = {"slides": [2, 3, 4], "shape": "@title", "properties": ["position", "color"]}
PLACE = PLACES | {"properties": ["position"]}
FONT = {"slides": [1, 2], "font": "Verdana"}

CASES = [
    ("fonts_consistent", FONT, _fonts("Verdana", 1, 2), 1, 1),
    ("fonts_consistent", FONT, _fonts("Verdana", 1), 0.2, 0.8),
    ("fonts_consistent", FONT, _fonts("Georgia", 1, 2), 0, 0),
    ("transitions_consistent", {"slides": [1, 3, 4]}, _transitions(1, 3, 4), 1, 1),
    ("transitions_consistent", {"slides": [1, 3, 4]}, _transitions(1, 3, 4, last=PUSH), 0.6, 0.7),
    ("transitions_consistent", {"slides": [1, 3, 4]}, _transitions(), 0, 0),
    ("theme_colors_used", {"slide": 5}, _theme, 1, 1),
    ("theme_colors_used", {"slide": 5}, _fill(A="4F81BD"), 0.1, 0.9),
    ("theme_colors_used", {"slide": 5}, _fill(A="123456"), 0, 0),
]


@pytest.mark.parametrize("case", CASES)
def test_scores_are_in_range(judge: Any, case: tuple[Any, ...]) -> None:
    judge(case)


@pytest.mark.parametrize("case", CASES)
def test_an_unedited_deck_scores_nothing(judge: Any, case: tuple[Any, ...]) -> None:
    judge.untouched(case)


def _apart(lab: Any, deck: Any) -> None:
    for number, left in ((2, 1), (3, 2), (4, 3)):
        title = deck.slides[number - 1].shapes.title
        title.left, title.top = Inches(left), Inches(1)
        title.width, title.height = Inches(5), Inches(1)


# The base deck has its titles in one place already.
KEPT = [
    ("same_look", PLACE, _titles(2, 3, 4), 1, 1),
    ("same_look", PLACE, _titles(2), 0.6, 0.7),
    ("same_look", PLACE, _apart, 0, 0),
    ("same_look", PLACES, _titles(2, color="FF0000"), 0.6, 0.7),
    ("fonts_consistent", {"slides": "all"}, _fonts("Verdana", 1, 2), 0.3, 0.9),
    ("fonts_consistent", {"slides": "all", "fonts_max": 2}, _fonts("Verdana", 1, 2), 1, 1),
]


@pytest.mark.parametrize("case", KEPT)
def test_what_an_edit_leaves_is_measured(judge: Any, case: tuple[Any, ...]) -> None:
    judge(case)
