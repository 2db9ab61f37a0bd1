"""The mouse, by pyautogui without its pauses."""

import pyautogui
from Xlib import X
from Xlib.ext.xtest import fake_input

__all__ = ["Pointer"]

_DRAG_STEPS = 12  # an application starts a drag only when it sees the pointer move
_CLICKS = {
    "click": (1, 1),
    "double_click": (1, 2),
    "triple_click": (1, 3),
    "right_click": (3, 1),
    "middle_click": (2, 1),
}

pyautogui.PAUSE = 0
pyautogui.FAILSAFE = False
pyautogui.MINIMUM_DURATION = 0
pyautogui.DARWIN_CATCH_UP_TIME = 0


class Pointer:
    """Moves and clicks; all points in pixels from the top left corner."""

    def __init__(self) -> None:
        self._down = False

    def act(self, op: str, x: int, y: int, end_x: int, end_y: int, amount: int) -> None:
        """Carry out one pointer operation of the protocol."""
        pyautogui.moveTo(x, y, _pause=False)
        if op in _CLICKS:
            _click(*_CLICKS[op])
        elif op == "mouse_down":
            pyautogui.mouseDown(_pause=False)
            self._down = True
        elif op == "mouse_up":
            pyautogui.mouseUp(_pause=False)
            self._down = False
        elif op == "drag":
            self._drag(x, y, end_x, end_y)
        elif op == "scroll":
            pyautogui.scroll(-amount, _pause=False)

    def release(self) -> None:
        """Let go of a button still held."""
        if self._down:
            pyautogui.mouseUp(_pause=False)
            self._down = False

    @staticmethod
    def _drag(x: int, y: int, end_x: int, end_y: int) -> None:
        pyautogui.mouseDown(_pause=False)
        for step in range(1, _DRAG_STEPS + 1):
            part = step / _DRAG_STEPS
            pyautogui.moveTo(
                round(x + (end_x - x) * part), round(y + (end_y - y) * part), _pause=False
            )
        pyautogui.mouseUp(_pause=False)


def _click(button: int, clicks: int) -> None:
    """Send all presses of a multiple click in one write on pyautogui's own connection.

    The clocks of screen and application run fast; presses sent one by one could come too far
    apart to count as one double click.
    """
    display = pyautogui.platformModule._display
    for _ in range(clicks):
        fake_input(display, X.ButtonPress, button)
        fake_input(display, X.ButtonRelease, button)
    display.sync()
