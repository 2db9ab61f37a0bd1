"""Macros for tables: cells, rows and columns."""

from functools import partial

from pptarena.agents.macros.arguments import Position, Shape
from pptarena.agents.macros.driver import Driver, Steps
from pptarena.agents.macros.find_shape import find_node
from pptarena.agents.macros.menus import await_dialog, choose_menu, fill, press
from pptarena.agents.macros.screen import NodeJson, Screen, area_of, normalize
from pptarena.agents.macros.slides import refresh_slide, show_slide
from pptarena.agents.macros.texts import replace_open_text
from pptarena.errors import MacroError

__all__ = [
    "delete_column",
    "edit_cell",
    "edit_cells",
    "insert_row",
    "insert_table",
]

_TABLE_DIALOG, _ROWS_DIALOG = "Insert Table", "Insert Rows"
_UNNAMED_TABLE = "TableShape"  # name in the tree of a table without a name


def edit_cell(
    driver: Driver, slide: Position, shape: Shape, row: Position, column: Position, text: str
) -> Steps[None]:
    """Replace the text of a table cell."""
    yield from edit_cells(driver, slide, shape, row, column, [text])


def edit_cells(
    driver: Driver,
    slide: Position,
    shape: Shape,
    row: Position,
    column: Position,
    texts: list[str | None],
) -> Steps[None]:
    """Replace the texts of table cells in reading order, from one cell on; null keeps a text."""
    yield from _open_cell(driver, slide, shape, row, column)
    _, columns = _table_size(driver, slide, shape)
    find_cells = []
    for offset in range(len(texts)):
        rows_below, column_index = divmod(column - 1 + offset, columns)
        find_cells.append(partial(_cell, driver, slide, shape, row + rows_below, column_index + 1))
    for index, (find_cell, text) in enumerate(zip(find_cells, texts, strict=True)):
        if index:
            yield from driver.key("Tab")
        if text is not None:
            yield from replace_open_text(driver, text, find_cell, in_cell=True)
    yield from driver.end_text_edit()

    def is_complete(screen: Screen) -> bool:
        return all(
            text is None or normalize(screen.text(find_cell())) == normalize(text)
            for find_cell, text in zip(find_cells, texts, strict=True)
        )

    description = f"the texts {texts!r} in the cells from row {row}, column {column}"
    yield from driver.wait_for(is_complete, description)


def insert_table(driver: Driver, slide: Position, cells: list[list[str]]) -> Steps[None]:
    """Insert a table at the application's default position, and fill it cell by cell."""
    yield from show_slide(driver, slide)
    count_before = len(driver.screen.shapes())
    yield from choose_menu(driver, "Insert", "Table...")
    yield from fill(driver, _TABLE_DIALOG, None, "Number of columns", str(len(cells[0])))
    yield from fill(driver, _TABLE_DIALOG, None, "Number of rows", str(len(cells)))
    yield from press(driver, _TABLE_DIALOG)
    yield from driver.wait_for(
        lambda screen: len(screen.shapes()) > count_before, f"a table on slide {slide}"
    )
    yield from driver.end_text_edit()
    yield from _open_cell(driver, slide, _UNNAMED_TABLE, 1, 1)
    for index, text in enumerate(text for row in cells for text in row):
        if index:
            yield from driver.key("Tab")
        if text:
            yield from driver.type(text)
    yield from driver.end_text_edit()
    for row, texts in enumerate(cells, start=1):
        for column, text in enumerate(texts, start=1):
            shown_text = driver.screen.text(_cell(driver, slide, _UNNAMED_TABLE, row, column))
            if normalize(shown_text) != normalize(text):
                raise MacroError(
                    f"expected {text!r} in row {row}, column {column}, got {shown_text!r}"
                )


