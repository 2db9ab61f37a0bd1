"""Differences in shape content: picture, table, chart, diagram, embedded file."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from pptarena.decks import (
    Axis,
    Cell,
    Chart,
    ChartTitle,
    Embedded,
    Picture,
    Series,
    Shape,
    SmartArt,
    Table,
)
from pptarena.decks.diff.change import Aspect, Difference
from pptarena.decks.diff.fields import field_differences
from pptarena.decks.diff.text import format_differences, text_differences
from pptarena.decks.match.pairing import pair_equal, unused_positions
from pptarena.decks.match.sequences import opcodes
from pptarena.decks.match.values import (
    LENGTH_TOLERANCE_EMU,
    clip,
    describe,
    describe_line,
    describe_paint,
    same_line,
)

__all__ = [
    "cell_differences",
    "chart_differences",
    "content_differences",
    "describe_paint",
    "pair_lines",
    "table_differences",
]


def chart_differences(before: Chart, after: Chart) -> Iterator[Difference]:
    """Yield the differences between two charts."""
    yield from field_differences(before, after, "charts")
    if before.title == after.title or (before.title_look and after.title_look):
        yield from _title_differences(before.title_look, after.title_look, "title ")
    yield from _workbook_differences(before, after)
    yield from _axis_differences(before, after)
    pairs = _match_series(before.series, after.series)
    for number, (i, j) in enumerate(pairs, start=1):
        old = None if i is None else before.series[i]
        new = None if j is None else after.series[j]
        if old is not None and new is not None:
            yield from _series_differences(old, new, f"series {number}")
        else:
            yield Difference.of("charts", f"series {number}", old, new, _series_text)
    positions = [j for i, j in pairs if i is not None and j is not None]
    if positions != sorted(positions):
        old_names, new_names = (tuple(s.name for s in side.series) for side in (before, after))
        yield Difference.of("charts", "order of series", old_names, new_names, describe)


def _workbook_differences(before: Chart, after: Chart) -> Iterator[Difference]:
    """Yield a difference if the set of workbook cells that deviate from the chart changed.

    A missing workbook is ignored, because applications may save a chart without it.
    """
    if before.workbook is None or after.workbook is None or before.workbook == after.workbook:
        return
    cells = before.workbook_mismatches, after.workbook_mismatches
    if None not in cells:
        yield Difference.of("charts", "workbook mismatches", *cells, describe)


def _axis_differences(before: Chart, after: Chart) -> Iterator[Difference]:
    if not before.axes and not after.axes:
        if before.axis_titles != after.axis_titles:
            yield Difference.of(
                "charts", "axis titles", before.axis_titles, after.axis_titles, describe
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
            yield Difference.of("charts", f"{prefix}style", old, new, describe)
        return
    yield from field_differences(before, after, "charts", prefix)
    text_styles = [
        *field_differences(before.style, after.style, "charts", prefix),
        *format_differences(before.paragraphs, after.paragraphs, prefix),
    ]
    for each in {each.what: each for each in reversed(text_styles)}.values():
        yield replace(each, aspect="charts")


def _axis_text(axis: Axis | None) -> str:
    if axis is None:
        return ""
    return f"{axis.kind} axis {clip(axis.title)}" if axis.title else f"{axis.kind} axis"


def _series_text(series: Series | None) -> str:
    return "" if series is None else f"{clip(series.name)} ({_numbers(series.values)})"


def _numbers(values: tuple[float | None, ...]) -> str:
    return clip(", ".join("-" if value is None else f"{value:g}" for value in values))


def _match_series(
    before: Sequence[Series], after: Sequence[Series]
) -> list[tuple[int | None, int | None]]:
    """Return the pairs of series: by name and values, by name, by values, then by position."""
    pairs: list[tuple[int, int]] = []
    for level in range(4):
        old, new = ([_key(series, level) for series in side] for side in (before, after))
        pairs = pair_equal(old, new, pairs)
    current_by_original = dict(pairs)
    matches: list[tuple[int | None, int | None]] = [
        (i, current_by_original.get(i)) for i in range(len(before))
    ]
    return matches + [(None, j) for j in unused_positions(len(after), (j for _, j in pairs))]


def _key(series: Series, level: int) -> Hashable:
    return ((series.name, series.values), series.name, series.values, "any")[level]


def _series_differences(before: Series, after: Series, name: str) -> Iterator[Difference]:
    for each in field_differences(before, after, "charts", f"{name} "):
        if each.what == f"{name} values":
            yield Difference.of("charts", each.what, before.values, after.values, _numbers)
        else:
            yield each


_Pairs = list[tuple[int | None, int | None]]
_SIDES = ("left", "right", "upper", "lower")


def table_differences(before: Table, after: Table) -> Iterator[Difference]:
    """Yield the differences between two tables."""
    yield from field_differences(before, after, "style")
    rows, columns = pair_lines(before, after)
    yield from _added_and_removed(before, after, rows, "row")
    yield from _added_and_removed(before, after, columns, "column")
    for i, j in rows:
        if i is None or j is None or before.rows[i] == after.rows[j]:
            continue
        old, new = before.rows[i], after.rows[j]
        for k, m in columns:
            if k is not None and m is not None and k < len(old) and m < len(new):
                yield from cell_differences(old[k], new[m], f"row {i + 1} column {k + 1}")
    sizes = ("column widths", columns, before.column_widths, after.column_widths)
    yield from _size_differences(*sizes)
    yield from _size_differences("row heights", rows, before.row_heights, after.row_heights)


def pair_lines(before: Table, after: Table) -> tuple[_Pairs, _Pairs]:
    """Return the pairs of rows and of columns; None for an added or removed one."""
    rows = _pair_keys(_row_keys(before), _row_keys(after))
    return rows, _pair_keys(_column_keys(before), _column_keys(after))


def _row_keys(table: Table) -> list[str]:
    return ["\t".join(cell.text.strip() for cell in row) for row in table.rows]


def _column_keys(table: Table) -> list[str]:
    columns = zip_longest(*(tuple(cell.text.strip() for cell in row) for row in table.rows))
    return ["\t".join(text or "" for text in column) for column in columns]


def _pair_keys(before: Sequence[str], after: Sequence[str]) -> _Pairs:
    """Return the pairs of lines; None for an added or removed one. Equal counts pair in order."""
    if len(before) == len(after):
        return [(i, i) for i in range(len(before))]
    pairs: _Pairs = []
    for _, i1, i2, j1, j2 in opcodes(before, after):
        if i2 - i1 == j2 - j1:
            pairs += zip(range(i1, i2), range(j1, j2), strict=True)
            continue
        # A row inserted above a total also changes the total: pairing by label preserves the total.
        labels = (
            [key.partition("\t")[0] for key in keys] for keys in (before[i1:i2], after[j1:j2])
        )
        for _, k1, k2, m1, m2 in opcodes(*labels):
            # In a stretch that differs, the first lines count as changed, the rest as added.
            pairs += zip_longest(range(i1 + k1, i1 + k2), range(j1 + m1, j1 + m2))
    return pairs


def _added_and_removed(
    before: Table, after: Table, pairs: _Pairs, kind: str
) -> Iterator[Difference]:
    old_keys, new_keys = (
        (_row_keys(side) if kind == "row" else _column_keys(side)) for side in (before, after)
    )
    for i, j in pairs:
        if j is None and i is not None:
            texts = tuple(old_keys[i].split("\t"))
            yield Difference("tables", f"{kind} {i + 1}", _join_texts(texts), "", texts, None)
        elif i is None and j is not None:
            texts = tuple(new_keys[j].split("\t"))
            yield Difference("tables", f"{kind} {j + 1}", "", _join_texts(texts), None, texts)


def _join_texts(texts: Sequence[str]) -> str:
    return clip(" | ".join(texts))


def cell_differences(before: Cell, after: Cell, location: str) -> Iterator[Difference]:
    """Yield the differences between two cells, with the cell's position before each property."""
    if before == after:
        return
    is_movable = {before.anchor, after.anchor} != {"top"}
    yield from text_differences(
        before.paragraphs, after.paragraphs, "tables", location, trailing_lines=is_movable
    )
    for each in field_differences(before, after, "style", f"{location} "):
        if each.what.endswith(" borders"):
            yield from _border_differences(before, after, location)
        elif each.what.endswith(" spans"):
            yield replace(each, aspect="tables")
        elif each.what.endswith((" anchor", " insets", " vertical", " centered")):
            yield replace(each, aspect="formatting")
        else:
            yield each
    yield from format_differences(before.paragraphs, after.paragraphs, f"{location} ")


