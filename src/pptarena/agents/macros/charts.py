"""Macros for charts: each opens the chart, uses one of its dialogs, and leaves the chart."""

from typing import Literal

from pptarena.agents.macros.arguments import Color, Position, Shape, Text
from pptarena.agents.macros.desk import Desk, Play
from pptarena.agents.macros.looks import plain_color
from pptarena.agents.macros.menus import await_dialog, choose, fill, open_tab, press, set_flag
from pptarena.agents.macros.screen import NodeJson, Screen, plain
from pptarena.agents.macros.shapes import select_shape
from pptarena.errors import MacroError

__all__ = [
    "chart_axis",
    "chart_labels",
    "chart_legend",
    "chart_titles",
    "chart_type",
    "chart_value",
    "insert_series",
    "remove_series",
    "series_color",
]

_TITLES, _LEGEND, _TYPE, _DATA = "Titles", "Legend", "Chart Type", "Data Table"
_LABELS = "Data Labels for all Data Series"
_PARTS = "Select Chart Element"
_ESCAPES = 4
_FIELDS = (("title", None, "Title"), ("x_axis", "Axes", "X axis"), ("y_axis", "Axes", "Y axis"))


def chart_titles(
    desk: Desk,
    slide: Position,
    shape: Shape,
    title: str | None = None,
    x_axis: str | None = None,
    y_axis: str | None = None,
) -> Play[None]:
    """Set the titles of a chart and its axes; an empty text removes a title."""
    yield from _open(desk, slide, shape)
    yield from choose(desk, "Insert", "Titles...")
    texts = {"title": title, "x_axis": x_axis, "y_axis": y_axis}
    for name, panel, label in _FIELDS:
        if (text := texts[name]) is not None:
            yield from fill(desk, _TITLES, panel, label, text)
    yield from press(desk, _TITLES)
    yield from _leave(desk)


def chart_legend(
    desk: Desk,
    slide: Position,
    shape: Shape,
    side: Literal["left", "right", "top", "bottom", "none"],
) -> Play[None]:
    """Move the legend to a side, or remove it."""
    yield from _open(desk, slide, shape)
    yield from choose(desk, "Insert", "Legend...")
    yield from await_dialog(desk, _LEGEND)
    yield from set_flag(desk, _LEGEND, "Display legend", side != "none")
    if side != "none":
        box = yield from await_dialog(desk, _LEGEND)
        button = desk.screen.first("radio button", side, box)
        if button is None:
            raise MacroError(f"expected a choice {side!r} in the dialog {_LEGEND!r}")
        yield from desk.click(button)
    yield from press(desk, _LEGEND)
    yield from _leave(desk)


def chart_labels(desk: Desk, slide: Position, shape: Shape) -> Play[None]:
    """Show the values of all series."""
    yield from _open(desk, slide, shape)
    yield from choose(desk, "Insert", "Data Labels...")
    yield from await_dialog(desk, _LABELS)
    yield from set_flag(desk, _LABELS, "Value as number", True)
    yield from press(desk, _LABELS)
    yield from _leave(desk)


def chart_type(
    desk: Desk, slide: Position, shape: Shape, type: Literal["column", "bar"]
) -> Play[None]:
    """Change the type of a chart."""
    yield from _open(desk, slide, shape)
    yield from choose(desk, "Format", "Chart Type...")
    box = yield from await_dialog(desk, _TYPE)
    kinds = desk.screen.first("tree table", within=box)
    cell = None if kinds is None else desk.screen.first("table cell", type, kinds)
    if cell is None:
        raise MacroError(f"expected a type {type!r} in the dialog {_TYPE!r}")
    yield from desk.click(cell)
    yield from press(desk, _TYPE)
    yield from _leave(desk)


def chart_value(
    desk: Desk, slide: Position, shape: Shape, series: Text, row: Position, value: float
) -> Play[None]:
    """Set the value of a series in a row of the chart's data; rows are 1-based."""
    yield from _open_data(desk, slide, shape, series, row)
    yield from desk.type(f"{value:g}")
    yield from desk.key("Tab")
    yield from press(desk, _DATA, "Close")
    yield from _leave(desk)


def chart_axis(
    desk: Desk,
    slide: Position,
    shape: Shape,
    axis: Literal["x", "y"],
    minimum: float | None = None,
    maximum: float | None = None,
) -> Play[None]:
    """Set minimum and maximum of an axis."""
    dialog = f"{axis.upper()} Axis"
    yield from _open(desk, slide, shape)
    yield from choose(desk, "Format", "Axis", f"{dialog}...")
    yield from open_tab(desk, "Scale", dialog)
    for label, value in (("Minimum", minimum), ("Maximum", maximum)):
        if value is not None:
            yield from _by_hand(desk, dialog, label)
            field = yield from fill(desk, dialog, None, label, f"{value:g}")
            if field["text"] != f"{value:g}":
                raise MacroError(f"expected {value:g} in {label!r}, got {field['text']!r}")
    yield from press(desk, dialog)
    yield from _leave(desk)


