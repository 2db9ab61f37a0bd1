"""Differences of fills, lines, pictures, tables and charts."""

from collections.abc import Iterator

from pptarena.rewards.change import Aspect
from pptarena.rewards.deck import Cell, Chart, Line, Paint, Picture, Series, Table
from pptarena.rewards.diff_text import clip, format_differences, same_color, same_text

__all__ = [
    "chart_differences",
    "describe_paint",
    "picture_differences",
    "same_line",
    "same_paint",
    "table_differences",
]

WIDTH_TOLERANCE_PT = 0.3
CROP_TOLERANCE_PCT = 0.3
EXTENT_TOLERANCE_EMU = 18_288

Difference = tuple[Aspect, str, str]


def same_paint(first: Paint, second: Paint) -> bool:
    """Return whether two fills look the same; saving may round colours."""
    if first.kind != second.kind or not same_color(first.color, second.color):
        return False
    return abs(first.opacity_pct - second.opacity_pct) <= 1 and first.detail == second.detail


def same_line(first: Line, second: Line) -> bool:
    """Return whether two outlines look the same."""
    if not same_paint(first.paint, second.paint):
        return False
    near = abs(first.width_pt - second.width_pt) <= WIDTH_TOLERANCE_PT
    return near and first.dash == second.dash and first.ends == second.ends


def describe_paint(paint: Paint) -> str:
    """Return a fill in a word or two."""
    shown = paint.color or paint.kind
    return shown if paint.opacity_pct == 100 else f"{shown} at {paint.opacity_pct} %"


def picture_differences(before: Picture, after: Picture) -> Iterator[Difference]:
    """Yield how two pictures differ."""
    if before.sha256 != after.sha256:
        yield "pictures", f"picture {before.sha256[:8]}", f"picture {after.sha256[:8]}"
    elif before.media_sha256 != after.media_sha256:
        yield "pictures", f"medium {before.media_sha256[:8]}", f"medium {after.media_sha256[:8]}"
    crops = zip(before.crop_pct, after.crop_pct, strict=True)
    if any(abs(a - b) > CROP_TOLERANCE_PCT for a, b in crops):
        yield "pictures", f"crop {before.crop_pct}", f"crop {after.crop_pct}"


def table_differences(before: Table, after: Table) -> Iterator[Difference]:
    """Yield how two tables differ; of equal shape cell by cell, else by their rows."""
    if _extent(before) != _extent(after):
        yield "tables", _size_text(before), _size_text(after)
        return
    for row, cells in enumerate(zip(before.rows, after.rows, strict=True), start=1):
        for column, (old, new) in enumerate(zip(*cells, strict=True), start=1):
            if old != new:
                yield from _cell_differences(old, new, f"row {row} column {column}")
    widths = zip(before.column_widths, after.column_widths, strict=False)
    if any(abs(a - b) > EXTENT_TOLERANCE_EMU for a, b in widths):
        yield "geometry", "column widths", "other column widths"


def chart_differences(before: Chart, after: Chart) -> Iterator[Difference]:
    """Yield how two charts differ."""
    for name in ("type", "grouping", "title", "legend", "axis_titles"):
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield "charts", f"{name.replace('_', ' ')} {old}", str(new)
    if len(before.series) != len(after.series):
        yield "charts", f"{len(before.series)} series", f"{len(after.series)} series"
        return
    for number, (old, new) in enumerate(zip(before.series, after.series, strict=True), start=1):
        yield from _series_differences(old, new, number)


def _cell_differences(before: Cell, after: Cell, place: str) -> Iterator[Difference]:
    if not same_text(before.paragraphs, after.paragraphs):
        yield "tables", f"{place} {clip(before.text)}", clip(after.text)
    if before.spans != after.spans:
        yield "tables", f"{place} spans {before.spans}", str(after.spans)
    if not same_paint(before.fill, after.fill):
        yield "style", f"{place} {describe_paint(before.fill)}", describe_paint(after.fill)
    for name, old, new in format_differences(before.paragraphs, after.paragraphs):
        yield "formatting", f"{place} {name} {old}", new


def _series_differences(before: Series, after: Series, number: int) -> Iterator[Difference]:
    if before.name != after.name:
        yield "charts", f"series {number} {clip(before.name)}", clip(after.name)
    if before.type != after.type:
        yield "charts", f"series {number} as {before.type}", after.type
    if before.categories != after.categories:
        yield (
            "charts",
            f"categories {clip(', '.join(before.categories))}",
            clip(", ".join(after.categories)),
        )
    if not _same_values(before.values, after.values):
        yield "charts", f"values of series {number} {_values(before)}", _values(after)
    if not same_color(before.color, after.color):
        yield "charts", f"color of series {number} {before.color}", str(after.color)


def _same_values(before: tuple[float | None, ...], after: tuple[float | None, ...]) -> bool:
    if len(before) != len(after):
        return False
    return all(
        a is b or (a is not None and b is not None and abs(a - b) <= 1e-9 * max(1, abs(a)))
        for a, b in zip(before, after, strict=True)
    )


def _values(series: Series) -> str:
    return clip(", ".join("-" if value is None else f"{value:g}" for value in series.values))


def _extent(table: Table) -> list[int]:
    return [len(row) for row in table.rows]


def _size_text(table: Table) -> str:
    return f"{len(table.rows)} rows, {max(_extent(table), default=0)} columns"
