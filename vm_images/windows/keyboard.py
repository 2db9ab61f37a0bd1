"""Keys and text on Windows."""

from collections.abc import Callable

from pptarena.vm_images.guest.errors import CommandError
from pptarena.vm_images.windows.input_events import KEYS, InputEvent, key_event, text_events
from pptarena.vm_images.windows.system import System

__all__ = ["CHARACTERS", "Keyboard"]

CHARACTERS = dict(
    zip(
        (
            *("exclam", "quotedbl", "numbersign", "dollar", "percent", "ampersand", "apostrophe"),
            *("parenleft", "parenright", "asterisk", "plus", "comma", "minus", "period", "slash"),
            *("colon", "semicolon", "less", "equal", "greater", "question", "at", "bracketleft"),
            *("backslash", "bracketright", "asciicircum", "underscore", "grave", "braceleft"),
            *("bar", "braceright", "asciitilde"),
        ),
        "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
        strict=True,
    )
)
"""Character by the X keysym name of its key (X11 protocol, keysyms of Latin-1)."""

_SHIFT = KEYS["Shift_L"]


class Keyboard:
    """Presses keys by X keysym name and types any Unicode text.

    Args:
        system: Windows.
    """

    def __init__(self, system: System) -> None:
        self._system = system

    def combination(self, names: tuple[str, ...], repeats: int = 1) -> None:
        """Press keys in order and release them in reverse, `repeats` times.

        Raises:
            CommandError: If a key name is unknown; nothing was pressed.
        """
        keys = self._keys(names)
        self._system.send((_presses(keys) + _releases(keys)) * repeats)

    def hold(self, names: tuple[str, ...]) -> Callable[[], None]:
        """Press keys and return the events that release them."""
        keys = self._keys(names)
        if not keys:
            return lambda: None
        self._system.send(_presses(keys))
        return lambda: self._system.send(_releases(keys))

    def type(self, text: str) -> None:
        """Type text; newline is Return, tab is Tab.

        Raises:
            CommandError: If a control character has no key; nothing was typed.
        """
        try:
            events = text_events(text)
        except ValueError as error:
            raise CommandError(str(error)) from error
        if events:
            self._system.send(events)

    def release_all(self) -> None:
        """Release every modifier."""
        names = ("Control_L", "Control_R", "Shift_L", "Shift_R", "Alt_L", "Alt_R")
        self._system.send(_releases([KEYS[name] for name in (*names, "Super_L", "Super_R")]))

    def _keys(self, names: tuple[str, ...]) -> list[tuple[int, bool]]:
        keys: list[tuple[int, bool]] = []
        has_shift = any(name.startswith("Shift") for name in names)
        for name in names:
            if name in KEYS:
                if name == "ISO_Left_Tab" and not has_shift:
                    keys.append(_SHIFT)
                keys.append(KEYS[name])
                continue
            character = CHARACTERS.get(name, name)
            layout_key = self._system.key_for(character) if len(character) == 1 else None
            if layout_key is None:
                raise CommandError(
                    f"unknown key {name!r}: expected an X keysym name such as 'F5',"
                    " or a character of this keyboard layout"
                )
            key, needs_shift = layout_key
            if needs_shift and not has_shift:
                keys.append(_SHIFT)
            keys.append((key, False))
        return keys


def _presses(keys: list[tuple[int, bool]]) -> list[InputEvent]:
    return [key_event(key, extended, down=True) for key, extended in keys]


def _releases(keys: list[tuple[int, bool]]) -> list[InputEvent]:
    return [key_event(key, extended, down=False) for key, extended in reversed(keys)]
