"""Top-level windows by title."""

from pptarena.vm_images.guest.window_titles import find_title
from pptarena.vm_images.windows.system import System

__all__ = ["Windows"]

_DESKTOP = "Progman"  # class of the window behind all others


class Windows:
    """Lists and activates the windows that an agent may use.

    Args:
        system: Windows.
    """

    def __init__(self, system: System) -> None:
        self._system = system

    def titles(self) -> list[str]:
        """Return the titles, topmost window first."""
        return [title for _, title in self._titled_windows()]

    def activate(self, title: str) -> bool:
        """Bring a window to the front; an exact title match takes precedence over a partial one."""
        windows = self._titled_windows()
        index = find_title([name for _, name in windows], title)
        if index is None:
            return False
        self._system.activate(windows[index][0])
        return True

    def _titled_windows(self) -> list[tuple[int, str]]:
        return [
            (window.handle, window.title)
            for window in self._system.windows()
            if window.class_name != _DESKTOP
        ]
