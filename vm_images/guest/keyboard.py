"""Keys and text for the X display through pyautogui; spare keycodes carry the other characters."""

from collections import OrderedDict
from collections.abc import Callable, Iterator

import pyautogui
from Xlib import XK, X
from Xlib.display import Display

from pptarena.vm_images.guest.errors import CommandError

__all__ = ["Keyboard"]

_SHIFT = "Shift_L"
_UNICODE_KEYSYM = 0x01000000  # X11 protocol, appendix A: keysyms of Unicode characters
_MEDIA_KEYS = range(0x1008FF00, 0x10090000)  # X.Org keysyms of media keyboards; not used for typing
_CONTROLS = {"\n": "Return", "\r": "Return", "\t": "Tab", "\b": "BackSpace", "\x1b": "Escape"}
XK.load_keysym_group("xf86")


class Keyboard:
    """Presses keys by keysym name and types any Unicode text.

    A character without a key is first bound to a spare keycode. Applications look up keycodes when
    they handle the event, not when it is sent. A binding is therefore replaced only after `settle`
    has waited for the application, starting with the least recently used one.

    Args:
        display: Name of the display, such as ``":1"``.
        settle: Returns when the application has handled all input so far.
        after_input: The same, called after every press and release of a key.
    """

    def __init__(
        self,
        display: str,
        settle: Callable[[], None],
        after_input: Callable[[], None] = lambda: None,
    ) -> None:
        self._display = Display(display)
        self._settle = settle
        self._after_input = after_input
        self._display.change_keyboard_control(auto_repeat_mode=X.AutoRepeatModeOff)
        first, last = self._display.display.info.min_keycode, self._display.display.info.max_keycode
        mapping = self._display.get_keyboard_mapping(first, last - first + 1)
        for keycode in range(first, last + 1):  # pyautogui sends only keycodes in its map
            pyautogui.platformModule.keyboardMapping[keycode] = keycode
        self._keys: dict[int, tuple[int, bool]] = {}
        spare = []
        for keycode, keysyms in enumerate(mapping, first):
            if all(keysym == X.NoSymbol or keysym in _MEDIA_KEYS for keysym in keysyms):
                spare.append(keycode)
                continue
            for level in (1, 0):
                if level < len(keysyms) and keysyms[level]:
                    self._keys.setdefault(keysyms[level], (keycode, bool(level)))
        for keycode, keysyms in enumerate(mapping, first):  # prefer keys that need no Shift
            if keysyms and self._keys.get(keysyms[0], (0, False))[1]:
                self._keys[keysyms[0]] = (keycode, False)
        self._spare: OrderedDict[int, int] = OrderedDict((keycode, 0) for keycode in spare)

    def combination(self, names: tuple[str, ...], repeats: int = 1) -> None:
        """Press keys in order and release them in reverse, `repeats` times.

        Raises:
            CommandError: If a name is not a keysym; nothing was pressed.
        """
        keycodes = self.keycodes(names)
        for _ in range(repeats):
            for keycode in keycodes:
                self._down(keycode)
            for keycode in reversed(keycodes):
                self._up(keycode)

    def keycodes(self, names: tuple[str, ...]) -> list[int]:
        """Return the keycodes of keysym names, including Shift where a key needs it."""
        keysyms = [self._keysym(name) for name in names]
        self._bind(keysyms)
        keycodes = []
        for keysym in keysyms:
            keycode, shifted = self._keys[keysym]
            if shifted and not any(name.startswith("Shift") for name in names):
                keycodes.append(self._keys[XK.string_to_keysym(_SHIFT)][0])
            keycodes.append(keycode)
        return keycodes

    def hold(self, names: tuple[str, ...]) -> Callable[[], None]:
        """Press keys and return a function that releases them after pending input is handled."""
        keycodes = self.keycodes(names)
        for keycode in keycodes:
            self._down(keycode)

        def release() -> None:
            if keycodes:
                self._after_input()
            for keycode in reversed(keycodes):
                self._up(keycode)

        return release

    def type(self, text: str) -> None:
        """Type text; newline is Return, tab is Tab.

        Raises:
            CommandError: If a control character has no key; nothing was typed.
        """
        keysyms = [_character_keysym(character) for character in text]
        shift = self._keys[XK.string_to_keysym(_SHIFT)][0]
        for batch in self._batches(keysyms):
            self._bind(batch)
            for keysym in batch:
                keycode, shifted = self._keys[keysym]
                if shifted:
                    self._down(shift)
                self._down(keycode)
                self._up(keycode)
                if shifted:
                    self._up(shift)

    def _batches(self, keysyms: list[int]) -> Iterator[list[int]]:
        """Split a text into batches that fit into the spare keycodes."""
        batch: list[int] = []
        unbound: set[int] = set()
        for keysym in keysyms:
            keycode = self._keys.get(keysym, (None, False))[0]
            if keycode is None or keycode in self._spare:
                unbound.add(keysym)
            if len(unbound) > len(self._spare):
                yield batch
                batch, unbound = [], {keysym}
            batch.append(keysym)
        yield batch

    def _bind(self, keysyms: list[int]) -> None:
        """Bind keysyms without a key, never replacing a key that the same input needs."""
        for keysym in keysyms:
            keycode, _ = self._keys.get(keysym, (0, False))
            if keycode in self._spare:
                self._spare.move_to_end(keycode)
        missing = list(dict.fromkeys(keysym for keysym in keysyms if keysym not in self._keys))
        if not missing:
            return
        replaced = [keycode for keycode, _ in zip(list(self._spare), missing, strict=False)]
        if any(self._spare[keycode] for keycode in replaced):
            self._settle()
        for keycode, keysym in zip(replaced, missing, strict=True):
            self._keys.pop(self._spare[keycode], None)
            self._spare[keycode] = keysym
            self._spare.move_to_end(keycode)
            self._keys[keysym] = (keycode, False)
        for run in _runs(sorted(replaced)):  # every request makes all clients read the map again
            run_keysyms = [[self._spare[keycode]] * 2 for keycode in run]
            self._display.change_keyboard_mapping(run[0], run_keysyms)
        self._display.sync()

    def _down(self, keycode: int) -> None:
        pyautogui.platformModule._keyDown(keycode)
        self._after_input()

    def _up(self, keycode: int) -> None:
        pyautogui.platformModule._keyUp(keycode)
        self._after_input()

    @staticmethod
    def _keysym(name: str) -> int:
        keysym = int(XK.string_to_keysym(name))
        if keysym == X.NoSymbol and len(name) == 1:
            keysym = _character_keysym(name)
        if keysym == X.NoSymbol:
            raise CommandError(f"unknown key {name!r}: expected an X keysym name such as 'F5'")
        return keysym


def _runs(numbers: list[int]) -> Iterator[list[int]]:
    """Split sorted numbers into runs of consecutive ones."""
    run: list[int] = []
    for number in numbers:
        if run and number != run[-1] + 1:
            yield run
            run = []
        run.append(number)
    if run:
        yield run


def _character_keysym(character: str) -> int:
    if character in _CONTROLS:
        return int(XK.string_to_keysym(_CONTROLS[character]))
    code = ord(character)
    if code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000:
        raise CommandError(f"cannot type the control character U+{code:04X}")
    return code if code < 0x100 else _UNICODE_KEYSYM + code