def _by_hand(desk: Desk, dialog: str, label: str) -> Play[None]:
    """Clear the check box "Automatic" in the row of a label."""

    def box(screen: Screen) -> NodeJson | None:
        place = screen.dialog(dialog)
        return None if place is None else screen.labelled(label, place, ("check box",))

    node = yield from desk.await_(box, f"the box 'Automatic' of {label!r}")
    if "checked" in node["states"]:
        yield from desk.click(node)


def insert_series(
    desk: Desk, slide: Position, shape: Shape, series: Text, values: list[float], after: Text
) -> Play[None]:
    """Insert a series after another one."""
    yield from _open_data(desk, slide, shape, after, 1)
    before = _series(desk.screen)
    yield from press(desk, _DATA, "Insert Series", closes=False)
    yield from desk.await_(lambda screen: len(_series(screen)) > len(before), "a series more")
    new = before.index(plain(after)) + 1
    yield from desk.click(_names(desk.screen)[new])
    yield from desk.key("ctrl+a")
    yield from desk.type(series)
    yield from press(desk, _DATA, "Close")
    yield from _leave(desk)
    # After reopening, the cursor is in a cell, not in the name field.
    yield from _open_data(desk, slide, shape, series, 1)
    for value in values:
        yield from desk.type(f"{value:g}")
        yield from desk.key("Down")
    yield from press(desk, _DATA, "Close")
    yield from _leave(desk)


def remove_series(desk: Desk, slide: Position, shape: Shape, series: Text) -> Play[None]:
    """Remove a series from a chart."""
    yield from _open_data(desk, slide, shape, series, 1)
    before = len(_series(desk.screen))
    yield from press(desk, _DATA, "Delete Series", closes=False)
    yield from desk.await_(lambda screen: len(_series(screen)) < before, "a series less")
    yield from press(desk, _DATA, "Close")
    yield from _leave(desk)


def series_color(
    desk: Desk, slide: Position, shape: Shape, series: Text, color: Color
) -> Play[None]:
    """Fill a series with a color."""
    yield from _open(desk, slide, shape)
    parts = yield from desk.await_(
        lambda screen: screen.first("panel", _PARTS), "the list of the chart's parts"
    )
    yield from desk.click(parts)
    wanted = plain(f"Data Series '{series}'")
    entry = yield from desk.await_(
        lambda screen: screen.first(
            ("table cell", "menu item"), test=lambda node: plain(node["name"]) == wanted
        ),
        f"the series {series!r} in the list of the chart's parts",
    )
    yield from desk.click(entry)
    yield from choose(desk, "Format", "Format Selection...")
    box = yield from await_dialog(desk)
    yield from open_tab(desk, "Area", box["name"])
    yield from plain_color(desk, box["name"], color)
    yield from _leave(desk)


def _open(desk: Desk, slide: int, shape: str) -> Play[None]:
    """Open a chart, so that the menu bar shows the chart's menus."""
    yield from select_shape(desk, slide, shape)
    yield from desk.key("Return")
    yield from desk.await_(_is_open, f"the chart {shape!r} of slide {slide} to open")


def _is_open(screen: Screen) -> bool:
    return screen.first("menu", "Slide Show") is None and screen.first("menu", "Insert") is not None


def _leave(desk: Desk) -> Play[None]:
    for _ in range(_ESCAPES):
        if not _is_open(desk.screen):
            return
        yield from desk.key("Escape")
    raise MacroError("expected the chart to close with Escape")


def _open_data(desk: Desk, slide: int, shape: str, series: str, row: int) -> Play[None]:
    """Open a chart's data with the cursor in a cell; the first column contains the categories."""
    yield from _open(desk, slide, shape)
    yield from choose(desk, "View", "Data Table...")
    yield from await_dialog(desk, _DATA)
    names = _series(desk.screen)
    if names.count(plain(series)) != 1:
        raise MacroError(f"expected one series {series!r} in the data, found {names}")
    yield from desk.key("Tab", names.index(plain(series)) + 1)
    yield from desk.key("Down", row - 1)


def _series(screen: Screen) -> list[str]:
    """Return the names of the series above the data columns, from left to right."""
    return [plain(node["text"]) for node in _names(screen)]


def _names(screen: Screen) -> list[NodeJson]:
    """Return the name fields of the series, from left to right."""
    box = screen.dialog(_DATA)
    fields = [] if box is None else screen.all("text", within=box)
    return sorted(fields, key=lambda node: float(node["box"][0]))
