import ctypes
import sys

import pytest

from pptarena.vm_images.windows.input_events import button_event, text_events, wheel_event
from pptarena.vm_images.windows.send_input import INPUT, input_array, send_input


@pytest.mark.skipif(ctypes.sizeof(ctypes.c_void_p) != 8, reason="sizes of 64-bit Windows")
def test_structures_have_the_sizes_of_windows() -> None:
    assert ctypes.sizeof(INPUT) == 40  # SendInput accepts no other size
    assert INPUT.event.offset == 8


def test_events_are_converted_to_structures() -> None:
    array = input_array(
        [*text_events("é"), *(button_event("left", down=down) for down in (True, False))]
    )
    assert [item.type for item in array] == [1, 1, 0, 0]
    assert [item.event.ki.wScan for item in array[:2]] == [0xE9, 0xE9]
    assert [item.event.ki.dwFlags for item in array[:2]] == [4, 6]
    assert [item.event.mi.dwFlags for item in array[2:]] == [2, 4]
    array = input_array([wheel_event(down=down) for down in (True, False)])
    assert [item.event.mi.dwFlags for item in array] == [0x800, 0x800]
    assert [ctypes.c_int32(item.event.mi.mouseData).value for item in array] == [-120, 120]


@pytest.mark.skipif(sys.platform == "win32", reason="it would type")
def test_other_systems_are_rejected() -> None:
    with pytest.raises(OSError, match="only on Windows"):
        send_input(text_events("x"))
