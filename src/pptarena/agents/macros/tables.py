"""Macros for tables: cells, rows and columns."""

from functools import partial

from pptarena.agents.macros.arguments import Position, Shape
from pptarena.agents.macros.desk import Desk, Play
from pptarena.agents.macros.find_shape import find_node
from pptarena.agents.macros.menus import await_dialog, choose, fill, press
from pptarena.agents.macros.screen import NodeJson, Screen, area_of, plain
from pptarena.agents.macros.slides import show_anew, show_slide
from pptarena.agents.macros.texts import replace_open_text
from pptarena.errors import MacroError

__all__ = [
    "delete_column",
    "edit_cell",
    "edit_cells",
    "insert_row",
    "insert_table",
]

_INSERT, _ROWS = "Insert Table", "Insert Rows"
_NEW = "TableShape"  # name in the tree of a table without a name


def edit_cell(
    desk: Desk, slide: Position, shape: Shape, row: Position, column: Position, text: str
) -> Play[None]:
    """Replace the text of a table cell."""
    yield from edit_cells(desk, slide, shape, row, column, [text])


def edit_cells(
    desk: Desk,
    slide: Position,
    shape: Shape,
    row: Position,
    column: Position,
    texts: list[str | None],
) -> Play[None]:
    """Replace the texts of table cells in reading order, from one cell on; null keeps a text."""
    yield from _open_cell(desk, slide, shape, row, column)
    _, columns = _size(desk, slide, shape)
    places = []
    for number in range(len(texts)):
        below, left = divmod(column - 1 + number, columns)
        places.append(partial(_cell, desk, slide, shape, row + below, left + 1))
    for number, (place, text) in enumerate(zip(places, texts, strict=True)):
        if number:
            yield from desk.key("Tab")
        if text is not None:
            yield from replace_open_text(desk, text, place, in_cell=True)
    yield from desk.put_down()

    def read(screen: Screen) -> bool:
        return all(
            text is None or plain(screen.text(place())) == plain(text)
            for place, text in zip(places, texts, strict=True)
        )

    what = f"the {len(texts)} cells from row {row}, column {column} on to read {texts!r}"
    yield from desk.await_(read, what)


def insert_table(desk: Desk, slide: Position, cells: list[list[str]]) -> Play[None]:
    """Insert a table at the application's default position, and fill it cell by cell."""
    yield from show_slide(desk, slide)
    before = len(desk.screen.shapes())
    yield from choose(desk, "Insert", "Table...")
    yield from fill(desk, _INSERT, None, "Number of columns", str(len(cells[0])))
    yield from fill(desk, _INSERT, None, "Number of rows", str(len(cells)))
    yield from press(desk, _INSERT)
    yield from desk.await_(
        lambda screen: len(screen.shapes()) > before, f"a table on slide {slide}"
    )
    yield from desk.put_down()
    yield from _open_cell(desk, slide, _NEW, 1, 1)
    for number, text in enumerate(text for row in cells for text in row):
        if number:
            yield from desk.key("Tab")
        if text:
            yield from desk.type(text)
    yield from desk.put_down()
    for row, texts in enumerate(cells, start=1):
        for column, text in enumerate(texts, start=1):
            shown = desk.screen.text(_cell(desk, slide, _NEW, row, column))
            if plain(shown) != plain(text):
                raise MacroError(f"expected {text!r} in row {row}, column {column}, got {shown!r}")


def delete_column(desk: Desk, slide: Position, shape: Shape, column: Position) -> Play[None]:
    """Delete a column of a table."""
    rows, columns = yield from _open_at(desk, slide, shape, 1, column)
    yield from choose(desk, "Format", "Table", "Delete Columns")
    yield from _await_size(desk, slide, shape, (rows, columns - 1))


def insert_row(desk: Desk, slide: Position, shape: Shape, after: Position) -> Play[None]:
    """Insert an empty row below another one."""
    rows, columns = yield from _open_at(desk, slide, shape, after, 1)
    yield from choose(desk, "Format", "Table", _ROWS)
    box = yield from await_dialog(desk, _ROWS)
    below = desk.screen.first("radio button", "Below selection", box)
    if below is None:
        raise MacroError(f"expected a choice 'Below selection' in the dialog {_ROWS!r}")
    yield from desk.click(below)
    yield from press(desk, _ROWS)
    yield from _await_size(desk, slide, shape, (rows + 1, columns))
    yield from show_anew(desk, slide)  # the tree still has the old positions of the rows below


def _open_at(desk: Desk, slide: int, shape: str, row: int, column: int) -> Play[tuple[int, int]]:
    """Open a cell and return the table's number of rows and columns."""
    yield from _open_cell(desk, slide, shape, row, column)
    return _size(desk, slide, shape)


def _await_size(desk: Desk, slide: int, shape: str, wanted: tuple[int, int]) -> Play[None]:
    yield from desk.await_(
        lambda _: _size(desk, slide, shape) == wanted,
        f"{shape!r} of slide {slide} with {wanted[0]} rows and {wanted[1]} columns",
    )


def _open_cell(desk: Desk, slide: int, shape: str, row: int, column: int) -> Play[None]:
    """Open a cell for editing, with its first line selected."""
    yield from show_slide(desk, slide)
    if "selected" not in find_node(desk, slide, shape)["states"]:
        # The first click opens the table toolbar, which moves the slide: a second click at the same
        # position could hit the row below.
        yield from desk.click(_cell(desk, slide, shape, row, column))
    cell = _cell(desk, slide, shape, row, column)
    # Below a new row, the tree reports wrong positions of the cells' lines.
    lines = [each for each in desk.screen.paragraphs(cell) if _is_inside(each, cell)]
    yield from desk.click(lines[0] if lines else cell, "triple_click")
    if not desk.screen.editing:
        yield from desk.click(_cell(desk, slide, shape, row, column), "double_click")
    if not desk.screen.editing:
        raise MacroError(f"expected the cell in row {row}, column {column} to open for editing")


def _is_inside(line: NodeJson, cell: NodeJson) -> bool:
    """Return whether a nonempty line has its center in a cell."""
    left, top, width, height = area_of(line)
    x, y = left + width / 2, top + height / 2
    left, top, width, height = area_of(cell)
    return bool(line["text"]) and left <= x <= left + width and top <= y <= top + height


def _size(desk: Desk, slide: int, shape: str) -> tuple[int, int]:
    """Return the number of rows and columns, including those of merged cells."""
    cells = desk.screen.all("table cell", within=find_node(desk, slide, shape))
    tops, lefts = ({area_of(cell)[at] for cell in cells} for at in (1, 0))
    return len(tops), len(lefts)


def _cell(desk: Desk, slide: int, shape: str, row: int, column: int) -> NodeJson:
    table = find_node(desk, slide, shape)
    if table["role"] != "table":
        raise MacroError(f"expected {shape!r} of slide {slide} to be a table")
    name = f"{_letters(column)}{row}"
    cell = desk.screen.first("table cell", name, table)
    if cell is None:
        raise MacroError(f"expected a cell in row {row}, column {column} of {shape!r}")
    return cell


def _letters(column: int) -> str:
    found = ""
    while column:
        column, rest = divmod(column - 1, 26)
        found = chr(ord("A") + rest) + found
    return found
