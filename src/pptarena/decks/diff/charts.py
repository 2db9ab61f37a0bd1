"""Differences in charts: series and axes are matched, then compared value by value."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from pptarena.decks import Axis, Chart, ChartTitle, Series
from pptarena.decks.diff.change import Difference
from pptarena.decks.diff.fields import field_differences
from pptarena.decks.diff.text import format_differences
from pptarena.decks.match.pairing import pair_equal, rest
from pptarena.decks.match.values import clip, shown

__all__ = ["chart_differences"]


def chart_differences(before: Chart, after: Chart) -> Iterator[Difference]:
    """Yield the differences between two charts."""
    yield from field_differences(before, after, "charts")
    if before.title == after.title or (before.title_look and after.title_look):
        yield from _title_differences(before.title_look, after.title_look, "title ")
    yield from _workbook_differences(before, after)
    yield from _all_axes(before, after)
    pairs = _matched(before.series, after.series)
    for number, (i, j) in enumerate(pairs, start=1):
        old = None if i is None else before.series[i]
        new = None if j is None else after.series[j]
        if old is not None and new is not None:
            yield from _series_differences(old, new, f"series {number}")
        else:
            yield Difference.of("charts", f"series {number}", old, new, _series_text)
    order = [j for i, j in pairs if i is not None and j is not None]
    if order != sorted(order):
        old_names, new_names = (tuple(s.name for s in side.series) for side in (before, after))
        yield Difference.of("charts", "order of series", old_names, new_names, shown)


def _workbook_differences(before: Chart, after: Chart) -> Iterator[Difference]:
    """Yield a difference if other cells of the workbook deviate from the chart than before.

    A missing workbook is ignored, because applications may save a chart without it.
    """
    if before.workbook is None or after.workbook is None or before.workbook == after.workbook:
        return
    cells = before.workbook_mismatches, after.workbook_mismatches
    if None not in cells:
        yield Difference.of("charts", "workbook mismatches", *cells, shown)


def _all_axes(before: Chart, after: Chart) -> Iterator[Difference]:
    if not before.axes and not after.axes:
        if before.axis_titles != after.axis_titles:
            yield Difference.of(
                "charts", "axis titles", before.axis_titles, after.axis_titles, shown
            )
        return
    for number, (old, new) in enumerate(zip_longest(before.axes, after.axes), start=1):
        if old is not None and new is not None:
            prefix = f"{_axis_text(old)} "
            yield from field_differences(old, new, "charts", prefix)
            if old.title == new.title or (old.title_look and new.title_look):
                yield from _title_differences(old.title_look, new.title_look, f"{prefix}title ")
        else:
            yield Difference.of("charts", f"axis {number}", old, new, _axis_text)


def _title_differences(
    before: ChartTitle | None, after: ChartTitle | None, prefix: str
) -> Iterator[Difference]:
    """Yield the differences in the formatting of two titles."""
    if before is None or after is None:
        if before != after:
            old, new = (None if each is None else each.style for each in (before, after))
            yield Difference.of("charts", f"{prefix}style", old, new, shown)
        return
    yield from field_differences(before, after, "charts", prefix)
    of_letters = [
        *field_differences(before.style, after.style, "charts", prefix),
        *format_differences(before.paragraphs, after.paragraphs, prefix),
    ]
    for each in {each.what: each for each in reversed(of_letters)}.values():
        yield replace(each, aspect="charts")


def _axis_text(axis: Axis | None) -> str:
    if axis is None:
        return ""
    return f"{axis.kind} axis {clip(axis.title)}" if axis.title else f"{axis.kind} axis"


def _series_text(series: Series | None) -> str:
    return "" if series is None else f"{clip(series.name)} ({_numbers(series.values)})"


def _numbers(values: tuple[float | None, ...]) -> str:
    return clip(", ".join("-" if value is None else f"{value:g}" for value in values))


def _matched(
    before: Sequence[Series], after: Sequence[Series]
) -> list[tuple[int | None, int | None]]:
    """Return the pairs of series: by name and values, by name, by values, then by position."""
    pairs: list[tuple[int, int]] = []
    for level in range(4):
        old, new = ([_key(series, level) for series in side] for side in (before, after))
        pairs = pair_equal(old, new, pairs)
    there = dict(pairs)
    gone: list[tuple[int | None, int | None]] = [(i, there.get(i)) for i in range(len(before))]
    return gone + [(None, j) for j in rest(len(after), (j for _, j in pairs))]


def _key(series: Series, level: int) -> Hashable:
    return ((series.name, series.values), series.name, series.values, "any")[level]


def _series_differences(before: Series, after: Series, name: str) -> Iterator[Difference]:
    for each in field_differences(before, after, "charts", f"{name} "):
        if each.what == f"{name} values":
            yield Difference.of("charts", each.what, before.values, after.values, _numbers)
        else:
            yield each
