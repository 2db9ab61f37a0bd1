"""Mouse clicks on an X display that always count as one gesture."""

from collections.abc import Callable

import pyautogui
from Xlib import X
from Xlib.ext.xtest import fake_input

__all__ = ["clicker"]

_BUTTONS = {"left": 1, "middle": 2, "right": 3}


def clicker(after_input: Callable[[], None] | None) -> Callable[[str, int], None]:
    """Return what clicks a button so many times.

    Args:
        after_input: Returns when the application has taken in the input so far, on a desktop whose
            time stands still meanwhile. None where the clocks of screen and application run fast:
            then all presses go in one write, or they could come too far apart to count as one.
    """

    def click(button: str, clicks: int) -> None:
        display = pyautogui.platformModule._display
        for _ in range(clicks):
            for kind in (X.ButtonPress, X.ButtonRelease):
                fake_input(display, kind, _BUTTONS[button])
                if after_input is not None:
                    display.sync()
                    after_input()
        display.sync()

    return click
