"""Keyboard and mouse events for Windows, and the virtual keys.

Virtual keys and flags: Microsoft, "Virtual-Key Codes", "KEYBDINPUT" and "MOUSEINPUT" (winuser.h).
"""

from dataclasses import dataclass

__all__ = ["KEYS", "InputEvent", "button_event", "key_event", "text_events", "wheel_event"]

KEYEVENTF_EXTENDEDKEY = 0x1
KEYEVENTF_KEYUP = 0x2
KEYEVENTF_UNICODE = 0x4
_MOUSEEVENTF_WHEEL = 0x800
_NOTCH = 120  # WHEEL_DELTA of winuser.h
_MOUSE = {"left": (0x2, 0x4), "right": (0x8, 0x10), "middle": (0x20, 0x40)}
_RETURN, _TAB, _BACK, _ESCAPE = 0x0D, 0x09, 0x08, 0x1B
_CONTROLS = {"\n": _RETURN, "\r": _RETURN, "\t": _TAB, "\b": _BACK, "\x1b": _ESCAPE}


@dataclass(frozen=True, slots=True)
class InputEvent:
    """One event of `SendInput`.

    Attributes:
        mouse: Whether it is a mouse event; the key fields are then 0.
        flags: ``KEYEVENTF_`` or ``MOUSEEVENTF_`` bits.
        virtual_key: The key, 0 for a character.
        scan: The UTF-16 code unit of a character.
        wheel: The rotation of the wheel, 120 for a notch away from the user.
    """

    flags: int
    mouse: bool = False
    virtual_key: int = 0
    scan: int = 0
    wheel: int = 0


# X keysym name -> virtual key, and whether the key is an "extended" one.
_NAMED_KEYS = {
    "BackSpace": (0x08, False),
    "Tab": (0x09, False),
    "ISO_Left_Tab": (0x09, False),
    "Return": (0x0D, False),
    "KP_Enter": (0x0D, True),
    "Pause": (0x13, False),
    "Caps_Lock": (0x14, False),
    "Escape": (0x1B, False),
    "space": (0x20, False),
    "Page_Up": (0x21, True),
    "Prior": (0x21, True),
    "Page_Down": (0x22, True),
    "Next": (0x22, True),
    "End": (0x23, True),
    "Home": (0x24, True),
    "Left": (0x25, True),
    "Up": (0x26, True),
    "Right": (0x27, True),
    "Down": (0x28, True),
    "Print": (0x2C, True),
    "Insert": (0x2D, True),
    "Delete": (0x2E, True),
    "Help": (0x2F, False),
    "Super_L": (0x5B, True),
    "Super_R": (0x5C, True),
    "Menu": (0x5D, True),
    "KP_Multiply": (0x6A, False),
    "KP_Add": (0x6B, False),
    "KP_Separator": (0x6C, False),
    "KP_Subtract": (0x6D, False),
    "KP_Decimal": (0x6E, False),
    "KP_Divide": (0x6F, True),
    "Num_Lock": (0x90, True),
    "Scroll_Lock": (0x91, False),
    "Shift_L": (0xA0, False),
    "Shift_R": (0xA1, False),
    "Control_L": (0xA2, False),
    "Control_R": (0xA3, True),
    "Alt_L": (0xA4, False),
    "Alt_R": (0xA5, True),
    "ISO_Level3_Shift": (0xA5, True),
}
_DIGIT_KEYS = {str(digit): (0x30 + digit, False) for digit in range(10)}
_LETTER_KEYS = {chr(0x61 + offset): (0x41 + offset, False) for offset in range(26)}
_KEYPAD_KEYS = {f"KP_{digit}": (0x60 + digit, False) for digit in range(10)}
_FUNCTION_KEYS = {f"F{number}": (0x6F + number, False) for number in range(1, 25)}

KEYS = {**_NAMED_KEYS, **_DIGIT_KEYS, **_LETTER_KEYS, **_KEYPAD_KEYS, **_FUNCTION_KEYS}
"""Virtual key and whether it is extended, by X keysym name."""


def key_event(virtual_key: int, extended: bool, *, down: bool) -> InputEvent:
    """Return the press or release of a key."""
    flags = (KEYEVENTF_EXTENDEDKEY if extended else 0) | (0 if down else KEYEVENTF_KEYUP)
    return InputEvent(flags, virtual_key=virtual_key)


def text_events(text: str) -> list[InputEvent]:
    """Return the events that type a text, independent of the keyboard layout.

    Raises:
        ValueError: If it contains a control character without a key, or a lone surrogate.
    """
    events = []
    for character in text:
        if character in _CONTROLS:
            key = _CONTROLS[character]
            events += [key_event(key, False, down=True), key_event(key, False, down=False)]
            continue
        code = ord(character)
        if code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000:
            raise ValueError(f"cannot type the control character U+{code:04X}")
        data = character.encode("utf-16-le")
        units = [int.from_bytes(data[offset : offset + 2], "little") for offset in (0, 2)]
        for unit in units[: len(data) // 2]:
            events.append(InputEvent(KEYEVENTF_UNICODE, scan=unit))
            events.append(InputEvent(KEYEVENTF_UNICODE | KEYEVENTF_KEYUP, scan=unit))
    return events


def button_event(button: str, *, down: bool) -> InputEvent:
    """Return the press or the release of a mouse button at the pointer."""
    press, release = _MOUSE[button]
    return InputEvent(press if down else release, mouse=True)


def wheel_event(*, down: bool) -> InputEvent:
    """Return one notch of the wheel."""
    return InputEvent(_MOUSEEVENTF_WHEEL, mouse=True, wheel=-_NOTCH if down else _NOTCH)