def delete_column(driver: Driver, slide: Position, shape: Shape, column: Position) -> Steps[None]:
    """Delete a column of a table."""
    rows, columns = yield from _open_cell_and_measure(driver, slide, shape, 1, column)
    yield from choose_menu(driver, "Format", "Table", "Delete Columns")
    yield from _await_size(driver, slide, shape, (rows, columns - 1))


def insert_row(driver: Driver, slide: Position, shape: Shape, after: Position) -> Steps[None]:
    """Insert an empty row below another one."""
    rows, columns = yield from _open_cell_and_measure(driver, slide, shape, after, 1)
    yield from choose_menu(driver, "Format", "Table", _ROWS_DIALOG)
    dialog = yield from await_dialog(driver, _ROWS_DIALOG)
    below_selection = driver.screen.first("radio button", "Below selection", dialog)
    if below_selection is None:
        raise MacroError(f"expected a choice 'Below selection' in the dialog {_ROWS_DIALOG!r}")
    yield from driver.click(below_selection)
    yield from press(driver, _ROWS_DIALOG)
    yield from _await_size(driver, slide, shape, (rows + 1, columns))
    yield from refresh_slide(driver, slide)  # updates the positions of the rows below in the tree


def _open_cell_and_measure(
    driver: Driver, slide: int, shape: str, row: int, column: int
) -> Steps[tuple[int, int]]:
    """Open a cell and return the table's number of rows and columns."""
    yield from _open_cell(driver, slide, shape, row, column)
    return _table_size(driver, slide, shape)


def _await_size(driver: Driver, slide: int, shape: str, expected: tuple[int, int]) -> Steps[None]:
    yield from driver.wait_for(
        lambda _: _table_size(driver, slide, shape) == expected,
        f"{shape!r} of slide {slide} with {expected[0]} rows and {expected[1]} columns",
    )


def _open_cell(driver: Driver, slide: int, shape: str, row: int, column: int) -> Steps[None]:
    """Open a cell for editing, with its first line selected."""
    yield from show_slide(driver, slide)
    if "selected" not in find_node(driver, slide, shape)["states"]:
        # The first click opens the table toolbar and moves the slide, so a second click at the same
        # position could hit the row below.
        yield from driver.click(_cell(driver, slide, shape, row, column))
    cell = _cell(driver, slide, shape, row, column)
    # Below a new row, the tree reports wrong positions of the cells' lines.
    lines = [line for line in driver.screen.paragraphs(cell) if _is_inside(line, cell)]
    yield from driver.click(lines[0] if lines else cell, "triple_click")
    if not driver.screen.editing:
        yield from driver.click(_cell(driver, slide, shape, row, column), "double_click")
    if not driver.screen.editing:
        raise MacroError(f"expected the cell in row {row}, column {column} to open for editing")


def _is_inside(line: NodeJson, cell: NodeJson) -> bool:
    """Return whether a nonempty line has its center in a cell."""
    left, top, width, height = area_of(line)
    x, y = left + width / 2, top + height / 2
    left, top, width, height = area_of(cell)
    return bool(line["text"]) and left <= x <= left + width and top <= y <= top + height


def _table_size(driver: Driver, slide: int, shape: str) -> tuple[int, int]:
    """Return the number of rows and columns, including those of merged cells."""
    cells = driver.screen.all("table cell", within=find_node(driver, slide, shape))
    tops, lefts = ({area_of(cell)[axis] for cell in cells} for axis in (1, 0))
    return len(tops), len(lefts)


def _cell(driver: Driver, slide: int, shape: str, row: int, column: int) -> NodeJson:
    table = find_node(driver, slide, shape)
    if table["role"] != "table":
        raise MacroError(f"expected {shape!r} of slide {slide} to be a table")
    name = f"{_column_letters(column)}{row}"
    cell = driver.screen.first("table cell", name, table)
    if cell is None:
        raise MacroError(f"expected a cell in row {row}, column {column} of {shape!r}")
    return cell


def _column_letters(column: int) -> str:
    letters = ""
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return letters
