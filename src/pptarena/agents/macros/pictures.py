"""Macros for pictures, films and sounds."""

from typing import Literal

from pptarena.agents.macros.arguments import File, Position, Shape
from pptarena.agents.macros.driver import Driver, Steps
from pptarena.agents.macros.geometry import fill_length
from pptarena.agents.macros.menus import await_dialog, choose_menu, press
from pptarena.agents.macros.screen import NodeJson, Screen, normalize
from pptarena.agents.macros.shapes import select_shape
from pptarena.agents.macros.sidebar import open_section
from pptarena.agents.macros.slides import show_slide
from pptarena.errors import MacroError

__all__ = ["crop", "insert_media", "picture_color", "replace_picture"]

_COLOR_MODES = {
    "color": "Default",
    "gray": "Grayscale",
    "black_and_white": "Black/White",
    "watermark": "Watermark",
}
_CROP_DIALOG, _COLOR_MODE = "Crop", "Color mode"


DOCUMENTS = "/home/agent/Documents"
"""Folder of the deck and of the task's attachments."""

_FILE_DIALOG = "file chooser"


def choose_file(driver: Driver, file_name: str) -> Steps[None]:
    """Choose a file next to the deck in the open dialog, and wait until the dialog closes.

    Args:
        driver: The driver.
        file_name: Name of the file.

    Raises:
        MacroError: If no file dialog is open, or it does not accept the file.
    """
    yield from driver.wait_for(_file_dialog, "the file dialog")
    path = f"{DOCUMENTS}/{file_name}"
    yield from driver.type(path)  # typing a slash opens a path field
    field = driver.screen.first("text", within=_file_dialog(driver.screen))
    if field is None or field["text"] != path:
        raise MacroError(f"expected a field with {path!r} in the file dialog")
    yield from driver.key("Return")
    yield from driver.wait_for(
        lambda screen: _file_dialog(screen) is None, f"the file dialog to accept {file_name!r}"
    )


def _file_dialog(screen: Screen) -> NodeJson | None:
    return screen.first(_FILE_DIALOG, test=lambda node: node["parent"] == -1)


def insert_media(driver: Driver, slide: Position, file: File) -> Steps[None]:
    """Insert a film or sound as a link to its file, at the application's default position."""
    yield from show_slide(driver, slide)
    count_before = len(driver.screen.shapes())
    yield from choose_menu(driver, "Insert", "Audio or Video...")
    yield from choose_file(driver, file)
    yield from driver.wait_for(
        lambda screen: len(screen.shapes()) > count_before, f"{file!r} on slide {slide}"
    )


def replace_picture(driver: Driver, slide: Position, shape: Shape, file: File) -> Steps[None]:
    """Replace the image of a picture with a file; its position stays."""
    yield from select_shape(driver, slide, shape)
    count_before = len(driver.screen.shapes())
    yield from choose_menu(driver, "Format", "Image", "Replace...")
    yield from choose_file(driver, file)
    if len(driver.screen.shapes()) != count_before:
        raise MacroError(f"expected {file!r} to replace {shape!r} without adding a shape")


def crop(
    driver: Driver,
    slide: Position,
    shape: Shape,
    left_cm: float | None = None,
    right_cm: float | None = None,
    top_cm: float | None = None,
    bottom_cm: float | None = None,
) -> Steps[None]:
    """Crop a picture by lengths of its original size; its scale stays."""
    yield from select_shape(driver, slide, shape)
    yield from choose_menu(driver, "Format", "Image", "Crop Dialog...")
    dialog = yield from await_dialog(driver, _CROP_DIALOG)
    keep_scale = driver.screen.first("radio button", "Keep scale", dialog)
    if keep_scale is None or "checked" not in keep_scale["states"]:
        raise MacroError("expected the choice 'Keep scale' in the dialog 'Crop'")
    sides = (("Left", left_cm), ("Right", right_cm), ("Top", top_cm), ("Bottom", bottom_cm))
    for label, value in sides:
        if value is not None:
            yield from fill_length(driver, _CROP_DIALOG, "Crop", label, value)
    yield from press(driver, _CROP_DIALOG)


def picture_color(
    driver: Driver,
    slide: Position,
    shape: Shape,
    mode: Literal["color", "gray", "black_and_white", "watermark"],
) -> Steps[None]:
    """Set the color mode of a picture: color, grayscale, black and white, or watermark."""
    yield from select_shape(driver, slide, shape)
    yield from open_section(driver, "Image")
    mode_list = yield from driver.wait_for(
        _color_mode_list, f"the list {_COLOR_MODE!r} in the sidebar"
    )
    yield from driver.click(mode_list)
    entry = yield from driver.wait_for(
        lambda screen: screen.first(
            ("table cell", "menu item"), _COLOR_MODES[mode], test=lambda node: bool(node["element"])
        ),
        f"the entry {_COLOR_MODES[mode]!r} in the list {_COLOR_MODE!r}",
    )
    yield from driver.click(entry)


def _color_mode_list(screen: Screen) -> NodeJson | None:
    page = screen.first("panel", "Properties")
    if page is None:
        return None
    return screen.first(
        "combo box",
        within=page,
        test=lambda node: normalize(node["name"]) == normalize(_COLOR_MODE),
    )
