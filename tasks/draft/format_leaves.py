"""Leaves for formatting and geometry: characters, fills, positions, pictures, charts."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pptarena.decks import Bullet, Line, Paint, Series
from pptarena.decks.diff.change import Change
from pptarena.tasks.draft.leaf import Leaf, PartContext

__all__ = ["chart_leaves", "format_leaves", "geometry_leaves", "picture_leaves", "style_leaves"]

_CELL = re.compile(r"row (\d+) column (\d+) (.+)")
_SERIES = re.compile(r"series (\d+) values")
_LEGEND_POSITIONS = {
    "r": "right",
    "l": "left",
    "t": "top",
    "b": "bottom",
    "tr": "corner",
    "": "none",
}
_RUN_ARGUMENTS: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "bold": ("bold", bool),
    "italic": ("italic", bool),
    "underline": ("underline", lambda value: value != "none"),
    "strike": ("strike", bool),
    "size": ("size_pt", float),
    "color": ("color", str),
    "font": ("font", str),
}
_FRAME_ARGUMENTS = {
    "anchor": "anchor", "columns": "columns", "wrap": "wrap", "vertical": "vertical",
    "autofit": "autofit",
}  # fmt: skip
_ADJUSTMENT_ARGUMENTS = {
    "brightness": "brightness_pct", "contrast": "contrast_pct", "opacity": "opacity_pct",
    "recolor": "recolor",
}  # fmt: skip
_SIDES = ("left_pct", "top_pct", "right_pct", "bottom_pct")


def format_leaves(context: PartContext, changes: Sequence[Change]) -> Iterator[Leaf]:
    """Yield leaves for character and paragraph formatting; each covers some of the changes."""
    run_arguments: dict[str, Any] = {}
    run_texts: set[str] = set()
    for change in changes:
        cell = _CELL.fullmatch(change.what)
        property_name = change.what if cell is None else cell[3]
        at = (
            context.at
            if cell is None
            else {**context.at, "row": int(cell[1]), "column": int(cell[2])}
        )
        if property_name in _FRAME_ARGUMENTS and not isinstance(change.value_after, tuple):
            check = "text_frame_is" if cell is None else "table_cell_format"
            yield Leaf(check, {**at, _FRAME_ARGUMENTS[property_name]: change.value_after})
            continue
        values = _values(change)
        if len(values) != 1:
            continue
        value, texts = values[0], _texts(change)
        if property_name in _RUN_ARGUMENTS:
            name, convert = _RUN_ARGUMENTS[property_name]
            if cell is not None:
                yield Leaf("table_cell_format", {**at, name: convert(value)})
            else:
                run_arguments[name] = convert(value)
                run_texts |= texts
                yield from _leaves_for_texts("run_format", {**at, name: convert(value)}, texts)
        elif cell is not None and property_name == "align":
            yield Leaf("table_cell_format", {**at, "align": value})
        else:
            for check, args in _paragraph_checks(property_name, value):
                yield from _leaves_for_texts(check, {**at, **args}, texts)
    if len(run_arguments) > 1:
        yield from _leaves_for_texts("run_format", {**context.at, **run_arguments}, run_texts)


def _paragraph_checks(property_name: str, value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    if property_name == "align":
        yield "paragraph_alignment", {"align": value}
    elif property_name == "level":
        yield "paragraph_level", {"level": value}
    elif property_name == "line spacing" and isinstance(value, int | float):
        yield "line_spacing", {"percent": value}
    elif property_name in ("space before", "space after"):
        yield "paragraph_spacing", {f"{property_name.removeprefix('space ')}_pt": value}
    elif isinstance(value, Bullet):
        if value.kind == "char":
            yield "paragraph_bullet", {"bullet": "char", "char": value.char}
        if value.kind in ("none", "char", "number"):
            yield "paragraph_bullet", {"bullet": value.kind}


def _leaves_for_texts(check: str, args: dict[str, Any], texts: set[str]) -> Iterator[Leaf]:
    """Yield the leaf for all text of the shape, then for the text with changed formatting."""
    yield Leaf(check, args)
    for text in texts if len(texts) == 1 else ():
        yield Leaf(check, {**args, "text": text.strip()})


def _values(change: Change) -> list[Any]:
    values: list[Any] = []
    pairs = change.value_after if isinstance(change.value_after, tuple) else ()
    for each in pairs:
        if not isinstance(each, tuple) or len(each) != 2:
            return []
        if each[1] not in values:
            values.append(each[1])
    return values


def _texts(change: Change) -> set[str]:
    pairs = change.value_after if isinstance(change.value_after, tuple) else ()
    return {str(each[0]) for each in pairs}


def style_leaves(context: PartContext, change: Change) -> Iterator[Leaf]:
    """Yield leaves for a fill, an outline or a geometry."""
    value = change.value_after
    cell = _CELL.fullmatch(change.what)
    if cell is not None:
        if isinstance(value, Paint) and cell[3] == "fill":
            at = {**context.at, "row": int(cell[1]), "column": int(cell[2])}
            yield Leaf("table_cell_format", {**at, "fill": value.color or "none"})
        return
    if isinstance(value, Paint) and change.what == "fill":
        if value.kind == "solid" and value.color and value.opacity_pct == 100:
            yield Leaf("shape_fill_color", {**context.at, "color": value.color})
        color = {"colors": [value.color]} if value.color else {}
        opacity = {"opacity_pct": value.opacity_pct} if value.opacity_pct != 100 else {}
        yield Leaf("shape_fill_is", {**context.at, "kind": value.kind, **color, **opacity})
    elif isinstance(value, Line) and isinstance(change.value_before, Line):
        yield from _line_leaves(context, change.value_before, value)
    elif change.what == "outline" and isinstance(value, str):
        yield Leaf("shape_geometry_is", {**context.at, "geometry": value})


def _line_leaves(context: PartContext, old: Line, new: Line) -> Iterator[Leaf]:
    args: dict[str, Any] = {}
    if new.paint.kind == "none":
        args["color"] = "none"
    elif new.paint.color and new.paint != old.paint:
        args["color"] = new.paint.color
    if new.width_pt != old.width_pt and new.paint.kind != "none":
        args["width_pt"] = new.width_pt
    if new.dash != old.dash:
        args["dash"] = new.dash
    if args and (new.ends, new.detail) == (old.ends, old.detail):
        yield Leaf("shape_line", {**context.at, **args})


def geometry_leaves(context: PartContext, change: Change) -> Iterator[Leaf]:
    """Yield leaves for the position, size and rotation of a shape."""
    value = change.value_after
    if change.what == "rotation":
        yield Leaf("shape_rotation", {**context.at, "degrees": value})
    elif isinstance(value, tuple) and len(value) == 2:
        first, second = value
        if change.what == "place":
            yield Leaf("shape_position", {**context.at, "left_emu": first, "top_emu": second})
        elif change.what == "size":
            yield Leaf("shape_size", {**context.at, "width_emu": first, "height_emu": second})
        elif change.what == "flip":
            yield Leaf("shape_flipped", {**context.at, "horizontal": first, "vertical": second})


def picture_leaves(context: PartContext, change: Change) -> Iterator[Leaf]:
    """Yield leaves for a replaced, cropped or recolored picture."""
    value = change.value_after
    if change.what == "picture":
        yield Leaf("picture_replaced", {**context.at, "sha256": value})
    elif change.what == "crop" and isinstance(value, tuple):
        yield Leaf("picture_cropped", {**context.at, **dict(zip(_SIDES, value, strict=True))})
    elif change.what in _ADJUSTMENT_ARGUMENTS:
        yield Leaf("picture_adjusted", {**context.at, _ADJUSTMENT_ARGUMENTS[change.what]: value})


def chart_leaves(context: PartContext, change: Change) -> Iterator[Leaf]:
    """Yield leaves for a chart's title, type, legend or data."""
    value = change.value_after
    series = _SERIES.fullmatch(change.what)
    if change.what == "title" and isinstance(value, str) and value:
        yield Leaf("chart_title_is", {**context.at, "text": value})
    elif change.what == "type":
        yield Leaf("chart_type_is", {**context.at, "type": value})
    elif change.what == "legend" and value in _LEGEND_POSITIONS:
        yield Leaf("chart_legend_is", {**context.at, "position": _LEGEND_POSITIONS[str(value)]})
    elif series is not None and isinstance(value, tuple) and context.shape is not None:
        chart = context.shape.chart
        index = int(series[1]) - 1
        if chart is not None and index < len(chart.series):
            name = chart.series[index].name
            yield Leaf("chart_has_series", {**context.at, "series": name, "values": list(value)})
    elif isinstance(value, Series) and change.value_before is None:
        args = {"series": value.name, "values": list(value.values)}
        yield Leaf("chart_has_series", {**context.at, **args})
    elif isinstance(change.value_before, Series) and value is None:
        yield Leaf("chart_lacks_series", {**context.at, "series": change.value_before.name})
