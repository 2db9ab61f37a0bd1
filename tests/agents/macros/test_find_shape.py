from collections.abc import Callable
from typing import Any

import pytest

from pptarena.agents.macros import Driver
from pptarena.agents.macros.find_shape import find_node
from pptarena.decks import read_deck
from pptarena.errors import MacroError
from pptarena.tasks import get_task

Make = Callable[..., Any]


@pytest.fixture
def driver(node: Make, screen: Make) -> Driver:
    """A driver with slide 5 of the deck resistance on it."""
    made = Driver(read_deck(get_task("resistance-cell-picture").deck_bytes()))
    made.screen = screen(
        [
            node(0, -1, "document presentation", "deck"),
            node(1, 0, "panel", "PageShape: Four targets", box=(176, 192, 730, 411)),
            node(2, 0, "panel", "Title 1", box=(306, 208, 574, 57)),
            node(3, 0, "panel", "Shape without its name", box=(306, 275, 274, 276)),
            node(4, 0, "image", "Cell", box=(619, 317, 219, 148)),
        ],
        slide=5,
    )
    return made


@pytest.mark.parametrize(("words", "index"), [("@title", 2), ("Cell", 4), ("@picture", 4)])
def test_shape_is_found_by_its_selector(driver: Driver, words: str, index: int) -> None:
    assert find_node(driver, 5, words)["index"] == index


def test_unnamed_shape_is_found_by_its_position(driver: Driver) -> None:
    assert find_node(driver, 5, "@body")["index"] == 3


def test_unknown_selector_is_refused_with_the_available_shapes(driver: Driver) -> None:
    with pytest.raises(MacroError, match=r"expected a shape 'Bird' on slide 5 .*'Cell'"):
        find_node(driver, 5, "Bird")


def test_shapes_of_a_new_slide_are_found_on_the_screen(driver: Driver) -> None:
    driver.slide_tracker.insert(4)
    assert find_node(driver, 5, "cell")["index"] == 4
    with pytest.raises(MacroError, match="on this new slide"):
        find_node(driver, 5, "Bird")
