"""Macros for the position, size and rotation of shapes."""

import re

from pptarena.agents.macros.arguments import Position, Shape, Size
from pptarena.agents.macros.desk import Desk, Play
from pptarena.agents.macros.menus import fill, open_tab, press, set_flag
from pptarena.agents.macros.shapes import select_shape
from pptarena.errors import MacroError

__all__ = ["fill_length", "place_exactly", "position", "resize", "rotate"]

_DIALOG = "Position and Size"
_TOLERANCE_CM = 0.03  # fields show hundredths of an inch, truncated
_TOLERANCE_DEG = 0.05
_CM = {"cm": 1.0, "mm": 0.1, '"': 2.54, "″": 2.54, "in": 2.54, "pt": 2.54 / 72}
_LENGTH = re.compile(r"(-?[0-9]+(?:[.,][0-9]+)?)\s*(cm|mm|\"|″|in|pt)")


def resize(
    desk: Desk,
    slide: Position,
    shape: Shape,
    width_cm: Size | None = None,
    height_cm: Size | None = None,
    keep_ratio: bool = False,
) -> Play[None]:
    """Resize a shape; its top left corner stays."""
    yield from _open(desk, slide, shape)
    yield from set_flag(desk, _DIALOG, "Keep Ratio", keep_ratio)
    for label, value in (("Width", width_cm), ("Height", height_cm)):
        if value is not None:
            yield from fill_length(desk, _DIALOG, "Size", label, value)
    yield from press(desk, _DIALOG)


def position(
    desk: Desk,
    slide: Position,
    shape: Shape,
    left_cm: float | None = None,
    top_cm: float | None = None,
) -> Play[None]:
    """Move a shape's top left corner."""
    yield from _open(desk, slide, shape)
    for label, value in (("Position X", left_cm), ("Position Y", top_cm)):
        if value is not None:
            yield from fill_length(desk, _DIALOG, "Position", label, value)
    yield from press(desk, _DIALOG)


def place_exactly(
    desk: Desk, left_cm: float, top_cm: float, width_cm: float, height_cm: float
) -> Play[None]:
    """Set position and size of the selected shape."""
    yield from desk.key("F4")
    yield from open_tab(desk, _DIALOG, _DIALOG)
    yield from set_flag(desk, _DIALOG, "Keep Ratio", False)
    for panel, label, value in (
        ("Size", "Width", width_cm),
        ("Size", "Height", height_cm),
        ("Position", "Position X", left_cm),
        ("Position", "Position Y", top_cm),
    ):
        yield from fill_length(desk, _DIALOG, panel, label, value)
    yield from press(desk, _DIALOG)


def rotate(desk: Desk, slide: Position, shape: Shape, degrees: float) -> Play[None]:
    """Rotate a shape clockwise from upright; the dialog counts counterclockwise."""
    yield from _open(desk, slide, shape, "Rotation")
    angle = -degrees % 360
    field = yield from fill(desk, _DIALOG, "Rotation Angle", "Angle", f"{angle:g}")
    got = re.search(r"[0-9]+(?:[.,][0-9]+)?", field["text"])
    if got is None or abs(float(got[0].replace(",", ".")) - angle) > _TOLERANCE_DEG:
        raise MacroError(f"expected {angle:g} degrees in the field 'Angle', got {field['text']!r}")
    yield from press(desk, _DIALOG)


def _open(desk: Desk, slide: int, shape: str, tab: str = _DIALOG) -> Play[None]:
    """Open the dialog on a tab; by default it opens on the last one used."""
    yield from select_shape(desk, slide, shape)
    yield from desk.key("F4")
    yield from open_tab(desk, tab, _DIALOG)


def fill_length(desk: Desk, dialog: str, panel: str, label: str, value_cm: float) -> Play[None]:
    """Enter a length in a field of a dialog; the field displays it in its own unit."""
    field = yield from fill(desk, dialog, panel, label, f"{value_cm:g} cm")
    match = _LENGTH.search(field["text"])
    got = None if match is None else float(match[1].replace(",", ".")) * _CM[match[2]]
    if got is None or abs(got - value_cm) > _TOLERANCE_CM:
        raise MacroError(f"expected {value_cm:g} cm in the field {label!r}, got {field['text']!r}")
