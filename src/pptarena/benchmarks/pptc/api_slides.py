"""API calls that create, navigate and color slides, and select objects."""

from pptx.dml.color import RGBColor

from pptarena.benchmarks.pptc.errors import Refusal
from pptarena.benchmarks.pptc.find import SHAPES, canonical_name, find_by_index, find_last
from pptarena.benchmarks.pptc.workspace import Workspace

__all__ = [
    "choose_chart",
    "choose_content",
    "choose_picture",
    "choose_shape",
    "choose_table",
    "choose_table_cell",
    "choose_textbox",
    "choose_title",
    "create_slide",
    "move_to_next_slide",
    "move_to_previous_slide",
    "move_to_slide",
    "set_background_color",
]


def create_slide(work: Workspace) -> None:
    """Add a slide at the end and go to it."""
    work.add_slide()


def move_to_previous_slide(work: Workspace) -> None:
    """Go to the previous slide."""
    work.go_to(work.slide_index - (0 if work.quirks else 1))


def move_to_next_slide(work: Workspace) -> None:
    """Go to the next slide."""
    work.go_to(work.slide_index + (0 if work.quirks else 1))


def move_to_slide(work: Workspace, slide_id: int) -> None:
    """Go to a slide by index, from 0."""
    work.go_to(slide_id)


def set_background_color(work: Workspace, color: RGBColor) -> None:
    """Fill the slide's background."""
    fill = work.slide.background.fill
    fill.solid()
    fill.fore_color.rgb = color


def choose_title(work: Workspace) -> None:
    """Select the title of the slide."""
    work.current = find_by_index(work.slide, "title", 0)


def choose_content(work: Workspace) -> None:
    """Select the first content placeholder of the slide."""
    work.current = find_by_index(work.slide, "content", 0)


def choose_textbox(work: Workspace, idx: int = 0) -> None:
    """Select a text box by index."""
    work.current = find_by_index(work.slide, "textbox", idx)


def choose_picture(work: Workspace, idx: int = 0) -> None:
    """Select a picture by index."""
    work.current = find_by_index(work.slide, "picture", idx)


def choose_chart(work: Workspace) -> None:
    """Select the last inserted chart."""
    work.current = find_last(work.slide, "chart")


def choose_shape(work: Workspace, shape_name: str) -> None:
    """Select the last inserted shape of a type."""
    if canonical_name(shape_name) not in SHAPES:
        raise Refusal(f"expected one of {', '.join(SHAPES)}, got '{shape_name}'")
    work.current = find_last(work.slide, shape_name)


def choose_table(work: Workspace) -> None:
    """Select the last inserted table."""
    work.current = find_last(work.slide, "table")


def choose_table_cell(work: Workspace, row_id: int, column_id: int) -> None:
    """Select a cell of the last inserted table; indexes start at 0."""
    table = find_last(work.slide, "table").table
    rows, columns = len(table.rows), len(table.columns)
    if row_id >= rows or column_id >= columns:
        raise Refusal(
            f"expected a cell of {rows} rows and {columns} columns, got {row_id}, {column_id}"
        )
    work.current = table.cell(row_id, column_id)
