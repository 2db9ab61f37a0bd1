"""Mouse clicks on an X display that always count as one gesture."""

import pyautogui
from Xlib import X
from Xlib.ext.xtest import fake_input

__all__ = ["click"]

_BUTTONS = {"left": 1, "middle": 2, "right": 3}


def click(button: str, clicks: int) -> None:
    """Send all presses of a multiple click in one write on pyautogui's own connection.

    The clocks of screen and application run fast; presses sent one by one could come too far
    apart to count as one double click.
    """
    display = pyautogui.platformModule._display
    for _ in range(clicks):
        fake_input(display, X.ButtonPress, _BUTTONS[button])
        fake_input(display, X.ButtonRelease, _BUTTONS[button])
    display.sync()
