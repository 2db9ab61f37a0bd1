"""Macros for charts: each opens the chart, uses one of its dialogs, and closes the chart."""

from typing import Literal

from pptarena.agents.macros.arguments import Color, Position, Shape, Text
from pptarena.agents.macros.driver import Driver, Steps
from pptarena.agents.macros.formatting import choose_solid_color
from pptarena.agents.macros.menus import (
    await_dialog,
    choose_menu,
    fill,
    open_tab,
    press,
    set_checked,
)
from pptarena.agents.macros.screen import NodeJson, Screen, normalize
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
_ELEMENT_LIST = "Select Chart Element"
_MAX_ESCAPES = 4
_FIELDS = (("title", None, "Title"), ("x_axis", "Axes", "X axis"), ("y_axis", "Axes", "Y axis"))


def chart_titles(
    driver: Driver,
    slide: Position,
    shape: Shape,
    title: str | None = None,
    x_axis: str | None = None,
    y_axis: str | None = None,
) -> Steps[None]:
    """Set the titles of a chart and its axes; an empty text removes a title."""
    yield from _open_chart(driver, slide, shape)
    yield from choose_menu(driver, "Insert", "Titles...")
    texts = {"title": title, "x_axis": x_axis, "y_axis": y_axis}
    for name, panel, label in _FIELDS:
        if (text := texts[name]) is not None:
            yield from fill(driver, _TITLES, panel, label, text)
    yield from press(driver, _TITLES)
    yield from _close_chart(driver)


def chart_legend(
    driver: Driver,
    slide: Position,
    shape: Shape,
    side: Literal["left", "right", "top", "bottom", "none"],
) -> Steps[None]:
    """Move the legend to a side, or remove it."""
    yield from _open_chart(driver, slide, shape)
    yield from choose_menu(driver, "Insert", "Legend...")
    yield from await_dialog(driver, _LEGEND)
    yield from set_checked(driver, _LEGEND, "Display legend", side != "none")
    if side != "none":
        dialog = yield from await_dialog(driver, _LEGEND)
        button = driver.screen.first("radio button", side, dialog)
        if button is None:
            raise MacroError(f"expected a choice {side!r} in the dialog {_LEGEND!r}")
        yield from driver.click(button)
    yield from press(driver, _LEGEND)
    yield from _close_chart(driver)


def chart_labels(driver: Driver, slide: Position, shape: Shape) -> Steps[None]:
    """Show the values of all series."""
    yield from _open_chart(driver, slide, shape)
    yield from choose_menu(driver, "Insert", "Data Labels...")
    yield from await_dialog(driver, _LABELS)
    yield from set_checked(driver, _LABELS, "Value as number", True)
    yield from press(driver, _LABELS)
    yield from _close_chart(driver)


def chart_type(
    driver: Driver, slide: Position, shape: Shape, type: Literal["column", "bar"]
) -> Steps[None]:
    """Change the type of a chart."""
    yield from _open_chart(driver, slide, shape)
    yield from choose_menu(driver, "Format", "Chart Type...")
    dialog = yield from await_dialog(driver, _TYPE)
    type_list = driver.screen.first("tree table", within=dialog)
    cell = None if type_list is None else driver.screen.first("table cell", type, type_list)
    if cell is None:
        raise MacroError(f"expected a type {type!r} in the dialog {_TYPE!r}")
    yield from driver.click(cell)
    yield from press(driver, _TYPE)
    yield from _close_chart(driver)


def chart_value(
    driver: Driver, slide: Position, shape: Shape, series: Text, row: Position, value: float
) -> Steps[None]:
    """Set the value of a series in a row of the chart's data; rows are 1-based."""
    yield from _open_data(driver, slide, shape, series, row)
    yield from driver.type(f"{value:g}")
    yield from driver.key("Tab")
    yield from press(driver, _DATA, "Close")
    yield from _close_chart(driver)


def chart_axis(
    driver: Driver,
    slide: Position,
    shape: Shape,
    axis: Literal["x", "y"],
    minimum: float | None = None,
    maximum: float | None = None,
) -> Steps[None]:
    """Set minimum and maximum of an axis."""
    dialog = f"{axis.upper()} Axis"
    yield from _open_chart(driver, slide, shape)
    yield from choose_menu(driver, "Format", "Axis", f"{dialog}...")
    yield from open_tab(driver, "Scale", dialog)
    for label, value in (("Minimum", minimum), ("Maximum", maximum)):
        if value is not None:
            yield from _clear_automatic(driver, dialog, label)
            field = yield from fill(driver, dialog, None, label, f"{value:g}")
            if field["text"] != f"{value:g}":
                raise MacroError(f"expected {value:g} in {label!r}, got {field['text']!r}")
    yield from press(driver, dialog)
    yield from _close_chart(driver)


