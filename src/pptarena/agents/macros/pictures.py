"""Macros for pictures, films and sounds."""

from typing import Literal

from pptarena.agents.macros.arguments import File, Position, Shape
from pptarena.agents.macros.boxes import fill_length
from pptarena.agents.macros.desk import Desk, Play
from pptarena.agents.macros.menus import await_dialog, choose, press
from pptarena.agents.macros.screen import NodeJson, Screen, plain
from pptarena.agents.macros.shapes import select_shape
from pptarena.agents.macros.sidebar import open_section
from pptarena.agents.macros.slides import show_slide
from pptarena.errors import MacroError

__all__ = ["crop", "insert_media", "picture_color", "replace_picture"]

_MODES = {
    "color": "Default",
    "gray": "Grayscale",
    "black_and_white": "Black/White",
    "watermark": "Watermark",
}
_CROP, _MODE = "Crop", "Color mode"


DOCUMENTS = "/home/agent/Documents"
"""Folder of the deck and of the task's attachments."""

_CHOOSER = "file chooser"


def choose_file(desk: Desk, file: str) -> Play[None]:
    """Choose a file next to the deck in the open dialog, and wait until the dialog closes.

    Args:
        desk: The desk.
        file: Its name.

    Raises:
        MacroError: If no file dialog is open, or it does not accept the file.
    """
    yield from desk.await_(_chooser, "the dialog in which a file is chosen")
    path = f"{DOCUMENTS}/{file}"
    yield from desk.type(path)  # typing a slash opens a path field
    field = desk.screen.first("text", within=_chooser(desk.screen))
    if field is None or field["text"] != path:
        raise MacroError(f"expected a field with {path!r} in the dialog in which a file is chosen")
    yield from desk.key("Return")
    yield from desk.await_(
        lambda screen: _chooser(screen) is None, f"the file {file!r} to be taken"
    )


def _chooser(screen: Screen) -> NodeJson | None:
    return screen.first(_CHOOSER, test=lambda node: node["parent"] == -1)


def insert_media(desk: Desk, slide: Position, file: File) -> Play[None]:
    """Insert a film or sound as a link to its file, at the application's default position."""
    yield from show_slide(desk, slide)
    before = len(desk.screen.shapes())
    yield from choose(desk, "Insert", "Audio or Video...")
    yield from choose_file(desk, file)
    yield from desk.await_(
        lambda screen: len(screen.shapes()) > before, f"{file!r} on slide {slide}"
    )


def replace_picture(desk: Desk, slide: Position, shape: Shape, file: File) -> Play[None]:
    """Replace the image of a picture with a file; its position stays."""
    yield from select_shape(desk, slide, shape)
    before = len(desk.screen.shapes())
    yield from choose(desk, "Format", "Image", "Replace...")
    yield from choose_file(desk, file)
    if len(desk.screen.shapes()) != before:
        raise MacroError(f"expected {file!r} in the place of {shape!r}, and no further shape")


def crop(
    desk: Desk,
    slide: Position,
    shape: Shape,
    left_cm: float | None = None,
    right_cm: float | None = None,
    top_cm: float | None = None,
    bottom_cm: float | None = None,
) -> Play[None]:
    """Crop a picture by lengths of its original size; its scale stays."""
    yield from select_shape(desk, slide, shape)
    yield from choose(desk, "Format", "Image", "Crop Dialog...")
    box = yield from await_dialog(desk, _CROP)
    keep = desk.screen.first("radio button", "Keep scale", box)
    if keep is None or "checked" not in keep["states"]:
        raise MacroError("expected the choice 'Keep scale' in the dialog 'Crop'")
    sides = (("Left", left_cm), ("Right", right_cm), ("Top", top_cm), ("Bottom", bottom_cm))
    for label, value in sides:
        if value is not None:
            yield from fill_length(desk, _CROP, "Crop", label, value)
    yield from press(desk, _CROP)


def picture_color(
    desk: Desk,
    slide: Position,
    shape: Shape,
    mode: Literal["color", "gray", "black_and_white", "watermark"],
) -> Play[None]:
    """Set the color mode of a picture: color, grayscale, black and white, or watermark."""
    yield from select_shape(desk, slide, shape)
    yield from open_section(desk, "Image")
    field = yield from desk.await_(_mode, f"the list {_MODE!r} in the sidebar")
    yield from desk.click(field)
    entry = yield from desk.await_(
        lambda screen: screen.first(
            ("table cell", "menu item"), _MODES[mode], test=lambda node: bool(node["element"])
        ),
        f"the entry {_MODES[mode]!r} in the list {_MODE!r}",
    )
    yield from desk.click(entry)


def _mode(screen: Screen) -> NodeJson | None:
    page = screen.first("panel", "Properties")
    if page is None:
        return None
    return screen.first(
        "combo box", within=page, test=lambda node: plain(node["name"]) == plain(_MODE)
    )
