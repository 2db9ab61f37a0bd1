"""Keys and text as the events that Windows takes."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pptarena.envs.keys import MODIFIERS, parse_keys
from pptarena.vm_images.guest.errors import CommandError
from pptarena.vm_images.windows.input_events import (
    KEYS,
    InputEvent,
    button_event,
    key_event,
    text_events,
)
from pptarena.vm_images.windows.keyboard import CHARACTERS, Keyboard

System = Any  # the stand-in of conftest
UP, UNICODE, EXTENDED = 2, 4, 1


def pressed(events: list[InputEvent]) -> list[tuple[int, bool]]:
    """Return virtual key and whether it goes down, of each event."""
    return [(event.virtual_key, not event.flags & UP) for event in events]


def test_combinations_go_down_in_order_and_up_in_reverse(system: System) -> None:
    Keyboard(system).combination(("Control_L", "Shift_L", "b"), 2)
    once = [(0xA2, True), (0xA0, True), (0x42, True), (0x42, False), (0xA0, False), (0xA2, False)]
    assert pressed(system.sent) == once * 2


@pytest.mark.parametrize(
    "name", ["Left", "Delete", "Page_Down", "Control_R", "KP_Enter", "Super_L"]
)
def test_keys_that_exist_twice_say_which_one(system: System, name: str) -> None:
    Keyboard(system).combination((name,))
    assert all(event.flags & EXTENDED for event in system.sent)


@pytest.mark.parametrize(
    "keys",
    [
        *("ctrl+b", "ArrowLeft", "pagedown", "F5", "F24", "esc", "altgr", "numpadenter", "win+d"),
        *("ctrl+shift+>", "shift+tab", "ISO_Left_Tab", "Print", "KP_5", "ctrl+plus", "A", "9"),
        *MODIFIERS,
    ],
)
def test_what_agents_call_keys_is_known_here(system: System, keys: str) -> None:
    names = parse_keys(keys)
    Keyboard(system).combination(names)
    downs = [key for key, down in pressed(system.sent) if down]
    ups = [key for key, down in pressed(system.sent) if not down]
    assert len(downs) >= len(names)
    assert ups == downs[::-1]


def test_every_named_character_is_the_one_the_host_means() -> None:
    assert len(CHARACTERS) == 32
    for name, character in CHARACTERS.items():
        [parsed] = parse_keys(character) if character != "+" else parse_keys("plus")
        assert parsed == name


def test_a_character_takes_the_shift_of_the_layout(system: System) -> None:
    Keyboard(system).combination(("Control_L", "plus"))
    assert [key for key, down in pressed(system.sent) if down] == [0xA2, 0xA0, 0xBB]
    system.sent.clear()
    Keyboard(system).combination(("Shift_L", "plus"))
    assert [key for key, down in pressed(system.sent) if down] == [0xA0, 0xBB]


@pytest.mark.parametrize("name", ["NoSuchKey", "é", ""])
def test_an_unknown_key_does_nothing(system: System, name: str) -> None:
    with pytest.raises(CommandError, match=f"unknown key {name!r}"):
        Keyboard(system).combination(("Control_L", name))
    assert system.sent == []


def test_held_keys_are_released(system: System) -> None:
    release = Keyboard(system).hold(("Control_L", "Shift_L"))
    assert pressed(system.sent) == [(0xA2, True), (0xA0, True)]
    release()
    assert pressed(system.sent)[2:] == [(0xA0, False), (0xA2, False)]
    Keyboard(system).hold(())()
    assert len(system.sent) == 4


@pytest.mark.slow
@given(st.text(st.characters(min_codepoint=32, exclude_categories=["Cs", "Cc"])))
def test_any_text_arrives_unit_by_unit(text: str) -> None:
    events = text_events(text)
    down = [event for event in events if not event.flags & UP]
    assert [event.flags for event in events] == [UNICODE, UNICODE | UP] * len(down)
    units = b"".join(event.scan.to_bytes(2, "little") for event in down)
    assert units.decode("utf-16-le") == text


def test_newline_and_tab_are_keys() -> None:
    assert pressed(text_events("\n\t")) == [
        *((0x0D, True), (0x0D, False)),
        *((0x09, True), (0x09, False)),
    ]


def test_a_control_character_types_nothing(system: System) -> None:
    with pytest.raises(CommandError, match=r"control character U\+0007"):
        Keyboard(system).type("ab\a")
    Keyboard(system).type("")
    assert system.sent == []


def test_every_modifier_can_be_let_go(system: System) -> None:
    Keyboard(system).release_all()
    assert {event.virtual_key for event in system.sent} == {KEYS[name][0] for name in MODIFIERS}
    assert all(event.flags & UP for event in system.sent)


def test_buttons_go_down_and_up() -> None:
    events = [button_event("right", down=down) for down in (True, False)]
    assert [event.flags for event in events] == [0x8, 0x10]
    assert all(event.mouse for event in events)


def test_a_key_goes_down_and_up() -> None:
    assert key_event(0x41, False, down=True) == InputEvent(0, virtual_key=0x41)
    assert key_event(0x25, True, down=False) == InputEvent(3, virtual_key=0x25)
