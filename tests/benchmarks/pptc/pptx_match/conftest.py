"""Decks built by API calls: labels, and results that differ from them."""

from collections.abc import Callable

import pytest

from pptarena.benchmarks.pptc import Executor, parse_calls
from pptarena.decks import Deck, read_deck

MakeDeck = Callable[[str], Deck]

SCENE = (
    "choose_title();insert_text('Sales');set_font_size(40);choose_content();"
    "insert_text('one\\ntwo');insert_note('say it');insert_star();set_fill_color('red');"
    "align_slide_left();insert_picture('hat');align_slide_right();create_slide();"
    "insert_table(2, 2);insert_table_row(['a', 'b']);insert_bar_chart([1, 2], ['x', 'y']);"
    "set_chart_title('Chart');set_background_color('yellow');"
)


@pytest.fixture
def make_deck() -> MakeDeck:
    def make(text: str) -> Deck:
        executor = Executor()
        executor.run(parse_calls(text))
        return read_deck(executor.to_bytes())

    return make


@pytest.fixture
def make_scene(make_deck: MakeDeck) -> MakeDeck:
    """Return a function that builds the scene and runs further calls."""
    return lambda more: make_deck(SCENE + more)
