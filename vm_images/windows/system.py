"""The interface to Windows: implemented by `win32`, and by fakes in tests."""

from dataclasses import dataclass
from typing import Protocol

from pptarena.vm_images.windows.input_events import InputEvent

__all__ = ["System", "Window"]


@dataclass(frozen=True, slots=True)
class Window:
    """A visible top-level window."""

    handle: int
    pid: int
    title: str
    class_name: str


class System(Protocol):
    """The part of the Windows API that the guest uses."""

    def windows(self) -> list[Window]:
        """Return the visible top-level windows with a title, topmost first."""

    def activate(self, handle: int) -> None:
        """Restore a window if necessary and bring it to the front."""

    def close(self, handle: int) -> None:
        """Ask a window to close."""

    def processes(self) -> dict[int, str]:
        """Return the file name of every process, in lower case, by process id."""

    def set_screen_size(self, width_px: int, height_px: int) -> tuple[int, int]:
        """Try to change the screen's size and return the actual size."""

    def end(self, pid: int) -> None:
        """End a process immediately; nothing happens if it has exited."""

    def busy_seconds(self, pid: int) -> float:
        """Return the CPU time of a process in seconds, 0 if it has exited."""

    def send(self, events: list[InputEvent]) -> None:
        """Add keyboard and mouse events to the input stream, as one batch."""

    def key_for(self, character: str) -> tuple[int, bool] | None:
        """Return virtual key and Shift of a character on this keyboard layout; None without one."""

    def clipboard_number(self) -> int:
        """Return a number that changes with the clipboard."""

    def clipboard_text(self) -> str:
        """Return the text on the clipboard; "" for none."""

    def set_clipboard(self, text: str | None, bitmap: bytes | None) -> None:
        """Put a text or a device-independent bitmap on the clipboard; neither empties it."""
