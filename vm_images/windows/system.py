"""What the guest asks of Windows; `win32` answers there, tests answer with stand-ins."""

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
        """Restore a window if need be and bring it to the front."""

    def close(self, handle: int) -> None:
        """Ask a window to close."""

    def processes(self) -> dict[int, str]:
        """Return the file name of every process, in lower case, by process id."""

    def set_screen_size(self, width_px: int, height_px: int) -> tuple[int, int]:
        """Try to change the screen's size and return the one it has then."""

    def end(self, pid: int) -> None:
        """End a process at once; nothing happens if it is gone."""

    def busy_seconds(self, pid: int) -> float:
        """Return the processor time of a process in seconds, 0 if it is gone."""

    def send(self, events: list[InputEvent]) -> None:
        """Put keyboard and mouse events into the input stream, as one batch."""

    def key_for(self, character: str) -> tuple[int, bool] | None:
        """Return virtual key and Shift of a character on this keyboard layout, None if none."""

    def clipboard_number(self) -> int:
        """Return a number that changes with the clipboard."""

    def clipboard_text(self) -> str:
        """Return the text on the clipboard, "" for none."""

    def set_clipboard(self, text: str | None, bitmap: bytes | None) -> None:
        """Put a text or a device-independent bitmap on the clipboard; neither empties it."""
