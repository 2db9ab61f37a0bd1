"""Side effects of a shape edit on the same shape."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Final, Self

from pptarena.decks import Box, Cell, Paragraph, Shape, Table
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.content import cell_differences, pair_lines
from pptarena.decks.diff.fields import find_rule
from pptarena.decks.diff.text import same_color
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.match.values import LENGTH_TOLERANCE_EMU, near
from pptarena.decks.visibility.text_extent import EMU_PER_PT
from pptarena.decks.visibility.text_layout import measure_text

__all__ = [
    "ShapePair",
    "is_banding",
    "is_chart_type_effect",
    "is_growth",
    "is_line_inset",
    "is_link_formatting",
    "is_refitted",
    "is_scaled_spacing",
]

_SPACE_TOLERANCE_PT: Final = 0.4
_INSET_TOLERANCE_PT: Final = 0.15
_LINE_HEIGHT: Final = 1.3
_WIDTH_TOLERANCE: Final = 0.4  # share of the estimated text width; the typeface is not considered
_NARROW_SHARE: Final = 0.85  # text width is an estimate: a line may hold a word more or less
_SPACING_FIELDS: Final = {"space before": "space_before_pt", "space after": "space_after_pt"}
# Properties that only some chart types have, with the values that stand for "none".
_TYPE_SPECIFIC: Final = {
    "gap width": (None,),
    "overlap": (None,),
    "grouping": ("", "standard", "clustered"),
    "marker": ("",),
    "smooth": (False,),
    "label place": ("",),
}
_CELL: Final = re.compile(r"row (\d+) column (\d+) ")
_Role = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class ShapePair:
    """A shape before and after, with the link colors of its slide.

    Attributes:
        old: The shape of the original.
        new: The corresponding current shape.
        link_colors: Link colors of the old and the new theme.
    """

    old: Shape
    new: Shape
    link_colors: tuple[str, ...] = ()

    @classmethod
    def of(cls, match: DeckMatch, change: Change) -> Self | None:
        """Return the shapes of a change; None if the shape is missing from one deck."""
        index = (change.slide or 0) - 1
        if change.shape_index is None or index not in match.to_current:
            return None
        index_now = match.shapes(index).to_current.get(change.shape_index)
        if index_now is None:
            return None
        before, after = match.original.slides[index], match.current.slides[match.to_current[index]]
        decks = (match.original, before), (match.current, after)
        masters = [deck.master_of(slide) for deck, slide in decks]
        links = tuple(filter(None, (each.colors.get("hlink") for each in masters if each)))
        return cls(before.shapes[change.shape_index], after.shapes[index_now], links)


def is_link_formatting(change: Change, _cause: Change, pair: ShapePair) -> bool:
    """Return whether text only gained or lost the formatting of a link."""
    if change.aspect != "formatting" or change.what not in ("underline", "color"):
        return False
    linked, linked_now = (_linked(shape.paragraphs) for shape in (pair.old, pair.new))
    for text, old, new in _locations(change):
        is_linked = any(text in link for link in linked_now)
        was_linked = any(text in link for link in linked)
        if change.what == "underline":
            matches = (
                is_linked and (old, new) == ("none", "sng"),
                was_linked and (old, new) == ("sng", "none"),
            )
        else:
            matches = (
                is_linked and _is_any_color(new, pair.link_colors),
                was_linked and _is_any_color(old, pair.link_colors),
            )
        if is_linked == was_linked or not any(matches):
            return False
    return True


def is_scaled_spacing(change: Change, _cause: Change, pair: ShapePair) -> bool:
    """Return whether paragraph spacing relative to the font size scaled with it."""
    name = _SPACING_FIELDS.get(change.what)
    if change.aspect != "formatting" or name is None:
        return False
    old, new = pair.old.paragraphs, pair.new.paragraphs
    if len(old) != len(new):
        return False
    for before, after in zip(old, new, strict=True):
        old_pt, new_pt = getattr(before, name), getattr(after, name)
        if abs(old_pt - new_pt) <= _SPACE_TOLERANCE_PT:
            continue
        sizes, sizes_now = _sizes(before), _sizes(after)
        if not sizes or not sizes_now or not old_pt:
            return False
        ratios = [b / a for a in sizes for b in sizes_now]
        if not any(abs(old_pt * ratio - new_pt) <= _SPACE_TOLERANCE_PT for ratio in ratios):
            return False
    return True


def is_chart_type_effect(change: Change, cause: Change, pair: ShapePair) -> bool:
    """Return whether a difference in a chart's series follows from its new chart type."""
    charts = pair.old.chart, pair.new.chart
    if change.aspect != "charts" or charts[0] is None or charts[1] is None:
        return False
    what = change.what
    if what.startswith("series "):
        what = what.split(" ", 2)[-1]
    values = change.value_before, change.value_after
    if what == "type":
        return values == (cause.value_before, cause.value_after)
    if what in _TYPE_SPECIFIC:
        return any(value in _TYPE_SPECIFIC[what] for value in values)
    # A pie has no axes; a change of type may add or remove them.
    return what.startswith("axis ") and not (charts[0].axes and charts[1].axes)


