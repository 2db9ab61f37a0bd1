from typing import Any

import pytest

from pptarena.decks.match.likeness import words


def _says(text: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        lab.shape_named(deck, 1, "Motto").text_frame.text = text

    return edit


@pytest.fixture(scope="module")
def said(rich: Any) -> list[str]:
    """Long words of the second slide of the deck that these tests edit."""
    text = rich.original.slides[1].text
    return [word for word in words(text) if word.isalpha() and len(word) > 5][:3]


MOTTO = {"slide": 1, "shape": "Motto", "sources": [2]}


def test_words_of_the_source_are_worth_all(rich_judge: Any, said: list[str]) -> None:
    rich_judge(("words_from", MOTTO, _says(" ".join(said)), 1, 1))


def test_other_endings_are_the_same_words(rich_judge: Any, said: list[str]) -> None:
    rich_judge(("words_from", MOTTO, _says(" ".join(word[:-2] + "ed" for word in said)), 1, 1))


def test_half_of_the_words_is_worth_part(rich_judge: Any, said: list[str]) -> None:
    mixed = " ".join([*said, *(f"zq{word}" for word in said)])
    rich_judge(("words_from", MOTTO, _says(mixed), 0.5, 0.8))  # 0.5 of 0.6 are wanted
    rich_judge(("words_from", MOTTO | {"share": 1}, _says(mixed), 0, 0))


def test_made_up_words_are_worth_nothing(rich_judge: Any, said: list[str]) -> None:
    rich_judge(("words_from", MOTTO, _says(" ".join(f"zq{word}" for word in said)), 0, 0))


@pytest.mark.parametrize("text", ["", "a to 12, of", "!!"])
def test_without_long_words_there_is_nothing_to_pay(rich_judge: Any, text: str) -> None:
    rich_judge(("words_from", MOTTO, _says(text), 0, 0))
