"""The structures of the Windows call ``SendInput`` (winuser.h)."""

import ctypes
import sys
from collections.abc import Sequence

from pptarena.vm_images.windows.input_events import InputEvent

__all__ = ["INPUT", "input_array", "send_input"]

_INPUT_MOUSE, _INPUT_KEYBOARD = 0, 1


class _MouseInput(ctypes.Structure):
    _fields_ = (
        ("dx", ctypes.c_int32),
        ("dy", ctypes.c_int32),
        ("mouseData", ctypes.c_uint32),
        ("dwFlags", ctypes.c_uint32),
        ("time", ctypes.c_uint32),
        ("dwExtraInfo", ctypes.c_size_t),
    )


class _KeyboardInput(ctypes.Structure):
    _fields_ = (
        ("wVk", ctypes.c_uint16),
        ("wScan", ctypes.c_uint16),
        ("dwFlags", ctypes.c_uint32),
        ("time", ctypes.c_uint32),
        ("dwExtraInfo", ctypes.c_size_t),
    )


class _InputUnion(ctypes.Union):
    _fields_ = (("mi", _MouseInput), ("ki", _KeyboardInput))


class INPUT(ctypes.Structure):
    """One event in the format of ``SendInput``."""

    _fields_ = (("type", ctypes.c_uint32), ("event", _InputUnion))


def input_array(events: Sequence[InputEvent]) -> "ctypes.Array[INPUT]":
    """Return the events as an array of structures."""
    array = (INPUT * len(events))()
    for slot, event in zip(array, events, strict=True):
        if event.mouse:
            slot.type = _INPUT_MOUSE
            slot.event.mi.dwFlags = event.flags
            slot.event.mi.mouseData = event.wheel & 0xFFFFFFFF
        else:
            slot.type = _INPUT_KEYBOARD
            slot.event.ki.wVk = event.virtual_key
            slot.event.ki.wScan = event.scan
            slot.event.ki.dwFlags = event.flags
    return array


def send_input(events: Sequence[InputEvent]) -> None:
    """Add events to the input stream, without others in between. Untested: needs Windows.

    Raises:
        OSError: If Windows accepts fewer, for example while a window with higher rights has the
            focus.
    """
    if sys.platform != "win32":
        raise OSError("SendInput exists only on Windows")
    user32 = ctypes.WinDLL("user32", use_last_error=True)
    array = input_array(events)
    sent = user32.SendInput(len(array), array, ctypes.sizeof(INPUT))
    if sent != len(array):
        raise ctypes.WinError(ctypes.get_last_error())
