"""The buttons of the mouse on Windows, by SendInput; the wheel by pyautogui."""

from collections.abc import Callable

import pyautogui

from pptarena.vm_images.windows.input_events import InputEvent, button_event

__all__ = ["MouseButtons"]

_NOTCH = 120  # WHEEL_DELTA of winuser.h


class MouseButtons:
    """Presses and releases where the pointer is.

    Args:
        send: Hands input events to the system, in order.
    """

    def __init__(self, send: Callable[[list[InputEvent]], None]) -> None:
        self._send = send

    def press(self, button: str) -> None:
        """Press ``"left"``, ``"middle"`` or ``"right"``."""
        self._send([button_event(button, down=True)])

    def release(self, button: str) -> None:
        """Let go of it."""
        self._send([button_event(button, down=False)])

    def turn_wheel(self, down: bool) -> None:
        """Turn the wheel by one notch."""
        pyautogui.scroll(-_NOTCH if down else _NOTCH, _pause=False)
