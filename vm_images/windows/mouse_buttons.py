"""The buttons and the wheel of the mouse on Windows, by SendInput."""

from collections.abc import Callable

from pptarena.vm_images.windows.input_events import InputEvent, button_event, wheel_event

__all__ = ["MouseButtons"]


class MouseButtons:
    """Presses and releases buttons at the pointer.

    Args:
        send: Sends input events to the system, in order.
    """

    def __init__(self, send: Callable[[list[InputEvent]], None]) -> None:
        self._send = send

    def press(self, button: str) -> None:
        """Press ``"left"``, ``"middle"`` or ``"right"``."""
        self._send([button_event(button, down=True)])

    def release(self, button: str) -> None:
        """Release it."""
        self._send([button_event(button, down=False)])

    def turn_wheel(self, down: bool) -> None:
        """Turn the wheel by one notch."""
        self._send([wheel_event(down=down)])
