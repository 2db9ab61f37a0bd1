"""The macros by name, and the execution of a list of them."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from pptarena.agents.macros import (
    animations,
    charts,
    drawing,
    formatting,
    geometry,
    layouts,
    menus,
    pictures,
    shapes,
    slides,
    tables,
    texts,
    themes,
    transitions,
)
from pptarena.agents.macros.driver import Driver, Steps
from pptarena.edits.signature import Signature
from pptarena.envs import actions
from pptarena.errors import MacroError
from pptarena.suggestions import not_found
from pptarena.tasks import MacroCall

__all__ = ["MACRO_FUNCTIONS", "bind_macro", "play_macros"]

Macro = Callable[..., Steps[Any]]


def next_turn(driver: Driver) -> Steps[None]:
    """End a turn that is not the last one of its task."""
    yield from driver.act(actions.done())


MACRO_FUNCTIONS: Mapping[str, Macro] = MappingProxyType({
    "show_slide": slides.show_slide,
    "select_shape": shapes.select_shape,
    "edit_text": texts.edit_text,
    "delete_paragraph": texts.delete_paragraph,
    "format_text": formatting.format_text,
    "typeface": formatting.typeface,
    "script": formatting.script,
    "paragraph_align": formatting.paragraph_align,
    "paragraph_direction": formatting.paragraph_direction,
    "paragraph_level": formatting.paragraph_level,
    "hide_slide": slides.hide_slide,
    "delete_slide": slides.delete_slide,
    "duplicate_slide": slides.duplicate_slide,
    "move_slide": slides.move_slide,
    "insert_slide": slides.insert_slide,
    "notes": texts.notes,
    "find_replace": texts.find_replace,
    "resize": geometry.resize,
    "position": geometry.position,
    "rotate": geometry.rotate,
    "insert_shape": drawing.insert_shape,
    "connector": drawing.connector,
    "insert_media": pictures.insert_media,
    "replace_picture": pictures.replace_picture,
    "crop": pictures.crop,
    "picture_color": pictures.picture_color,
    "outline": drawing.outline,
    "background": formatting.background,
    "delete_shape": shapes.delete_shape,
    "edit_cell": tables.edit_cell,
    "edit_cells": tables.edit_cells,
    "insert_table": tables.insert_table,
    "delete_column": tables.delete_column,
    "insert_row": tables.insert_row,
    "transition": transitions.transition,
    "advance": transitions.advance,
    "order": shapes.order,
    "slide_link": shapes.slide_link,
    "alt_text": shapes.alt_text,
    "fill_color": formatting.fill_color,
    "link": texts.link,
    "group": shapes.group,
    "animation": animations.animation,
    "remove_animation": animations.remove_animation,
    "chart_titles": charts.chart_titles,
    "chart_legend": charts.chart_legend,
    "chart_labels": charts.chart_labels,
    "chart_type": charts.chart_type,
    "chart_value": charts.chart_value,
    "chart_axis": charts.chart_axis,
    "insert_series": charts.insert_series,
    "remove_series": charts.remove_series,
    "series_color": charts.series_color,
    "theme_color": themes.theme_color,
    "change_layout": layouts.change_layout,
    "insert_layout_slide": layouts.insert_layout_slide,
    "slide_boxes": layouts.slide_boxes,
    "stamp_layout": layouts.stamp_layout,
    "next_turn": next_turn,
    "menu": menus.menu,
})  # fmt: skip
"""The implementation of each macro, called with the driver and its arguments."""


def play_macros(driver: Driver, calls: Iterable[MacroCall]) -> Steps[None]:
    """Execute macros one after the other; the first screen is sent to the generator.

    Raises:
        MacroError: If a macro is unknown, its arguments do not fit, or the screen is not in the
            state that it requires; the message starts with the macro's number and name.
    """
    bound_calls = [
        (call.name, bind_macro(call, number)) for number, call in enumerate(calls, start=1)
    ]
    for number, (name, arguments) in enumerate(bound_calls, start=1):
        try:
            yield from MACRO_FUNCTIONS[name](driver, **arguments)
            yield from driver.end_text_edit()
        except MacroError as error:
            raise MacroError(f"macro {number} ({name}): {error}") from error


def bind_macro(call: MacroCall, number: int = 1) -> dict[str, Any]:
    """Return the arguments of a macro by name, with defaults.

    Args:
        call: The macro.
        number: Its position in a task, from 1, for messages.

    Raises:
        MacroError: If the macro is unknown, or its arguments do not fit.
    """
    if call.name not in MACRO_FUNCTIONS:
        raise MacroError(f"macro {number}: {not_found('macro', call.name, MACRO_FUNCTIONS)}")
    try:
        return _signature(call.name).bind(json.dumps(dict(call.arguments)))
    except (TypeError, ValueError) as error:
        raise MacroError(f"macro {number}: {error}") from error


@cache
def _signature(name: str) -> Signature:
    return Signature(MACRO_FUNCTIONS[name])
