"""Estimate the position of text on the slide."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pptarena.decks import Box, Paint, Paragraph, Run, Shape, Slide, TextFrame
from pptarena.decks.edits import Spot
from pptarena.decks.visibility.text_extent import EMU_PER_PT, TextBlock, text_blocks

__all__ = [
    "LEAST_SCALE",
    "PlacedText",
    "TextArea",
    "TextNeed",
    "cell_boxes",
    "silent",
    "text_areas",
    "text_need",
    "texts_of",
    "with_texts",
    "without_words",
]

LEAST_SCALE = 0.25
"""Smallest font scale that applications use to fit text."""

_PLAIN_FRAME = TextFrame()
_MUCH_TOO_HIGH = 2.0


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
class TextNeed:
    """Required and available space of a text, in points.

    Attributes:
        height_pt: Required height.
        room_height_pt: Available height.
        width_pt: Required width of the widest line.
        room_width_pt: Available width.
        scale: Font scale applied to shrink the text.
    """

    height_pt: float
    room_height_pt: float
    width_pt: float
    room_width_pt: float
    scale: float


def text_need(
    paragraphs: tuple[Paragraph, ...], box: Box, frame: TextFrame | None, shrinks: bool = False
) -> TextNeed:
    """Return the required and available space of a text.

    Args:
        paragraphs: The text.
        box: Box of the shape or cell.
        frame: Text frame properties.
        shrinks: Whether the application shrinks the text to fit.
    """
    return _laid_out(paragraphs, box, frame or _PLAIN_FRAME, shrinks)[0]


def _laid_out(
    paragraphs: tuple[Paragraph, ...], box: Box, frame: TextFrame, shrinks: bool
) -> tuple[TextNeed, tuple[TextBlock, ...]]:
    width, height = box.width / EMU_PER_PT, box.height / EMU_PER_PT
    if frame.vertical.startswith("vert"):
        width, height = height, width
    left, top, right, bottom = (each / EMU_PER_PT for each in frame.insets_emu)
    columns = max(1, frame.columns)
    gaps = (columns - 1) * frame.column_gap_emu / EMU_PER_PT
    room_width = max(1.0, (width - left - right - gaps) / columns)
    room_height = max(1.0, (height - top - bottom) * columns)
    line_room = room_width if frame.wrap else None
    scale = max(LEAST_SCALE, frame.autofit_scale_pct / 100)
    while True:
        blocks = text_blocks(paragraphs, line_room, scale)
        needed = blocks[-1].top_pt + blocks[-1].height_pt if blocks else 0.0
        if not shrinks or needed <= room_height or scale <= LEAST_SCALE:
            break
        scale = max(LEAST_SCALE, scale * 0.9)
    widest = max((block.width_pt for block in blocks), default=0.0)
    return TextNeed(needed, room_height, widest, room_width, scale), blocks


def text_areas(
    paragraphs: tuple[Paragraph, ...], box: Box, frame: TextFrame | None, shrinks: bool = False
) -> tuple[TextArea, ...]:
    """Return the area of each paragraph; the arguments are those of `text_need`.

    Text that is far too long to be shrunk is not shrunk. Text in a frame narrower than a character
    has no visible lines. Text in columns, vertical text, rotated text and WordArt are assumed to
    fill the box.
    """
    frame = frame or _PLAIN_FRAME
    if frame.columns > 1 or frame.vertical != "horz" or frame.rotation_deg or frame.warp:
        sides = float(box.left), float(box.top), float(box.right), float(box.bottom)
        return tuple(TextArea(*sides, (sides,)) for _ in paragraphs)
    need, blocks = _laid_out(paragraphs, box, frame, shrinks)
    if shrinks and need.height_pt > _MUCH_TOO_HIGH * need.room_height_pt:
        need, blocks = _laid_out(paragraphs, box, frame, shrinks=False)
    if frame.wrap and _is_cut_into_letters(paragraphs, need.room_width_pt):
        return tuple(TextArea(box.left, box.top, box.left, box.top, ()) for _ in paragraphs)
    left, top, right, bottom = frame.insets_emu
    spare = box.height - top - bottom - need.height_pt * EMU_PER_PT
    start = box.top + top + {"top": 0.0, "middle": spare / 2, "bottom": spare}[frame.anchor]
    room = box.left + left, box.right - right
    return tuple(
        _area(paragraph, block, room, start + block.top_pt * EMU_PER_PT)
        for paragraph, block in zip(paragraphs, blocks, strict=True)
    )


def _is_cut_into_letters(paragraphs: tuple[Paragraph, ...], room_pt: float) -> bool:
    """Return whether the frame is so narrow that each character takes a line."""
    widest = max((run.style.size_pt for p in paragraphs for run in p.runs), default=0.0)
    return room_pt < widest and any(len(word) > 2 for p in paragraphs for word in p.text.split())


def _area(
    paragraph: Paragraph, block: TextBlock, room: tuple[float, float], upper: float
) -> TextArea:
    """Return the area of a paragraph between two sides, starting at its top."""
    height = block.height_pt * EMU_PER_PT
    line = height / len(block.rows)
    letters = min(line, block.letters_pt * EMU_PER_PT)
    rows = []
    for number, row in enumerate(block.rows):
        if row.width_pt > row.start_pt:
            start = _line_start(paragraph, block.indent_pt + row.width_pt, room)
            begin = start + (block.indent_pt + row.start_pt) * EMU_PER_PT
            end = start + (block.indent_pt + row.width_pt) * EMU_PER_PT
            lower = upper + (number + 1) * line
            rows.append((begin, lower - letters, end, lower))
    side = _line_start(paragraph, block.width_pt, room)
    return TextArea(side, upper, side + block.width_pt * EMU_PER_PT, upper + height, tuple(rows))


def _line_start(paragraph: Paragraph, width_pt: float, room: tuple[float, float]) -> float:
    from_right = room[1] - width_pt * EMU_PER_PT
    if paragraph.align == "center":
        return (room[0] + from_right) / 2
    return from_right if paragraph.align == "right" else room[0]


def cell_boxes(shape: Shape) -> Iterator[tuple[int, int, Box]]:
    """Yield row and column (from 0) and box of each table cell that no other cell covers."""
    table = shape.table
    if table is None:
        return
    top = shape.box.top
    for row, cells in enumerate(table.rows):
        left = shape.box.left
        for column, cell in enumerate(cells):
            across, down = cell.spans
            width = sum(table.column_widths[column : column + max(1, across)])
            height = sum(table.row_heights[row : row + max(1, down)])
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
    rest = iter(texts)
    own = next(rest) if shape.paragraphs else ()
    if shape.table is None:
        return replace(shape, paragraphs=own)
    rows = [list(row) for row in shape.table.rows]
    for row, column, _ in cell_boxes(shape):
        rows[row][column] = replace(rows[row][column], paragraphs=next(rest))
    table = replace(shape.table, rows=tuple(tuple(row) for row in rows))
    return replace(shape, paragraphs=own, table=table)


def silent(shape: Shape) -> Shape:
    """Return a shape without any text."""
    bare = with_texts(shape, [() for _ in texts_of(shape)])
    chart = None if shape.chart is None else replace(shape.chart, title="")
    art = None if shape.smart_art is None else replace(shape.smart_art, nodes=())
    return replace(bare, chart=chart, smart_art=art)


def without_words(shapes: Sequence[Shape], slide: Slide, spots: Iterable[Spot]) -> Iterator[Shape]:
    """Yield shapes without the text at some positions."""
    by_shape: dict[int, list[Spot]] = {}
    for spot in spots:
        by_shape.setdefault(spot.shape, []).append(spot)
    for shape in shapes:
        mine = by_shape.get(shape.index)
        yield shape if mine is None else _without(shape, slide.shapes[shape.index], mine)


def _without(shape: Shape, whole: Shape, spots: Sequence[Spot]) -> Shape:
    cells: list[tuple[int, int] | None] = [None] if whole.paragraphs else []
    cells += [(row, column) for row, column, _ in cell_boxes(whole)]
    left = dict(zip(cells, (paragraphs for paragraphs, *_ in texts_of(shape)), strict=False))
    texts = []
    for cell, (paragraphs, *_) in zip(cells, texts_of(whole), strict=True):
        mine = [spot for spot in spots if spot.cell == cell]
        cut = tuple(_cut(each, number, mine) for number, each in enumerate(paragraphs))
        texts.append(cut if mine else left.get(cell, paragraphs))
    return with_texts(shape if shape.paragraphs else whole, texts)


def _cut(paragraph: Paragraph, number: int, spots: Sequence[Spot]) -> Paragraph:
    mine = [spot for spot in spots if spot.paragraph in (None, number)]
    left: list[Run] = []
    at = 0
    for run in paragraph.runs:
        end = at + len(run.text)
        if not any(spot.start <= at and (spot.end is None or end <= spot.end) for spot in mine):
            left.append(run)
        at = end
    return replace(paragraph, runs=tuple(left))
