"""The mouse buttons on an X display; each press and release is a single request."""

import pyautogui
from Xlib import X
from Xlib.ext.xtest import fake_input

__all__ = ["XButtons"]

_NUMBERS = {"left": 1, "middle": 2, "right": 3}
_WHEEL_UP, _WHEEL_DOWN = 4, 5


class XButtons:
    """Presses and releases at the pointer's position, over pyautogui's own connection.

    pyautogui's functions first move the pointer to its current position. The application's reaction
    to such a move, such as a tooltip, depended on how soon the press followed.
    """

    def press(self, button: str) -> None:
        """Press ``"left"``, ``"middle"`` or ``"right"``."""
        self._send(X.ButtonPress, _NUMBERS[button])

    def release(self, button: str) -> None:
        """Release a button."""
        self._send(X.ButtonRelease, _NUMBERS[button])

    def turn_wheel(self, down: bool) -> None:
        """Turn the wheel by one notch."""
        button = _WHEEL_DOWN if down else _WHEEL_UP
        self._send(X.ButtonPress, button)
        self._send(X.ButtonRelease, button)

    def _send(self, event_type: int, button: int) -> None:
        display = pyautogui.platformModule._display
        fake_input(display, event_type, button)
        display.sync()
