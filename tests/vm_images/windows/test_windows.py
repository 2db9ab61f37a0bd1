"""Windows and clipboard, on a stand-in for the Windows API."""

import io
from typing import Any

from PIL import Image

from pptarena.vm_images.windows.clipboard import Clipboard
from pptarena.vm_images.windows.system import Window
from pptarena.vm_images.windows.windows import Windows

System = Any  # the stand-in of conftest


def test_titles_exclude_the_desktop(system: System) -> None:
    system.open_windows.insert(0, Window(30, 3, "plan.pptx - PowerPoint", "PPTFrameClass"))
    assert Windows(system).titles() == ["plan.pptx - PowerPoint", "guest"]


def test_exact_title_precedes_a_partial_match(system: System) -> None:
    system.open_windows = [Window(1, 1, "Plan B", "x"), Window(2, 1, "plan", "x")]
    windows = Windows(system)
    assert windows.activate("PLAN")
    assert windows.activate("plan b")
    assert windows.activate("lan B")
    assert not windows.activate("letter")
    assert system.calls == [("activate", 2), ("activate", 1), ("activate", 1)]


def test_text_is_read_only_after_a_change(system: System) -> None:
    clipboard = Clipboard(system)
    assert clipboard.text() == ""
    clipboard.put_text("one\ntwo")
    assert system.text == "one\r\ntwo"
    assert [clipboard.text(), clipboard.text()] == ["one\ntwo"] * 2
    assert system.reads == 2
    clipboard.put_text("x" * 5000)
    assert len(clipboard.text()) == 2000
    clipboard.clear()
    assert clipboard.text() == ""


def test_image_is_stored_as_a_bitmap_without_file_header(system: System) -> None:
    image = Image.new("RGBA", (3, 2), (200, 30, 40, 255))
    Clipboard(system).put_image(image)
    assert system.bitmap[:4] == (40).to_bytes(4, "little")  # size of a BITMAPINFOHEADER
    header = b"BM" + (14 + len(system.bitmap)).to_bytes(4, "little") + bytes(4)
    stored = Image.open(io.BytesIO(header + (54).to_bytes(4, "little") + system.bitmap))
    assert (stored.size, stored.convert("RGB").getpixel((1, 1))) == ((3, 2), (200, 30, 40))
