"""Conversion of keys and text to Windows input events."""

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
    """Return each event's virtual key and whether it is pressed."""
    return [(event.virtual_key, not event.flags & UP) for event in events]


def test_combination_is_released_in_reverse_order(system: System) -> None:
    Keyboard(system).combination(("Control_L", "Shift_L", "b"), 2)
    once = [(0xA2, True), (0xA0, True), (0x42, True), (0x42, False), (0xA0, False), (0xA2, False)]
    assert pressed(system.sent) == once * 2


def test_duplicate_keys_carry_the_extended_flag(system: System) -> None:
    for name in ("Left", "Delete", "Page_Down", "Control_R", "KP_Enter", "Super_L"):
        Keyboard(system).combination((name,))
    assert len(system.sent) == 12
    assert all(event.flags & EXTENDED for event in system.sent)


@pytest.mark.parametrize(
    "keys",
    [
        *("ctrl+b", "ArrowLeft", "pagedown", "F5", "F24", "esc", "altgr", "numpadenter", "win+d"),
        *("ctrl+shift+>", "shift+tab", "ISO_Left_Tab", "Print", "KP_5", "ctrl+plus", "A", "9"),
        *MODIFIERS,
    ],
)
def test_key_names_of_agents_are_accepted(system: System, keys: str) -> None:
    names = parse_keys(keys)
    Keyboard(system).combination(names)
    downs = [key for key, down in pressed(system.sent) if down]
    ups = [key for key, down in pressed(system.sent) if not down]
    assert len(downs) >= len(names)
    assert ups == downs[::-1]


def test_character_names_match_those_of_the_host() -> None:
    assert len(CHARACTERS) == 32
    for name, character in CHARACTERS.items():
        [parsed] = parse_keys(character) if character != "+" else parse_keys("plus")
        assert parsed == name


def test_shifted_characters_press_shift(system: System) -> None:
    Keyboard(system).combination(("Control_L", "plus"))
    assert [key for key, down in pressed(system.sent) if down] == [0xA2, 0xA0, 0xBB]
    system.sent.clear()
    Keyboard(system).combination(("Shift_L", "plus"))
    assert [key for key, down in pressed(system.sent) if down] == [0xA0, 0xBB]


@pytest.mark.parametrize("name", ["NoSuchKey", "é", ""])
def test_unknown_key_is_rejected_before_any_event(system: System, name: str) -> None:
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
def test_text_is_sent_as_utf_16_units(text: str) -> None:
    events = text_events(text)
    down = [event for event in events if not event.flags & UP]
    assert [event.flags for event in events] == [UNICODE, UNICODE | UP] * len(down)
    units = b"".join(event.scan.to_bytes(2, "little") for event in down)
    assert units.decode("utf-16-le") == text


def test_newline_and_tab_are_keys_and_other_control_characters_rejected(system: System) -> None:
    assert pressed(text_events("\n\t")) == [
        *((0x0D, True), (0x0D, False)),
        *((0x09, True), (0x09, False)),
    ]
    with pytest.raises(CommandError, match=r"control character U\+0007"):
        Keyboard(system).type("ab\a")
    Keyboard(system).type("")
    assert system.sent == []


def test_release_all_releases_every_modifier(system: System) -> None:
    Keyboard(system).release_all()
    assert {event.virtual_key for event in system.sent} == {KEYS[name][0] for name in MODIFIERS}
    assert all(event.flags & UP for event in system.sent)


def test_buttons_and_keys_have_events_for_press_and_release() -> None:
    events = [button_event("right", down=down) for down in (True, False)]
    assert [event.flags for event in events] == [0x8, 0x10]
    assert all(event.mouse for event in events)
    assert key_event(0x41, False, down=True) == InputEvent(0, virtual_key=0x41)
    assert key_event(0x25, True, down=False) == InputEvent(3, virtual_key=0x25)
