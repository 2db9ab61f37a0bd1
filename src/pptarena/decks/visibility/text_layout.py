"""Estimate the position of text on the slide."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pptarena.decks import Box, Paint, Paragraph, Run, Shape, Slide, TextFrame
from pptarena.decks.slide_variants import TextRange
from pptarena.decks.visibility.text_extent import EMU_PER_PT, TextBlock, text_blocks

__all__ = [
    "MIN_SCALE",
    "PlacedText",
    "TextArea",
    "TextSpace",
    "cell_boxes",
    "measure_text",
    "text_areas",
    "texts_of",
    "with_texts",
    "without_ranges",
    "without_text",
]

MIN_SCALE = 0.25
"""Smallest font scale that applications use to fit text."""

_PLAIN_FRAME = TextFrame()
_MAX_OVERFLOW = 2.0


@dataclass(frozen=True, slots=True)
class TextArea:
    """Area of one paragraph before rotation of its shape, in EMU on the slide.

    Attributes:
        left: Left end of the longest line.
        top: Top of the first line.
        right: Right end of the longest line.
        bottom: Bottom of the last line.
        rows: Left, top, right and bottom of each nonblank line.
    """

    left: float
    top: float
    right: float
    bottom: float
    rows: tuple[tuple[float, float, float, float], ...]


@dataclass(frozen=True, slots=True)
class TextSpace:
    """Required and available space of a text, in points.

    Attributes:
        height_pt: Required height.
        available_height_pt: Available height.
        width_pt: Required width of the widest line.
        available_width_pt: Available width.
        scale: Font scale applied to shrink the text.
    """

    height_pt: float
    available_height_pt: float
    width_pt: float
    available_width_pt: float
    scale: float


def measure_text(
    paragraphs: tuple[Paragraph, ...], box: Box, frame: TextFrame | None, shrinks: bool = False
) -> TextSpace:
    """Return the required and available space of a text.

    Args:
        paragraphs: The text.
        box: Box of the shape or cell.
        frame: Text frame properties.
        shrinks: Whether the application shrinks the text to fit.
    """
    return _lay_out(paragraphs, box, frame or _PLAIN_FRAME, shrinks)[0]


def _lay_out(
    paragraphs: tuple[Paragraph, ...], box: Box, frame: TextFrame, shrinks: bool
) -> tuple[TextSpace, tuple[TextBlock, ...]]:
    width, height = box.width / EMU_PER_PT, box.height / EMU_PER_PT
    if frame.vertical.startswith("vert"):
        width, height = height, width
    left, top, right, bottom = (each / EMU_PER_PT for each in frame.insets_emu)
    columns = max(1, frame.columns)
    gaps = (columns - 1) * frame.column_gap_emu / EMU_PER_PT
    available_width = max(1.0, (width - left - right - gaps) / columns)
    available_height = max(1.0, (height - top - bottom) * columns)
    line_width = available_width if frame.wrap else None
    scale = max(MIN_SCALE, frame.autofit_scale_pct / 100)
    while True:
        blocks = text_blocks(paragraphs, line_width, scale)
        needed_height = blocks[-1].top_pt + blocks[-1].height_pt if blocks else 0.0
        if not shrinks or needed_height <= available_height or scale <= MIN_SCALE:
            break
        scale = max(MIN_SCALE, scale * 0.9)
    widest = max((block.width_pt for block in blocks), default=0.0)
    return TextSpace(needed_height, available_height, widest, available_width, scale), blocks


def text_areas(
    paragraphs: tuple[Paragraph, ...], box: Box, frame: TextFrame | None, shrinks: bool = False
) -> tuple[TextArea, ...]:
    """Return the area of each paragraph; the arguments are those of `measure_text`.

    Text that is far too long to be shrunk is not shrunk. Text in a frame narrower than a character
    has no visible lines. Text in columns, vertical text, rotated text and WordArt are assumed to
    fill the box.
    """
    frame = frame or _PLAIN_FRAME
    if frame.columns > 1 or frame.vertical != "horz" or frame.rotation_deg or frame.warp:
        sides = float(box.left), float(box.top), float(box.right), float(box.bottom)
        return tuple(TextArea(*sides, (sides,)) for _ in paragraphs)
    space, blocks = _lay_out(paragraphs, box, frame, shrinks)
    if shrinks and space.height_pt > _MAX_OVERFLOW * space.available_height_pt:
        space, blocks = _lay_out(paragraphs, box, frame, shrinks=False)
    if frame.wrap and _breaks_every_character(paragraphs, space.available_width_pt):
        return tuple(TextArea(box.left, box.top, box.left, box.top, ()) for _ in paragraphs)
    left, top, right, bottom = frame.insets_emu
    free_height = box.height - top - bottom - space.height_pt * EMU_PER_PT
    start = (
        box.top + top + {"top": 0.0, "middle": free_height / 2, "bottom": free_height}[frame.anchor]
    )
    sides_x = box.left + left, box.right - right
    return tuple(
        _area(paragraph, block, sides_x, start + block.top_pt * EMU_PER_PT)
        for paragraph, block in zip(paragraphs, blocks, strict=True)
    )


def _breaks_every_character(paragraphs: tuple[Paragraph, ...], available_pt: float) -> bool:
    """Return whether the frame is so narrow that each character takes a line."""
    widest = max((run.style.size_pt for p in paragraphs for run in p.runs), default=0.0)
    return available_pt < widest and any(
        len(word) > 2 for p in paragraphs for word in p.text.split()
    )


def _area(
    paragraph: Paragraph, block: TextBlock, sides: tuple[float, float], upper: float
) -> TextArea:
    """Return the area of a paragraph between two sides, starting at its top."""
    height = block.height_pt * EMU_PER_PT
    line = height / len(block.rows)
    glyphs = min(line, block.glyphs_pt * EMU_PER_PT)
    rows = []
    for number, row in enumerate(block.rows):
        if row.width_pt > row.start_pt:
            start = _line_start(paragraph, block.indent_pt + row.width_pt, sides)
            row_start = start + (block.indent_pt + row.start_pt) * EMU_PER_PT
            end = start + (block.indent_pt + row.width_pt) * EMU_PER_PT
            lower = upper + (number + 1) * line
            rows.append((row_start, lower - glyphs, end, lower))
    side = _line_start(paragraph, block.width_pt, sides)
    return TextArea(side, upper, side + block.width_pt * EMU_PER_PT, upper + height, tuple(rows))


def _line_start(paragraph: Paragraph, width_pt: float, sides: tuple[float, float]) -> float:
    from_right = sides[1] - width_pt * EMU_PER_PT
    if paragraph.align == "center":
        return (sides[0] + from_right) / 2
    return from_right if paragraph.align == "right" else sides[0]


def cell_boxes(shape: Shape) -> Iterator[tuple[int, int, Box]]:
    """Yield row and column (from 0) and box of each table cell that no other cell covers."""
    table = shape.table
    if table is None:
        return
    top = shape.box.top
    for row, cells in enumerate(table.rows):
        left = shape.box.left
        for column, cell in enumerate(cells):
            column_span, row_span = cell.spans
            width = sum(table.column_widths[column : column + max(1, column_span)])
            height = sum(table.row_heights[row : row + max(1, row_span)])
            if cell.spans != (0, 0):
                yield row, column, Box(left, top, width, height)
            left += table.column_widths[column] if column < len(table.column_widths) else 0
        top += table.row_heights[row] if row < len(table.row_heights) else 0


PlacedText = tuple[tuple[Paragraph, ...], Box, Paint, tuple[TextArea, ...]]
"""Paragraphs, their box, its fill, and the area of each paragraph."""


def texts_of(shape: Shape) -> Iterator[PlacedText]:
    """Yield each text of a shape with its box, its fill and the areas of its paragraphs."""
    if shape.paragraphs:
        shrinks = shape.autofit == "text"
        areas = text_areas(shape.paragraphs, shape.box, shape.frame, shrinks)
        yield shape.paragraphs, shape.box, shape.fill, areas
    if shape.table is not None:
        for row, column, box in cell_boxes(shape):
            cell = shape.table.rows[row][column]
            frame = TextFrame(cell.insets_emu, cell.anchor)
            yield cell.paragraphs, box, cell.fill, text_areas(cell.paragraphs, box, frame)


def with_texts(shape: Shape, texts: list[tuple[Paragraph, ...]]) -> Shape:
    """Return a shape with its texts replaced, in the order of `texts_of`."""
    remaining = iter(texts)
    paragraphs = next(remaining) if shape.paragraphs else ()
    if shape.table is None:
        return replace(shape, paragraphs=paragraphs)
    rows = [list(row) for row in shape.table.rows]
    for row, column, _ in cell_boxes(shape):
        rows[row][column] = replace(rows[row][column], paragraphs=next(remaining))
    table = replace(shape.table, rows=tuple(tuple(row) for row in rows))
    return replace(shape, paragraphs=paragraphs, table=table)


def without_text(shape: Shape) -> Shape:
    """Return a shape without any text."""
    shape_without_text = with_texts(shape, [() for _ in texts_of(shape)])
    chart = None if shape.chart is None else replace(shape.chart, title="")
    art = None if shape.smart_art is None else replace(shape.smart_art, nodes=())
    return replace(shape_without_text, chart=chart, smart_art=art)


def without_ranges(
    shapes: Sequence[Shape], slide: Slide, ranges: Iterable[TextRange]
) -> Iterator[Shape]:
    """Yield shapes without the text at some positions."""
    by_shape: dict[int, list[TextRange]] = {}
    for text_range in ranges:
        by_shape.setdefault(text_range.shape, []).append(text_range)
    for shape in shapes:
        shape_ranges = by_shape.get(shape.index)
        yield (
            shape
            if shape_ranges is None
            else _without_shape_ranges(shape, slide.shapes[shape.index], shape_ranges)
        )


def _without_shape_ranges(shape: Shape, original: Shape, ranges: Sequence[TextRange]) -> Shape:
    cells: list[tuple[int, int] | None] = [None] if original.paragraphs else []
    cells += [(row, column) for row, column, _ in cell_boxes(original)]
    current_text = dict(
        zip(cells, (paragraphs for paragraphs, *_ in texts_of(shape)), strict=False)
    )
    texts = []
    for cell, (paragraphs, *_) in zip(cells, texts_of(original), strict=True):
        cell_ranges = [text_range for text_range in ranges if text_range.cell == cell]
        remaining = tuple(
            _remove_ranges(each, number, cell_ranges) for number, each in enumerate(paragraphs)
        )
        texts.append(remaining if cell_ranges else current_text.get(cell, paragraphs))
    return with_texts(shape if shape.paragraphs else original, texts)


def _remove_ranges(paragraph: Paragraph, number: int, ranges: Sequence[TextRange]) -> Paragraph:
    paragraph_ranges = [
        text_range for text_range in ranges if text_range.paragraph in (None, number)
    ]
    runs: list[Run] = []
    start = 0
    for run in paragraph.runs:
        end = start + len(run.text)
        if not any(
            text_range.start <= start and (text_range.end is None or end <= text_range.end)
            for text_range in paragraph_ranges
        ):
            runs.append(run)
        start = end
    return replace(paragraph, runs=tuple(runs))
