"""Conversion of key names to X keysym names.

Accepted are X keysym names as used by xdotool (``Page_Down``), pyautogui's names (``pagedown``,
``winleft``), Playwright's (``ArrowLeft``, ``ControlOrMeta``), upper case (``CTRL``) and single
characters, joined by ``+`` or by spaces.
"""

import difflib
from functools import cache

from pptarena.errors import ActionError

__all__ = ["MODIFIERS", "is_keysym", "parse_keys", "parse_modifiers"]

MODIFIERS = ("Control_L", "Control_R", "Shift_L", "Shift_R", "Alt_L", "Alt_R", "Super_L", "Super_R")
"""The keys that can be held during a pointer action."""

MAX_KEYS = 5
"""Most keys of one combination."""

# Keysym name -> other names; names are compared without case, spaces, '_' and '-'.
_NAMES = {
    "Control_L": "ctrl control ctrlleft controlleft controlormeta ctl",
    "Control_R": "ctrlright controlright",
    "Shift_L": "shift shiftleft",
    "Shift_R": "shiftright",
    "Alt_L": "alt altleft option opt optionleft",
    "Alt_R": "altright optionright",
    "ISO_Level3_Shift": "altgr altgraph",
    "Super_L": "super cmd command win windows meta metaleft winleft superleft commandleft os",
    "Super_R": "winright superright metaright commandright",
    "Return": "enter ret",
    "KP_Enter": "numpadenter",
    "Escape": "esc",
    "Tab": "",
    "ISO_Left_Tab": "",
    "space": "spacebar",
    "BackSpace": "bksp",
    "Delete": "del",
    "Insert": "ins",
    "Home": "",
    "End": "",
    "Page_Up": "pgup prior",
    "Page_Down": "pgdn pgdown next",
    "Left": "arrowleft leftarrow",
    "Right": "arrowright rightarrow",
    "Up": "arrowup uparrow",
    "Down": "arrowdown downarrow",
    "Caps_Lock": "",
    "Num_Lock": "",
    "Scroll_Lock": "",
    "Print": "printscreen prtsc prtscr prntscrn printscrn",
    "Pause": "",
    "Menu": "apps contextmenu",
    "Help": "",
    "KP_Add": "add numpadadd",
    "KP_Subtract": "subtract numpadsubtract",
    "KP_Multiply": "multiply numpadmultiply",
    "KP_Divide": "divide numpaddivide",
    "KP_Decimal": "decimal numpaddecimal",
    "KP_Separator": "separator",
}

_CHARACTERS = {
    " ": "space",
    "!": "exclam",
    '"': "quotedbl",
    "#": "numbersign",
    "$": "dollar",
    "%": "percent",
    "&": "ampersand",
    "'": "apostrophe",
    "(": "parenleft",
    ")": "parenright",
    "*": "asterisk",
    "+": "plus",
    ",": "comma",
    "-": "minus",
    ".": "period",
    "/": "slash",
    ":": "colon",
    ";": "semicolon",
    "<": "less",
    "=": "equal",
    ">": "greater",
    "?": "question",
    "@": "at",
    "[": "bracketleft",
    "\\": "backslash",
    "]": "bracketright",
    "^": "asciicircum",
    "_": "underscore",
    "`": "grave",
    "{": "braceleft",
    "|": "bar",
    "}": "braceright",
    "~": "asciitilde",
}


def parse_keys(keys: str) -> tuple[str, ...]:
    """Return a key combination as X keysym names, in the order they are pressed.

    A single capital letter is typed with Shift. In a combination, case is ignored: ``CTRL+B`` means
    Ctrl and the B key.

    Args:
        keys: Such as ``"ctrl+b"``, ``"Page_Down"``, ``"CTRL+SHIFT+ENTER"`` or ``"ctrl c"``.

    Raises:
        ActionError: If a name is unknown (near matches are listed), no key is given, a key is
            repeated, or there are more than 5.
    """
    names = _split(keys)
    if not names:
        raise ActionError("expected a key or key combination such as 'ctrl+b', got none")
    if len(names) == 1 and len(names[0]) == 1 and names[0].isascii() and names[0].isupper():
        return ("Shift_L", names[0].lower())
    result = tuple(_keysym(name, keys) for name in names)
    if len(result) > MAX_KEYS:
        raise ActionError(f"expected at most {MAX_KEYS} keys at once, got {keys!r}")
    if len(set(result)) < len(result):
        raise ActionError(f"expected every key once, got {keys!r}")
    return result


def parse_modifiers(keys: str) -> tuple[str, ...]:
    """Return the modifiers to hold during a pointer action as X keysym names, () for ``""``.

    Raises:
        ActionError: As `parse_keys`, or if a key is not a modifier.
    """
    if not keys.strip():
        return ()
    result = parse_keys(keys)
    if invalid := [name for name in result if name not in MODIFIERS]:
        raise ActionError(
            f"expected only ctrl, shift, alt or super to be held during a pointer action, "
            f"got {', '.join(invalid)}"
        )
    return result


def is_keysym(name: str) -> bool:
    """Return whether `parse_keys` can return this keysym name."""
    return name in _keysyms()


@cache
def _keysyms() -> frozenset[str]:
    return frozenset({*_index().values(), *"abcdefghijklmnopqrstuvwxyz0123456789"})


def _split(keys: str) -> list[str]:
    if keys == " ":
        return [keys]
    keys = keys.strip()
    if not keys or _lookup(keys):
        return [keys] if keys else []
    if "+" not in keys:
        return keys.split()
    # "ctrl++" and "ctrl+plus" both name the plus key.
    tail = ["+"] if keys.endswith("++") else []
    names = [name.strip() for name in (keys[:-2] if tail else keys).split("+")]
    if not all(names):
        raise ActionError(f"expected a key on both sides of every '+', got {keys!r}")
    return names + tail


def _keysym(name: str, keys: str) -> str:
    if keysym := _lookup(name):
        return keysym
    matches = difflib.get_close_matches(_normalize(name), _index(), n=3, cutoff=0.6)
    hint = ", ".join(dict.fromkeys(_index()[match] for match in matches))
    raise ActionError(
        f"unknown key {name!r} in {keys!r}" + (f"; did you mean {hint}?" if hint else "")
    )


def _lookup(name: str) -> str | None:
    if len(name) == 1:
        if name.isascii() and name.isalnum():
            return name.lower()
        return _CHARACTERS.get(name)
    return _index().get(_normalize(name))


def _normalize(name: str) -> str:
    return name.casefold().replace("_", "").replace("-", "").replace(" ", "")


@cache
def _index() -> dict[str, str]:
    """Return a map of all accepted names of two or more characters, normalized, to keysym names."""
    index = {f"f{number}": f"F{number}" for number in range(1, 25)}
    for digit in range(10):
        index |= {name.format(digit): f"KP_{digit}" for name in ("kp{}", "num{}", "numpad{}")}
        index[f"digit{digit}"] = str(digit)
    index |= {f"key{letter}": letter for letter in "abcdefghijklmnopqrstuvwxyz"}
    index |= {_normalize(keysym): keysym for keysym in _CHARACTERS.values()}
    for keysym, aliases in _NAMES.items():
        index |= {name: keysym for name in (_normalize(keysym), *aliases.split())}
    index |= {"semi": "semicolon", "dash": "minus", "hyphen": "minus", "dot": "period"}
    index |= {"equals": "equal", "quote": "apostrophe", "backquote": "grave"}
    return index
