from collections.abc import Callable
from typing import Any

import pytest

from pptarena.agents.macros import Driver, Screen, play_macros
from pptarena.agents.macros.driver import Steps
from pptarena.decks import read_deck
from pptarena.envs import actions
from pptarena.errors import MacroError
from pptarena.tasks import MacroCall, get_task

Make = Callable[..., Any]


@pytest.fixture
def driver() -> Driver:
    return Driver(read_deck(get_task("meridian-hide-backup").deck_bytes()))


def run_macro(steps: Any, screens: list[Screen]) -> list[actions.Action]:
    """Return the actions of a macro on these screens; the last screen repeats."""
    performed = [next(steps)]
    for index in range(50):
        try:
            performed.append(steps.send(screens[min(index, len(screens) - 1)]))
        except StopIteration:
            return performed
    raise AssertionError("the macro does not end")


def test_many_key_presses_take_several_actions(driver: Driver, screen: Make) -> None:
    driver.screen = screen([])
    assert run_macro(driver.key("Down", 45), [screen([])]) == [
        actions.key("Down", 20),
        actions.key("Down", 20),
        actions.key("Down", 5),
    ]


def test_zero_key_presses_take_no_action(driver: Driver, screen: Make) -> None:
    driver.screen = screen([])
    with pytest.raises(StopIteration):
        next(driver.key("Down", 0))


def test_refused_action_ends_the_macro(driver: Driver, screen: Make) -> None:
    steps = driver.type("x")
    next(steps)
    with pytest.raises(MacroError, match="was refused: no such thing"):
        steps.send(screen([], refused="no such thing"))


def test_missing_result_is_reported_after_retries(driver: Driver, screen: Make) -> None:
    driver.screen = screen([], slide=2)
    steps: Steps[None] = driver.wait_for(lambda screen: None, "a dialog")
    waits = [next(steps), steps.send(screen([])), steps.send(screen([]))]
    assert [action.amount for action in waits] == [0, 1, 1]
    with pytest.raises(MacroError, match="timed out waiting for a dialog; slide 2 of 3"):
        steps.send(screen([], slide=2))


def test_open_dialog_stops_a_macro(driver: Driver, screen: Make, node: Make) -> None:
    driver.screen = screen([node(0, -1, "dialog", "Save?")])
    with pytest.raises(MacroError, match=r"macro 1 \(show_slide\): .*found 'Save\?'"):
        next(play_macros(driver, [MacroCall("show_slide", {"slide": 2})]))


def test_slide_is_shown_with_the_slide_list(driver: Driver, screen: Make, node: Make) -> None:
    nodes = [
        node(0, -1, "document frame", "Slides View"),
        node(1, 0, "panel", "One", "selected"),
        node(2, 0, "panel", "Two"),
    ]
    driver.screen = screen(nodes)
    steps = play_macros(driver, [MacroCall("show_slide", {"slide": 3})])
    assert run_macro(steps, [screen(nodes), screen(nodes, slide=3)]) == [
        actions.click(element=2),
        actions.key("Down", 2),
    ]


def test_current_slide_needs_no_action(driver: Driver, screen: Make) -> None:
    driver.screen = screen([], slide=3)
    assert list(play_macros(driver, [MacroCall("show_slide", {"slide": 3})])) == []


def test_nonexistent_slide_is_refused(driver: Driver, screen: Make) -> None:
    driver.screen = screen([])
    with pytest.raises(MacroError, match=r"expected a slide from 1 to 17 .* got 18"):
        next(play_macros(driver, [MacroCall("show_slide", {"slide": 18})]))


def test_slide_is_found_by_its_title(screen: Make, node: Make) -> None:
    deck = read_deck(get_task("meridian-hide-backup").deck_bytes())
    count, titles = len(deck.slides), [slide.title for slide in deck.slides]

    def showing(first: int, slide: int = 1) -> Screen:
        thumbnails = [node(index + 1, 0, "panel", titles[first + index]) for index in range(3)]
        nodes = [node(0, -1, "document frame", "Slides View"), *thumbnails]
        current: Screen = screen(nodes, slide=slide, slide_count=count)
        return current

    driver = Driver(deck, by_titles=True)
    driver.screen = showing(0)
    steps = play_macros(driver, [MacroCall("show_slide", {"slide": 6})])
    assert run_macro(steps, [showing(2), showing(4), showing(4, slide=6)]) == [
        actions.scroll(5, element=3),
        actions.scroll(5, element=3),
        actions.click(element=3),
    ]


def test_keys_are_used_at_the_end_of_the_list(screen: Make, node: Make) -> None:
    deck = read_deck(get_task("meridian-hide-backup").deck_bytes())
    nodes = [
        node(0, -1, "document frame", "Slides View"),
        node(1, 0, "panel", "One", "selected"),
    ]
    document = {"slide_count": len(deck.slides)}
    driver = Driver(deck, by_titles=True)
    driver.screen = screen(nodes, **document)
    steps = play_macros(driver, [MacroCall("show_slide", {"slide": 3})])
    assert run_macro(
        steps, [screen(nodes, **document)] * 2 + [screen(nodes, slide=3, **document)]
    ) == [
        actions.scroll(5, element=2),
        actions.click(element=2),
        actions.key("Down", 2),
    ]