def is_growth(change: Change, _cause: Change, pair: ShapePair) -> bool:
    """Return whether a shape resized with its text, or a table with its rows."""
    old, new = pair.old, pair.new
    if change.aspect != "geometry":
        return False
    if old.table is None and "shape" not in (old.autofit, new.autofit):
        return False
    is_rotated = old.box.rotation_deg != new.box.rotation_deg
    return not is_rotated and _is_resized_in_place(old.box, new.box, is_table=old.table is not None)


def is_refitted(change: Change, _cause: Change, pair: ShapePair) -> bool:
    """Return whether a shape with "resize shape to fit text" took the size its text needs.

    LibreOffice refits such a shape whenever anything about it is edited, even the slide background.
    The needed size is an estimate, so a deviation of one line is allowed.
    """
    new = pair.new
    if change.aspect != "geometry" or {pair.old.autofit, new.autofit} != {"shape"}:
        return False
    if pair.old.box.rotation_deg != new.box.rotation_deg:
        return False
    fits = any(_fills(new, share) for share in (1.0, _NARROW_SHARE))
    if not _near(pair.old.box.width, new.box.width):
        need = measure_text(new.paragraphs, new.box, new.frame)
        fits = (
            fits
            and abs(need.available_width_pt - need.width_pt) <= _WIDTH_TOLERANCE * need.width_pt
        )
    return fits and _is_resized_in_place(pair.old.box, new.box, is_table=False)


def _fills(shape: Shape, share: float) -> bool:
    """Return whether a text needs the height of its shape at `share` of its width.

    A word wider than the shape is broken, which takes more lines than estimated.
    """
    box = replace(shape.box, width=round(shape.box.width * share))
    need = measure_text(shape.paragraphs, box, shape.frame)
    line_pt = need.height_pt / max(1, len(shape.paragraphs))
    sizes = [run.style.size_pt or 0 for each in shape.paragraphs for run in each.runs]
    line_pt = max([_LINE_HEIGHT * size for size in sizes], default=line_pt)
    line_factor = max(1, ceil(need.width_pt / need.available_width_pt))
    max_pt = need.height_pt * line_factor + line_pt
    return need.height_pt - line_pt <= need.available_height_pt <= max_pt


def is_line_inset(change: Change, _cause: Change, pair: ShapePair) -> bool:
    """Return whether the text insets only follow a change in line width.

    LibreOffice adds half of the gained line width to the text insets.
    """
    if change.aspect != "formatting" or change.what != "insets":
        return False
    before, after = pair.old.frame, pair.new.frame
    if before is None or after is None:
        return False
    gain_pt = _line_width_pt(pair.new) - _line_width_pt(pair.old)
    return all(
        abs((new - old) / EMU_PER_PT - gain_pt / 2) <= _INSET_TOLERANCE_PT
        for old, new in zip(before.insets_emu, after.insets_emu, strict=True)
    )


def _line_width_pt(shape: Shape) -> float:
    return 0.0 if shape.line.paint.kind == "none" else shape.line.width_pt or 0.0


def _locations(change: Change) -> Iterator[tuple[str, object, object]]:
    """Yield text, old value and new value of each location of a formatting change."""
    before, after = change.value_before, change.value_after
    if isinstance(before, tuple) and isinstance(after, tuple):
        for (text, old), (_, new) in zip(before, after, strict=True):
            yield text.strip(), old, new


def _linked(paragraphs: Sequence[Paragraph]) -> list[str]:
    """Return the linked stretches of text; adjacent linked runs are joined."""
    links: list[str] = []
    for paragraph in paragraphs:
        is_linked = False
        for run in paragraph.runs:
            if run.link and is_linked:
                links[-1] += run.text
            elif run.link:
                links.append(run.text)
            is_linked = bool(run.link)
    return links


