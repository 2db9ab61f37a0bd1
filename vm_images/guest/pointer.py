"""The mouse, through pyautogui without its pauses."""

from collections.abc import Callable
from typing import Protocol

import pyautogui

__all__ = ["Buttons", "Pointer"]

_DRAG_STEPS = 12  # an application starts a drag only when it sees the pointer move
_MOVE_SEC = 0.02  # moves faster than the frame rate are merged
_CLICKS = {
    "click": ("left", 1),
    "double_click": ("left", 2),
    "triple_click": ("left", 3),
    "right_click": ("right", 1),
    "middle_click": ("middle", 1),
}

pyautogui.PAUSE = 0
pyautogui.FAILSAFE = False
pyautogui.MINIMUM_DURATION = 0
pyautogui.DARWIN_CATCH_UP_TIME = 0


class Buttons(Protocol):
    """The buttons and the wheel of a mouse."""

    def press(self, button: str) -> None:
        """Press ``"left"``, ``"middle"`` or ``"right"`` where the pointer is."""

    def release(self, button: str) -> None:
        """Release a button."""

    def turn_wheel(self, down: bool) -> None:
        """Turn the wheel by one notch."""


class Pointer:
    """Moves and clicks; all points are in pixels from the top left corner.

    Args:
        buttons: The mouse's buttons.
        after_input: Returns after the application has handled all input so far and the given
            seconds of virtual time have passed. Clicks without time between them form one gesture.
    """

    def __init__(
        self, buttons: Buttons, after_input: Callable[[float], None] = lambda _span_sec: None
    ) -> None:
        self._buttons = buttons
        self._after_input = after_input
        self._down = False
        self._home = pyautogui.position()

    def go_home(self) -> None:
        """Release all buttons, and move to the pointer's initial position."""
        self.release()
        pyautogui.moveTo(*self._home, _pause=False)

    def act(self, op: str, x: int, y: int, end_x: int, end_y: int, amount: int) -> None:
        """Carry out one pointer operation of the protocol."""
        pyautogui.moveTo(x, y, _pause=False)
        self._after_input(0.0)
        if op in _CLICKS:
            self._click(*_CLICKS[op])
        elif op == "mouse_down":
            self._buttons.press("left")
            self._down = True
        elif op == "mouse_up":
            self._buttons.release("left")
            self._down = False
        elif op == "drag":
            self._drag(x, y, end_x, end_y)
        elif op == "scroll":
            for _ in range(abs(amount)):
                self._buttons.turn_wheel(down=amount > 0)
                self._after_input(0.0)

    def release(self) -> None:
        """Release a button that is still pressed."""
        if self._down:
            self._buttons.release("left")
            self._down = False

    def _click(self, button: str, clicks: int) -> None:
        # Clicks are sent one by one: the first one may open what the second one hits.
        for number in range(clicks):
            if number:
                self._after_input(0.0)
            self._buttons.press(button)
            self._after_input(0.0)
            self._buttons.release(button)

    def _drag(self, x: int, y: int, end_x: int, end_y: int) -> None:
        self._buttons.press("left")
        self._after_input(_MOVE_SEC)
        for step in range(1, _DRAG_STEPS + 1):
            fraction = step / _DRAG_STEPS
            pyautogui.moveTo(
                round(x + (end_x - x) * fraction), round(y + (end_y - y) * fraction), _pause=False
            )
            self._after_input(_MOVE_SEC)
        self._buttons.release("left")
