from collections.abc import Callable
from typing import Any

import pytest

from pptarena.agents.macros import Desk, Screen, play_macros
from pptarena.agents.macros.desk import Play
from pptarena.decks import read_deck
from pptarena.envs import actions
from pptarena.errors import MacroError
from pptarena.tasks import MacroCall, get_task

Make = Callable[..., Any]


@pytest.fixture
def desk() -> Desk:
    return Desk(read_deck(get_task("meridian-hide-backup").deck_bytes()))


def drive(play: Any, screens: list[Screen]) -> list[actions.Action]:
    """Return the actions of a macro that sees these screens, the last one ever after."""
    done = [next(play)]
    for number in range(50):
        try:
            done.append(play.send(screens[min(number, len(screens) - 1)]))
        except StopIteration:
            return done
    raise AssertionError("the macro does not end")


def test_many_presses_of_a_key_take_several_actions(desk: Desk, screen: Make) -> None:
    desk.screen = screen([])
    assert drive(desk.key("Down", 45), [screen([])]) == [
        actions.key("Down", 20),
        actions.key("Down", 20),
        actions.key("Down", 5),
    ]


def test_no_presses_take_no_action(desk: Desk, screen: Make) -> None:
    desk.screen = screen([])
    with pytest.raises(StopIteration):
        next(desk.key("Down", 0))


def test_a_refused_action_ends_the_macro(desk: Desk, screen: Make) -> None:
    play = desk.type("x")
    next(play)
    with pytest.raises(MacroError, match="was refused: no such thing"):
        play.send(screen([], refused="no such thing"))


def test_what_does_not_come_is_told_after_some_looks(desk: Desk, screen: Make) -> None:
    desk.screen = screen([], slide=2)
    play: Play[None] = desk.await_(lambda seen: None, "a dialog")
    waits = [next(play), play.send(screen([])), play.send(screen([]))]
    assert [action.amount for action in waits] == [0, 1, 1]
    with pytest.raises(MacroError, match="expected a dialog, but it did not come; slide 2 of 3"):
        play.send(screen([], slide=2))


def test_a_dialog_that_is_open_stops_a_macro(desk: Desk, screen: Make, node: Make) -> None:
    desk.screen = screen([node(0, -1, "dialog", "Save?")])
    with pytest.raises(MacroError, match=r"macro 1 \(show_slide\): .*found 'Save\?'"):
        next(play_macros(desk, [MacroCall("show_slide", {"slide": 2})]))


def test_a_slide_is_shown_by_the_list_of_slides(desk: Desk, screen: Make, node: Make) -> None:
    nodes = [
        node(0, -1, "document frame", "Slides View"),
        node(1, 0, "panel", "One", "selected"),
        node(2, 0, "panel", "Two"),
    ]
    desk.screen = screen(nodes)
    play = play_macros(desk, [MacroCall("show_slide", {"slide": 3})])
    assert drive(play, [screen(nodes), screen(nodes, slide=3)]) == [
        actions.click(element=2),
        actions.key("Down", 2),
    ]


def test_a_slide_that_is_shown_takes_no_action(desk: Desk, screen: Make) -> None:
    desk.screen = screen([], slide=3)
    assert list(play_macros(desk, [MacroCall("show_slide", {"slide": 3})])) == []


def test_a_slide_that_is_not_there_is_refused(desk: Desk, screen: Make) -> None:
    desk.screen = screen([])
    with pytest.raises(MacroError, match=r"expected a slide from 1 to 17, .* got 18"):
        next(play_macros(desk, [MacroCall("show_slide", {"slide": 18})]))


def test_a_slide_is_found_by_its_title(screen: Make, node: Make) -> None:
    deck = read_deck(get_task("meridian-hide-backup").deck_bytes())
    count, titles = len(deck.slides), [slide.title for slide in deck.slides]

    def showing(first: int, slide: int = 1) -> Screen:
        thumbnails = [node(at + 1, 0, "panel", titles[first + at]) for at in range(3)]
        nodes = [node(0, -1, "document frame", "Slides View"), *thumbnails]
        shown: Screen = screen(nodes, slide=slide, slide_count=count)
        return shown

    desk = Desk(deck, by_titles=True)
    desk.screen = showing(0)
    play = play_macros(desk, [MacroCall("show_slide", {"slide": 6})])
    assert drive(play, [showing(2), showing(4), showing(4, slide=6)]) == [
        actions.scroll(5, element=3),
        actions.scroll(5, element=3),
        actions.click(element=3),
    ]


def test_at_the_end_of_the_list_keys_take_over(screen: Make, node: Make) -> None:
    deck = read_deck(get_task("meridian-hide-backup").deck_bytes())
    nodes = [
        node(0, -1, "document frame", "Slides View"),
        node(1, 0, "panel", "One", "selected"),
    ]
    here = {"slide_count": len(deck.slides)}
    desk = Desk(deck, by_titles=True)
    desk.screen = screen(nodes, **here)
    play = play_macros(desk, [MacroCall("show_slide", {"slide": 3})])
    assert drive(play, [screen(nodes, **here)] * 2 + [screen(nodes, slide=3, **here)]) == [
        actions.scroll(5, element=2),
        actions.click(element=2),
        actions.key("Down", 2),
    ]