def _is_any_color(color: object, colors: Sequence[str]) -> bool:
    return isinstance(color, str) and any(same_color(color, each) for each in colors)


def _sizes(paragraph: Paragraph) -> set[float]:
    return {run.style.size_pt for run in paragraph.runs if run.style.size_pt}


def _is_resized_in_place(old: Box, new: Box, *, is_table: bool) -> bool:
    """Return whether a box was resized without being moved.

    A table keeps its top edge and its width; other shapes keep an edge or the center on each axis.
    """
    edges = [(box.left, box.right) for box in (old, new)], [(b.top, b.bottom) for b in (old, new)]
    fixed = [
        [_near(*(left for left, _ in axis)), _near(*(right for _, right in axis)),
         _near(*((left + right) / 2 for left, right in axis))]
        for axis in edges
    ]  # fmt: skip
    if is_table:
        return fixed[0][0] and fixed[0][1] and fixed[1][0]
    return any(fixed[0]) and any(fixed[1])


def _near(first: float, second: float) -> bool:
    return near(first, second, LENGTH_TOLERANCE_EMU)


def is_banding(change: Change, _cause: Change, pair: ShapePair) -> bool:
    """Return whether a cell's formatting only follows its table style at its new position.

    The old cell must match cells of its old role, and the new cell those of its new role in the old
    table, or in the new one if the old has none. A cell with formatting of its own matches neither.
    """
    before, after = pair.old.table, pair.new.table
    match = _CELL.match(change.what)
    if before is None or after is None or match is None:
        return change.what == "row heights" and change.aspect == "geometry"
    i, k = int(match[1]) - 1, int(match[2]) - 1
    rows, columns = pair_lines(before, after)
    j = dict(rows).get(i)
    m = dict(columns).get(k)
    if j is None or m is None:
        return False
    old, new = before.rows[i][k], after.rows[j][m]
    what = change.what.removeprefix(match[0])
    is_border = "border" in what
    role, role_now = (
        _cell_role(before, i, k, edges=is_border),
        _cell_role(after, j, m, edges=is_border),
    )
    old_peers = _peers(before, role, (i, k), edges=is_border)
    new_peers = list(_peers(before, role_now, (i, k), edges=is_border))
    new_peers = new_peers or list(_peers(after, role_now, (j, m), edges=is_border))
    return any(_same_cell(old, each, what) for each in old_peers) and any(
        _same_cell(new, each, what) for each in new_peers
    )


def _same_cell(first: Cell, second: Cell, what: str) -> bool:
    """Return whether two cells agree in one property, ignoring their text.

    An empty cell cannot confirm text formatting.
    """
    is_text_property = find_rule(Cell, what) is None and "border" not in what
    if is_text_property and not any(each.runs for each in second.paragraphs):
        return False
    paragraphs = second.paragraphs
    if first.paragraphs and paragraphs and paragraphs[0].runs and first.paragraphs[0].runs:
        style = paragraphs[0].runs[0].style
        paragraphs = tuple(
            replace(p, runs=tuple(replace(run, style=style) for run in p.runs))
            for p in first.paragraphs
        )
    differences = cell_differences(first, replace(second, paragraphs=paragraphs), "")
    return all(each.what.strip() != what for each in differences)


def _peers(table: Table, role: _Role, excluded: tuple[int, int], *, edges: bool) -> Iterator[Cell]:
    """Yield the cells of a role, except one."""
    for i, cells in enumerate(table.rows):
        for k, cell in enumerate(cells):
            if (i, k) != excluded and _cell_role(table, i, k, edges=edges) == role:
                yield cell


def _cell_role(table: Table, row: int, column: int, *, edges: bool) -> _Role:
    """Return a cell's role in the table style; for borders, outer edges are roles of their own."""
    lines = (
        (row, len(table.rows), table.header_row, table.total_row, table.banded_rows),
        (column, len(table.column_widths), table.first_column, table.last_column,
         table.banded_columns),
    )  # fmt: skip
    return tuple(_line_role(*line, edges=edges) for line in lines)


def _line_role(
    index: int, count: int, first: bool, last: bool, banded: bool, *, edges: bool
) -> tuple[str, int]:
    edge = "first" if index == 0 else "last" if index == count - 1 else ""
    if (edge == "first" and first) or (edge == "last" and last):
        return f"own {edge}", 0
    return edge if edges else "", (index - first) % 2 if banded else 0
