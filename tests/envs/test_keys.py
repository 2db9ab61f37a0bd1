import pytest
from tests.each_case import each_case

from pptarena.envs.keys import is_keysym, parse_keys, parse_modifiers
from pptarena.errors import ActionError


@each_case(
    "keys, expected",
    [
        ("ctrl+b", ("Control_L", "b")),
        ("CTRL+B", ("Control_L", "b")),
        ("Control_L+b", ("Control_L", "b")),
        ("ControlOrMeta+Shift+ArrowLeft", ("Control_L", "Shift_L", "Left")),
        ("ctrl c", ("Control_L", "c")),
        ("cmd", ("Super_L",)),
        ("winleft", ("Super_L",)),
        ("Meta", ("Super_L",)),
        ("Page_Down", ("Page_Down",)),
        ("pagedown", ("Page_Down",)),
        ("PAGE DOWN", ("Page_Down",)),
        ("pgdn", ("Page_Down",)),
        ("Next", ("Page_Down",)),
        ("F2", ("F2",)),
        ("f24", ("F24",)),
        ("enter", ("Return",)),
        ("ENTER", ("Return",)),
        ("KP_Enter", ("KP_Enter",)),
        ("num7", ("KP_7",)),
        ("Digit7", ("7",)),
        ("KeyQ", ("q",)),
        ("esc", ("Escape",)),
        ("altright", ("Alt_R",)),
        ("ContextMenu", ("Menu",)),
        ("a", ("a",)),
        ("A", ("Shift_L", "a")),
        ("shift+A", ("Shift_L", "a")),
        ("+", ("plus",)),
        ("ctrl++", ("Control_L", "plus")),
        ("ctrl+plus", ("Control_L", "plus")),
        ("ctrl+-", ("Control_L", "minus")),
        (" ", ("space",)),
        ("?", ("question",)),
        (" ctrl + s ", ("Control_L", "s")),
    ],
)
def test_key_dialects_map_to_keysyms(keys: str, expected: tuple[str, ...]) -> None:
    assert parse_keys(keys) == expected
    assert all(is_keysym(name) for name in expected)


@each_case(
    "keys, message",
    [
        *((keys, "expected a key") for keys in ("", "   ", "ctrl+", "+b+", "ctrl+ +b")),
        ("ctrl+pagedwn", r"unknown key 'pagedwn' in 'ctrl\+pagedwn'.*Page_Down"),
        ("\u00e9", "unknown key"),
        ("hello", "unknown key"),
        ("ctrl+ctrl+b", "every key once"),
        ("a+b+c+d+e+f", "at most 5"),
    ],
)
def test_invalid_combinations_are_rejected(keys: str, message: str) -> None:
    with pytest.raises(ActionError, match=message):
        parse_keys(keys)


def test_only_modifiers_apply_to_pointer_actions() -> None:
    assert parse_modifiers("") == ()
    assert parse_modifiers("CTRL+shift") == ("Control_L", "Shift_L")
    with pytest.raises(ActionError, match="held during a pointer action, got b"):
        parse_modifiers("ctrl+b")


def test_is_keysym_rejects_other_names() -> None:
    assert not is_keysym("ctrl")
    assert not is_keysym("NoSuchKey")
    assert not is_keysym("")
