"""Macros for the position, size and rotation of shapes."""

import re

from pptarena.agents.macros.arguments import Position, Shape, Size
from pptarena.agents.macros.driver import Driver, Steps
from pptarena.agents.macros.menus import fill, open_tab, press, set_checked
from pptarena.agents.macros.shapes import select_shape
from pptarena.errors import MacroError

__all__ = ["fill_length", "position", "resize", "rotate", "set_position_and_size"]

_DIALOG = "Position and Size"
_TOLERANCE_CM = 0.03  # fields truncate to hundredths of an inch
_TOLERANCE_DEG = 0.05
_CM_PER_UNIT = {"cm": 1.0, "mm": 0.1, '"': 2.54, "″": 2.54, "in": 2.54, "pt": 2.54 / 72}
_LENGTH = re.compile(r"(-?[0-9]+(?:[.,][0-9]+)?)\s*(cm|mm|\"|″|in|pt)")


def resize(
    driver: Driver,
    slide: Position,
    shape: Shape,
    width_cm: Size | None = None,
    height_cm: Size | None = None,
    keep_ratio: bool = False,
) -> Steps[None]:
    """Resize a shape; its top left corner stays."""
    yield from _open_dialog(driver, slide, shape)
    yield from set_checked(driver, _DIALOG, "Keep Ratio", keep_ratio)
    for label, value in (("Width", width_cm), ("Height", height_cm)):
        if value is not None:
            yield from fill_length(driver, _DIALOG, "Size", label, value)
    yield from press(driver, _DIALOG)


def position(
    driver: Driver,
    slide: Position,
    shape: Shape,
    left_cm: float | None = None,
    top_cm: float | None = None,
) -> Steps[None]:
    """Move a shape's top left corner."""
    yield from _open_dialog(driver, slide, shape)
    for label, value in (("Position X", left_cm), ("Position Y", top_cm)):
        if value is not None:
            yield from fill_length(driver, _DIALOG, "Position", label, value)
    yield from press(driver, _DIALOG)


def set_position_and_size(
    driver: Driver, left_cm: float, top_cm: float, width_cm: float, height_cm: float
) -> Steps[None]:
    """Set position and size of the selected shape."""
    yield from driver.key("F4")
    yield from open_tab(driver, _DIALOG, _DIALOG)
    yield from set_checked(driver, _DIALOG, "Keep Ratio", False)
    for panel, label, value in (
        ("Size", "Width", width_cm),
        ("Size", "Height", height_cm),
        ("Position", "Position X", left_cm),
        ("Position", "Position Y", top_cm),
    ):
        yield from fill_length(driver, _DIALOG, panel, label, value)
    yield from press(driver, _DIALOG)


def rotate(driver: Driver, slide: Position, shape: Shape, degrees: float) -> Steps[None]:
    """Rotate a shape clockwise from upright; the dialog counts counterclockwise."""
    yield from _open_dialog(driver, slide, shape, "Rotation")
    angle = -degrees % 360
    field = yield from fill(driver, _DIALOG, "Rotation Angle", "Angle", f"{angle:g}")
    shown_angle = re.search(r"[0-9]+(?:[.,][0-9]+)?", field["text"])
    if shown_angle is None or abs(float(shown_angle[0].replace(",", ".")) - angle) > _TOLERANCE_DEG:
        raise MacroError(f"expected {angle:g} degrees in the field 'Angle', got {field['text']!r}")
    yield from press(driver, _DIALOG)


def _open_dialog(driver: Driver, slide: int, shape: str, tab: str = _DIALOG) -> Steps[None]:
    """Open the dialog on a tab; the application opens it on the last tab used."""
    yield from select_shape(driver, slide, shape)
    yield from driver.key("F4")
    yield from open_tab(driver, tab, _DIALOG)


def fill_length(
    driver: Driver, dialog: str, panel: str, label: str, value_cm: float
) -> Steps[None]:
    """Enter a length in a field of a dialog; the field displays it in its own unit."""
    field = yield from fill(driver, dialog, panel, label, f"{value_cm:g} cm")
    match = _LENGTH.search(field["text"])
    shown_cm = None if match is None else float(match[1].replace(",", ".")) * _CM_PER_UNIT[match[2]]
    if shown_cm is None or abs(shown_cm - value_cm) > _TOLERANCE_CM:
        raise MacroError(f"expected {value_cm:g} cm in the field {label!r}, got {field['text']!r}")