def _clear_automatic(driver: Driver, dialog: str, label: str) -> Steps[None]:
    """Clear the check box "Automatic" in the row of a label."""

    def find_check_box(screen: Screen) -> NodeJson | None:
        dialog_node = screen.dialog(dialog)
        return (
            None
            if dialog_node is None
            else screen.labeled_control(label, dialog_node, ("check box",))
        )

    check_box = yield from driver.wait_for(find_check_box, f"the box 'Automatic' of {label!r}")
    if "checked" in check_box["states"]:
        yield from driver.click(check_box)


def insert_series(
    driver: Driver, slide: Position, shape: Shape, series: Text, values: list[float], after: Text
) -> Steps[None]:
    """Insert a series after another one."""
    yield from _open_data(driver, slide, shape, after, 1)
    names_before = _series_names(driver.screen)
    yield from press(driver, _DATA, "Insert Series", closes=False)
    yield from driver.wait_for(
        lambda screen: len(_series_names(screen)) > len(names_before), "one series more"
    )
    new_index = names_before.index(normalize(after)) + 1
    yield from driver.click(_name_fields(driver.screen)[new_index])
    yield from driver.key("ctrl+a")
    yield from driver.type(series)
    yield from press(driver, _DATA, "Close")
    yield from _close_chart(driver)
    # After reopening, the cursor is in a cell, not in the name field.
    yield from _open_data(driver, slide, shape, series, 1)
    for value in values:
        yield from driver.type(f"{value:g}")
        yield from driver.key("Down")
    yield from press(driver, _DATA, "Close")
    yield from _close_chart(driver)


def remove_series(driver: Driver, slide: Position, shape: Shape, series: Text) -> Steps[None]:
    """Remove a series from a chart."""
    yield from _open_data(driver, slide, shape, series, 1)
    count_before = len(_series_names(driver.screen))
    yield from press(driver, _DATA, "Delete Series", closes=False)
    yield from driver.wait_for(
        lambda screen: len(_series_names(screen)) < count_before, "one series fewer"
    )
    yield from press(driver, _DATA, "Close")
    yield from _close_chart(driver)


def series_color(
    driver: Driver, slide: Position, shape: Shape, series: Text, color: Color
) -> Steps[None]:
    """Fill a series with a color."""
    yield from _open_chart(driver, slide, shape)
    element_list = yield from driver.wait_for(
        lambda screen: screen.first("panel", _ELEMENT_LIST), "the list of the chart's elements"
    )
    yield from driver.click(element_list)
    target = normalize(f"Data Series '{series}'")
    entry = yield from driver.wait_for(
        lambda screen: screen.first(
            ("table cell", "menu item"), test=lambda node: normalize(node["name"]) == target
        ),
        f"the series {series!r} in the list of the chart's elements",
    )
    yield from driver.click(entry)
    yield from choose_menu(driver, "Format", "Format Selection...")
    box = yield from await_dialog(driver)
    yield from open_tab(driver, "Area", box["name"])
    yield from choose_solid_color(driver, box["name"], color)
    yield from _close_chart(driver)


def _open_chart(driver: Driver, slide: int, shape: str) -> Steps[None]:
    """Open a chart, so that the menu bar shows the chart's menus."""
    yield from select_shape(driver, slide, shape)
    yield from driver.key("Return")
    yield from driver.wait_for(_is_open, f"the chart {shape!r} of slide {slide} to open")


def _is_open(screen: Screen) -> bool:
    return screen.first("menu", "Slide Show") is None and screen.first("menu", "Insert") is not None


def _close_chart(driver: Driver) -> Steps[None]:
    for _ in range(_MAX_ESCAPES):
        if not _is_open(driver.screen):
            return
        yield from driver.key("Escape")
    raise MacroError("expected the chart to close with Escape")


def _open_data(driver: Driver, slide: int, shape: str, series: str, row: int) -> Steps[None]:
    """Open a chart's data with the cursor in a cell; the first column contains the categories."""
    yield from _open_chart(driver, slide, shape)
    yield from choose_menu(driver, "View", "Data Table...")
    yield from await_dialog(driver, _DATA)
    names = _series_names(driver.screen)
    if names.count(normalize(series)) != 1:
        raise MacroError(f"expected exactly one series {series!r} in the data, found {names}")
    yield from driver.key("Tab", names.index(normalize(series)) + 1)
    yield from driver.key("Down", row - 1)


def _series_names(screen: Screen) -> list[str]:
    """Return the names of the series above the data columns, from left to right."""
    return [normalize(node["text"]) for node in _name_fields(screen)]


def _name_fields(screen: Screen) -> list[NodeJson]:
    """Return the name fields of the series, from left to right."""
    dialog = screen.dialog(_DATA)
    fields = [] if dialog is None else screen.all("text", within=dialog)
    return sorted(fields, key=lambda node: float(node["box"][0]))
