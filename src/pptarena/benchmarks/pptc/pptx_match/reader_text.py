"""The PPT reader: a deck as text for a language model."""

from collections.abc import Collection, Iterator
from typing import Final

from pptarena.benchmarks.pptc.pptx_match.objects import kind_name
from pptarena.decks import Chart, Deck, Paint, Shape, Slide, Table

__all__ = ["NEEDS", "reader_text"]

NEEDS: Final = ("title", "content", "picture", "table", "chart", "textbox", "shape")
"""Types of objects that can be requested; ``shape`` covers everything else."""

_EMU_PER_UNIT = 1_000
_EMU_PER_POINT = 12_700
_ALIGNMENTS = {
    "left": "LEFT (1)",
    "center": "CENTER (2)",
    "right": "RIGHT (3)",
    "justify": "JUSTIFY (4)",
}
_NUMBERED = ("Picture", "TextBox")
_CHART_TYPES = {"line": "LINE", "pie": "PIE"}


def reader_text(
    deck: Deck,
    *,
    text: bool = True,
    style: bool = True,
    position: bool = True,
    excluded: Collection[str] = (),
) -> str:
    """Return a deck as the text that PPTC shows to models.

    Lengths are in thousands of EMU, font sizes in EMU; slides and objects count from 0. Values are
    effective ones: a size inherited from the layout is shown, not ``None``.

    Args:
        deck: The deck.
        text: Whether to show text and the data of tables and charts.
        style: Whether to show fonts, fills and rotation.
        position: Whether to show sizes and positions.
        excluded: Types of objects to omit, from `NEEDS`.
    """
    height, width = deck.height_emu // _EMU_PER_UNIT, deck.width_emu // _EMU_PER_UNIT
    lines = [
        f"There are {len(deck.slides)} slides with slide height {height} and slide width {width}."
    ]
    for slide in deck.slides:
        lines += _slide(slide, (text, style, position), excluded)
    return "\n".join(lines)


def _slide(slide: Slide, show: tuple[bool, bool, bool], excluded: Collection[str]) -> Iterator[str]:
    yield f"Slide {slide.index} with background color {_color(slide.background)}:"
    if slide.notes and show[0]:
        yield f"Notes: {slide.notes}"
    counts: dict[str, int] = {}
    for shape in slide.shapes:
        kind = kind_name(shape)
        index = counts[kind] = counts.get(kind, -1) + 1
        if _need(kind) in excluded:
            continue
        yield _heading(shape, kind, index)
        yield from _shape(shape, show)
        yield ""


def _need(kind: str) -> str:
    name = "title" if kind == "Subtitle" else kind.lower()
    return name if name in NEEDS else "shape"


def _heading(shape: Shape, kind: str, index: int) -> str:
    if shape.table is not None:
        rows, columns = len(shape.table.rows), len(shape.table.column_widths)
        return f"[{kind}] with {rows} rows and {columns} columns"
    return f"[{kind} {index}]" if kind in _NUMBERED else f"[{kind}]"


def _shape(shape: Shape, show: tuple[bool, bool, bool]) -> Iterator[str]:
    text, style, position = show
    box = shape.box
    if position:
        height, width = box.height // _EMU_PER_UNIT, box.width // _EMU_PER_UNIT
        yield f"Size: height={height}, width={width}"
    if text:
        yield from _text(shape)
    if style:
        yield from _style(shape)
    if position:
        left, top = box.left // _EMU_PER_UNIT, box.top // _EMU_PER_UNIT
        yield f"Visual Positions: left={left}, top={top}"


def _text(shape: Shape) -> Iterator[str]:
    if shape.table is not None:
        yield from _table(shape.table)
    elif shape.chart is not None:
        yield from _chart(shape.chart)
    elif shape.placeholder and shape.kind == "placeholder":
        yield f"Text:\n{shape.text}"
    elif shape.kind in ("text_box", "shape"):
        yield f"Text: {shape.text}"


def _table(table: Table) -> Iterator[str]:
    yield "Data:"
    for row in table.rows:
        yield "|" + "|".join(cell.text for cell in row) + "|"


def _chart(chart: Chart) -> Iterator[str]:
    if chart.title:
        yield f"Title: {chart.title}"
    joined = "_".join(part for part in (chart.type, chart.grouping) if part).upper()
    yield f"Chart Type: {_CHART_TYPES.get(chart.type, joined)}"
    yield "Data:"
    for series in chart.series:
        values = ", ".join("None" if value is None else f"{value:g}" for value in series.values)
        yield f"{series.name}: {values}"


def _style(shape: Shape) -> Iterator[str]:
    """Yield the style of the first run, as in the original, and of the shape."""
    paragraph = next((candidate for candidate in shape.paragraphs if candidate.runs), None)
    if paragraph is not None:
        run_style = paragraph.runs[0].style
        spacing = paragraph.line_spacing_pct
        lines = f"{paragraph.line_spacing_pt:g} pt" if spacing is None else f"{spacing / 100:g}"
        yield (
            f"Font Style: bold={run_style.bold}, italic={run_style.italic}, "
            f"underline={run_style.underline != 'none'}, "
            f"size={round(run_style.size_pt * _EMU_PER_POINT)}, "
            f"color={(run_style.color or 'None').lstrip('#')}, fill={_color(shape.fill)}, "
            f"font style={run_style.font or None}, line_space={lines}, "
            f"align={_ALIGNMENTS[paragraph.align]}"
        )
    if shape.kind == "picture":
        yield f"Picture Style: rotation={round(shape.box.rotation_deg)}"
    elif shape.kind == "shape":
        yield f"Shape Style: fill={_color(shape.fill)}"


def _color(paint: Paint) -> str:
    return paint.color.lstrip("#") if paint.kind == "solid" and paint.color else "None"
