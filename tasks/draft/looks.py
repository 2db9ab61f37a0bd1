"""Leaves for formatting and geometry: characters, fills, positions, pictures, charts."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pptarena.decks import Bullet, Line, Paint, Series
from pptarena.decks.diff.change import Change
from pptarena.tasks.draft.leaf import Leaf, Seen

__all__ = ["chart_leaves", "format_leaves", "picture_leaves", "place_leaves", "style_leaves"]

_CELL = re.compile(r"row (\d+) column (\d+) (.+)")
_SERIES = re.compile(r"series (\d+) values")
_LEGENDS = {"r": "right", "l": "left", "t": "top", "b": "bottom", "tr": "corner", "": "none"}
_RUN: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "bold": ("bold", bool),
    "italic": ("italic", bool),
    "underline": ("underline", lambda value: value != "none"),
    "strike": ("strike", bool),
    "size": ("size_pt", float),
    "color": ("color", str),
    "font": ("font", str),
}
_FRAME = {
    "anchor": "anchor", "columns": "columns", "wrap": "wrap", "vertical": "vertical",
    "autofit": "autofit",
}  # fmt: skip
_ADJUSTED = {
    "brightness": "brightness_pct", "contrast": "contrast_pct", "opacity": "opacity_pct",
    "recolor": "recolor",
}  # fmt: skip
_SIDES = ("left_pct", "top_pct", "right_pct", "bottom_pct")


def format_leaves(seen: Seen, changes: Sequence[Change]) -> Iterator[Leaf]:
    """Yield leaves for character and paragraph formatting; each covers some of the changes."""
    run: dict[str, Any] = {}
    words: set[str] = set()
    for change in changes:
        cell = _CELL.fullmatch(change.what)
        what = change.what if cell is None else cell[3]
        at = seen.at if cell is None else {**seen.at, "row": int(cell[1]), "column": int(cell[2])}
        if what in _FRAME and not isinstance(change.value_after, tuple):
            check = "text_frame_is" if cell is None else "table_cell_format"
            yield Leaf(check, {**at, _FRAME[what]: change.value_after})
            continue
        values = _values(change)
        if len(values) != 1:
            continue
        value, texts = values[0], _texts(change)
        if what in _RUN:
            name, plain = _RUN[what]
            if cell is not None:
                yield Leaf("table_cell_format", {**at, name: plain(value)})
            else:
                run[name] = plain(value)
                words |= texts
                yield from _for_texts("run_format", {**at, name: plain(value)}, texts)
        elif cell is not None and what == "align":
            yield Leaf("table_cell_format", {**at, "align": value})
        else:
            for check, args in _of_paragraph(what, value):
                yield from _for_texts(check, {**at, **args}, texts)
    if len(run) > 1:
        yield from _for_texts("run_format", {**seen.at, **run}, words)


def _of_paragraph(what: str, value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    if what == "align":
        yield "paragraph_alignment", {"align": value}
    elif what == "level":
        yield "paragraph_level", {"level": value}
    elif what == "line spacing" and isinstance(value, int | float):
        yield "line_spacing", {"percent": value}
    elif what in ("space before", "space after"):
        yield "paragraph_spacing", {f"{what.removeprefix('space ')}_pt": value}
    elif isinstance(value, Bullet):
        if value.kind == "char":
            yield "paragraph_bullet", {"bullet": "char", "char": value.char}
        if value.kind in ("none", "char", "number"):
            yield "paragraph_bullet", {"bullet": value.kind}


def _for_texts(check: str, args: dict[str, Any], texts: set[str]) -> Iterator[Leaf]:
    """Yield the leaf for all text of the shape, then for the text with changed formatting."""
    yield Leaf(check, args)
    for text in texts if len(texts) == 1 else ():
        yield Leaf(check, {**args, "text": text.strip()})


def _values(change: Change) -> list[Any]:
    found: list[Any] = []
    pairs = change.value_after if isinstance(change.value_after, tuple) else ()
    for each in pairs:
        if not isinstance(each, tuple) or len(each) != 2:
            return []
        if each[1] not in found:
            found.append(each[1])
    return found


def _texts(change: Change) -> set[str]:
    pairs = change.value_after if isinstance(change.value_after, tuple) else ()
    return {str(each[0]) for each in pairs}


def style_leaves(seen: Seen, change: Change) -> Iterator[Leaf]:
    """Yield leaves for a fill, an outline or a geometry."""
    value = change.value_after
    cell = _CELL.fullmatch(change.what)
    if cell is not None:
        if isinstance(value, Paint) and cell[3] == "fill":
            at = {**seen.at, "row": int(cell[1]), "column": int(cell[2])}
            yield Leaf("table_cell_format", {**at, "fill": value.color or "none"})
        return
    if isinstance(value, Paint) and change.what == "fill":
        if value.kind == "solid" and value.color and value.opacity_pct == 100:
            yield Leaf("shape_fill_color", {**seen.at, "color": value.color})
        color = {"colors": [value.color]} if value.color else {}
        opacity = {"opacity_pct": value.opacity_pct} if value.opacity_pct != 100 else {}
        yield Leaf("shape_fill_is", {**seen.at, "kind": value.kind, **color, **opacity})
    elif isinstance(value, Line) and isinstance(change.value_before, Line):
        yield from _line_leaves(seen, change.value_before, value)
    elif change.what == "outline" and isinstance(value, str):
        yield Leaf("shape_geometry_is", {**seen.at, "geometry": value})


def _line_leaves(seen: Seen, old: Line, new: Line) -> Iterator[Leaf]:
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
        yield Leaf("shape_line", {**seen.at, **args})


def place_leaves(seen: Seen, change: Change) -> Iterator[Leaf]:
    """Yield leaves for the position, size and rotation of a shape."""
    value = change.value_after
    if change.what == "rotation":
        yield Leaf("shape_rotation", {**seen.at, "degrees": value})
    elif isinstance(value, tuple) and len(value) == 2:
        first, second = value
        if change.what == "place":
            yield Leaf("shape_position", {**seen.at, "left_emu": first, "top_emu": second})
        elif change.what == "size":
            yield Leaf("shape_size", {**seen.at, "width_emu": first, "height_emu": second})
        elif change.what == "flip":
            yield Leaf("shape_flipped", {**seen.at, "horizontal": first, "vertical": second})


def picture_leaves(seen: Seen, change: Change) -> Iterator[Leaf]:
    """Yield leaves for a replaced, cropped or recolored picture."""
    value = change.value_after
    if change.what == "picture":
        yield Leaf("picture_replaced", {**seen.at, "sha256": value})
    elif change.what == "crop" and isinstance(value, tuple):
        yield Leaf("picture_cropped", {**seen.at, **dict(zip(_SIDES, value, strict=True))})
    elif change.what in _ADJUSTED:
        yield Leaf("picture_adjusted", {**seen.at, _ADJUSTED[change.what]: value})


def chart_leaves(seen: Seen, change: Change) -> Iterator[Leaf]:
    """Yield leaves for a chart's title, type, legend or data."""
    value = change.value_after
    series = _SERIES.fullmatch(change.what)
    if change.what == "title" and isinstance(value, str) and value:
        yield Leaf("chart_title_is", {**seen.at, "text": value})
    elif change.what == "type":
        yield Leaf("chart_type_is", {**seen.at, "type": value})
    elif change.what == "legend" and value in _LEGENDS:
        yield Leaf("chart_legend_is", {**seen.at, "position": _LEGENDS[str(value)]})
    elif series is not None and isinstance(value, tuple) and seen.shape is not None:
        chart = seen.shape.chart
        at = int(series[1]) - 1
        if chart is not None and at < len(chart.series):
            name = chart.series[at].name
            yield Leaf("chart_has_series", {**seen.at, "series": name, "values": list(value)})
    elif isinstance(value, Series) and change.value_before is None:
        found = {"series": value.name, "values": list(value.values)}
        yield Leaf("chart_has_series", {**seen.at, **found})
    elif isinstance(change.value_before, Series) and value is None:
        yield Leaf("chart_lacks_series", {**seen.at, "series": change.value_before.name})