def _border_differences(before: Cell, after: Cell, location: str) -> Iterator[Difference]:
    for side, old, new in zip(_SIDES, before.borders, after.borders, strict=True):
        if not same_line(old, new):
            what = f"{location} {side} border"
            yield Difference.of("style", what, old, new, describe_line)


def _size_differences(
    what: str, pairs: _Pairs, before: Sequence[int], after: Sequence[int]
) -> Iterator[Difference]:
    common = [
        (before[i], after[j])
        for i, j in pairs
        if i is not None and j is not None and i < len(before) and j < len(after)
    ]
    if any(abs(old - new) > LENGTH_TOLERANCE_EMU for old, new in common):
        old, new = (tuple(side) for side in zip(*common, strict=True))
        descriptions = describe(old, "in"), describe(new, "in")
        yield Difference("geometry", what, *descriptions, tuple(before), tuple(after))


def content_differences(before: Shape, after: Shape) -> Iterator[Difference]:
    """Yield the differences in content of two shapes, except for their own text."""
    if before.picture is not None and after.picture is not None:
        yield from _picture_differences(before.picture, after.picture)
    if before.table is not None and after.table is not None:
        yield from table_differences(before.table, after.table)
    if before.chart is not None and after.chart is not None:
        yield from chart_differences(before.chart, after.chart)
    if before.smart_art is not None and after.smart_art is not None:
        yield from _diagram_differences(before.smart_art, after.smart_art)
    if before.embedded is not None and after.embedded is not None:
        yield from field_differences(before.embedded, after.embedded, "other", "embedded ")
    for what, aspect in _ASPECTS.items():
        old, new = getattr(before, what), getattr(after, what)
        if (old is None) is not (new is None):
            name = what.replace("_", " ")
            yield Difference(aspect, name, _describe(old, name), _describe(new, name), old, new)


_ASPECTS: dict[str, Aspect] = {
    "picture": "pictures",
    "table": "tables",
    "chart": "charts",
    "smart_art": "diagrams",
    "embedded": "other",
}


def _describe(value: object, what: str) -> str:
    if isinstance(value, Embedded):
        return value.program or "a file"
    return "none" if value is None else f"a {what}"


def _picture_differences(before: Picture, after: Picture) -> Iterator[Difference]:
    for each in field_differences(before, after, "pictures"):
        # A new video comes with its own poster frame.
        if each.what != "picture" or before.media_sha256 == after.media_sha256:
            yield each


def _diagram_differences(before: SmartArt, after: SmartArt) -> Iterator[Difference]:
    for each in field_differences(before, after, "diagrams"):
        if each.what == "nodes":
            show = _texts if before.text != after.text else _levels
            yield Difference.of("diagrams", "nodes", before.nodes, after.nodes, show)
        else:
            yield each


def _texts(nodes: tuple[tuple[int, str], ...]) -> str:
    return clip("; ".join(text for _, text in nodes))


def _levels(nodes: tuple[tuple[int, str], ...]) -> str:
    return "levels " + " ".join(str(level) for level, _ in nodes)
