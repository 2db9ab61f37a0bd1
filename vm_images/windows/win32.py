"""The Windows API by pywin32 and psutil.

UNTESTED: this module has never been run; it needs Windows.
"""

import contextlib
import ctypes
import sys
import time
from collections.abc import Iterator
from typing import Any

import psutil
import pywintypes
import win32api
import win32clipboard
import win32con
import win32gui
import win32process

from pptarena.vm_images.windows.input_events import InputEvent
from pptarena.vm_images.windows.send_input import send_input
from pptarena.vm_images.windows.system import Window

__all__ = ["Win32", "disable_dpi_scaling"]

_CLOAKED = 14  # DWMWA_CLOAKED: exists but is not shown, such as a suspended store app
_PER_MONITOR_V2 = -4  # DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2
_STILL_ACTIVE = 259
_SHIFT_BIT = 1
_CLIPBOARD_TRIES = 20
_PAUSE_SEC = 0.02


def disable_dpi_scaling() -> None:
    """Keep Windows from scaling coordinates for this process; call it first."""
    if sys.platform == "win32":
        user32 = ctypes.WinDLL("user32")
        user32.SetProcessDpiAwarenessContext(ctypes.c_void_p(_PER_MONITOR_V2))


class Win32:
    """The `System` of a Windows computer."""

    def __init__(self) -> None:
        self.watched = 0
        self._handle: Any = None

    def windows(self) -> list[Window]:
        """Return the visible top-level windows with a title, topmost first."""
        windows: list[Window] = []

        def visit(handle: int, _extra: None) -> bool:
            title = win32gui.GetWindowText(handle)
            if title and win32gui.IsWindowVisible(handle) and not _cloaked(handle):
                _, pid = win32process.GetWindowThreadProcessId(handle)
                windows.append(Window(handle, pid, title, win32gui.GetClassName(handle)))
            return True

        win32gui.EnumWindows(visit, None)
        return windows

    def activate(self, handle: int) -> None:
        """Restore a window if necessary and bring it to the front."""
        if win32gui.IsIconic(handle):
            win32gui.ShowWindow(handle, win32con.SW_RESTORE)
        win32gui.SetForegroundWindow(handle)

    def close(self, handle: int) -> None:
        """Ask a window to close."""
        with contextlib.suppress(pywintypes.error):
            win32gui.PostMessage(handle, win32con.WM_CLOSE, 0, 0)

    def processes(self) -> dict[int, str]:
        """Return the file name of every process, in lower case, by process id."""
        processes = psutil.process_iter(["pid", "name"])
        return {process.info["pid"]: (process.info["name"] or "").lower() for process in processes}

    def watch(self, pid: int) -> None:
        """Keep a handle of a process beyond its end, in place of an earlier one."""
        access = win32con.SYNCHRONIZE | 0x1000  # PROCESS_QUERY_LIMITED_INFORMATION
        self.watched, self._handle = pid, win32api.OpenProcess(access, False, pid)

    def exit_code(self) -> int | None:
        """Return the exit code of the watched process; None while it runs."""
        code = int(win32process.GetExitCodeProcess(self._handle))
        return None if code == _STILL_ACTIVE else code

    def set_screen_size(self, width_px: int, height_px: int) -> tuple[int, int]:
        """Try to change the screen's size and return the actual size."""
        mode = win32api.EnumDisplaySettings(None, win32con.ENUM_CURRENT_SETTINGS)
        if (mode.PelsWidth, mode.PelsHeight) != (width_px, height_px):
            mode.PelsWidth, mode.PelsHeight = width_px, height_px
            mode.Fields = win32con.DM_PELSWIDTH | win32con.DM_PELSHEIGHT
            win32api.ChangeDisplaySettings(mode, 0)
            mode = win32api.EnumDisplaySettings(None, win32con.ENUM_CURRENT_SETTINGS)
        return int(mode.PelsWidth), int(mode.PelsHeight)

    def end(self, pid: int) -> None:
        """End a process immediately; nothing happens if it has exited."""
        with contextlib.suppress(psutil.Error):
            psutil.Process(pid).kill()

    def busy_seconds(self, pid: int) -> float:
        """Return the CPU time of a process in seconds, 0 if it has exited."""
        with contextlib.suppress(psutil.Error):
            times = psutil.Process(pid).cpu_times()
            return float(times.user + times.system)
        return 0.0

    def send(self, events: list[InputEvent]) -> None:
        """Add keyboard and mouse events to the input stream, as one batch."""
        send_input(events)

    def key_for(self, character: str) -> tuple[int, bool] | None:
        """Return virtual key and Shift of a character on this keyboard layout; None without one."""
        if sys.platform != "win32":
            raise OSError("keyboard layouts exist only on Windows")
        scan = int(ctypes.WinDLL("user32").VkKeyScanW(ctypes.c_wchar(character)))
        key, state = scan & 0xFF, scan >> 8 & 0xFF
        if scan == -1 or state & ~_SHIFT_BIT:
            return None
        return key, bool(state & _SHIFT_BIT)

    def clipboard_number(self) -> int:
        """Return a number that changes with the clipboard."""
        return int(win32clipboard.GetClipboardSequenceNumber())

    def clipboard_text(self) -> str:
        """Return the text on the clipboard; "" for none."""
        with _clipboard():
            if win32clipboard.IsClipboardFormatAvailable(win32con.CF_UNICODETEXT):
                return str(win32clipboard.GetClipboardData(win32con.CF_UNICODETEXT))
        return ""

    def set_clipboard(self, text: str | None, bitmap: bytes | None) -> None:
        """Put a text or a device-independent bitmap on the clipboard; neither empties it."""
        with _clipboard():
            win32clipboard.EmptyClipboard()
            if text is not None:
                win32clipboard.SetClipboardData(win32con.CF_UNICODETEXT, text)
            if bitmap is not None:
                win32clipboard.SetClipboardData(win32con.CF_DIB, bitmap)


@contextlib.contextmanager
def _clipboard() -> Iterator[None]:
    """Hold the clipboard open; another program may hold it for a moment."""
    for attempt in range(_CLIPBOARD_TRIES):
        try:
            win32clipboard.OpenClipboard()
            break
        except pywintypes.error:
            if attempt == _CLIPBOARD_TRIES - 1:
                raise
            time.sleep(_PAUSE_SEC)
    try:
        yield
    finally:
        win32clipboard.CloseClipboard()


def _cloaked(handle: int) -> bool:
    if sys.platform != "win32":
        return False
    value = ctypes.c_int(0)
    ctypes.WinDLL("dwmapi").DwmGetWindowAttribute(
        ctypes.c_void_p(handle), _CLOAKED, ctypes.byref(value), ctypes.sizeof(value)
    )
    return value.value != 0
