"""Render mode ``"human"``: a tkinter window."""

import importlib.util
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pptarena.errors import ConfigError

if TYPE_CHECKING:
    import tkinter

__all__ = ["Window", "supported_modes", "window_problem"]


def window_problem() -> str | None:
    """Return why no window can be opened here; None if one can."""
    if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        return (
            "render_mode 'human' needs a display and DISPLAY is not set; "
            "run under `xvfb-run`, or use render_mode='rgb_array'"
        )
    if any(importlib.util.find_spec(name) is None for name in ("_tkinter", "tkinter")):
        return (
            "render_mode 'human' needs tkinter; on Debian `apt-get install python3-tk` "
            "installs it, or use render_mode='rgb_array'"
        )
    return None


def supported_modes(requested: str | None, modes: list[str]) -> list[str]:
    """Return the render modes that work here.

    Args:
        requested: The requested mode.
        modes: All modes.

    Raises:
        ConfigError: If the requested mode is unknown or does not work here.
    """
    if requested is not None and requested not in modes:
        raise ConfigError(f"expected render_mode to be one of {modes}, got {requested!r}")
    if (obstacle := window_problem()) is None:
        return modes
    if requested == "human":
        raise ConfigError(obstacle)
    # Not offered here, so that code that tries all offered modes meets no error.
    return [mode for mode in modes if mode != "human"]


class Window:
    """Shows images in sequence; it opens with the first one."""

    def __init__(self) -> None:
        self._root: tkinter.Tk | None = None
        self._label: tkinter.Label | None = None
        self._picture: tkinter.PhotoImage | None = None

    def show(self, screenshot: NDArray[np.uint8], title: str) -> None:
        """Show an image.

        Args:
            screenshot: uint8 (height, width, 3), RGB.
            title: Title of the window.

        Raises:
            ConfigError: If the display refuses a window, or the user closed it.
        """
        import tkinter

        height, width = screenshot.shape[:2]
        try:
            if self._root is None or self._label is None:
                self._root = tkinter.Tk()
                self._label = tkinter.Label(self._root, borderwidth=0)
                self._label.pack()
            self._root.title(title)
            data = b"P6 %d %d 255\n" % (width, height) + screenshot.tobytes()
            self._picture = tkinter.PhotoImage(master=self._root, data=data, format="PPM")
            self._label.configure(image=self._picture)
            self._root.update()
        except tkinter.TclError as error:
            raise ConfigError(f"render_mode 'human' cannot draw its window: {error}") from error

    def close(self) -> None:
        """Close the window. Later calls do nothing."""
        root, self._root, self._label, self._picture = self._root, None, None, None
        if root is not None:
            import tkinter

            with suppress(tkinter.TclError):  # the user may have closed it already
                root.destroy()
