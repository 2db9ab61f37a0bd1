"""Macros that write text: in shapes, cells and notes, and by search and replace."""

from collections.abc import Callable

from pptarena.agents.macros.arguments import Position, Shape, Text
from pptarena.agents.macros.driver import Driver, Steps
from pptarena.agents.macros.find_shape import find_node
from pptarena.agents.macros.menus import await_dialog, choose_menu, fill, press
from pptarena.agents.macros.screen import NodeJson, Screen, normalize
from pptarena.agents.macros.shapes import select_shape
from pptarena.agents.macros.slides import show_slide
from pptarena.decks.selectors import find_shape
from pptarena.envs import actions
from pptarena.errors import MacroError

__all__ = [
    "delete_paragraph",
    "edit_text",
    "find_replace",
    "link",
    "notes",
    "open_text",
    "replace_open_text",
    "select_substring",
]

_MAX_TRIES = 3
_MAX_EDITS = 2
_LINK_DIALOG = "Hyperlink"
_FIND_DIALOG = "Find and Replace"


def edit_text(
    driver: Driver, slide: Position, shape: Shape, text: str, paragraph: Position | None = None
) -> Steps[None]:
    """Replace the text of a shape, or of one of its paragraphs."""
    if paragraph is None:
        yield from _edit_entire_text(driver, slide, shape, text)
        return
    node = yield from open_text(driver, slide, shape, paragraph)
    lines = [line["text"] for line in driver.screen.paragraphs(node)]
    if not 1 <= paragraph <= len(lines):
        raise MacroError(f"expected a paragraph from 1 to {len(lines)}, got {paragraph}")
    yield from select_substring(driver, "\n".join(lines), lines[paragraph - 1], paragraph)
    yield from driver.type(text)
    expected = "\n".join([*lines[: paragraph - 1], text, *lines[paragraph:]])
    yield from driver.end_text_edit()
    yield from _await_text(driver, slide, shape, expected)


def delete_paragraph(
    driver: Driver, slide: Position, shape: Shape, paragraph: Position
) -> Steps[None]:
    """Delete a paragraph other than the first, with the break before it."""
    node = yield from open_text(driver, slide, shape, paragraph)
    lines = [line["text"] for line in driver.screen.paragraphs(node)]
    if not 2 <= paragraph <= len(lines):
        raise MacroError(f"expected a paragraph from 2 to {len(lines)}, got {paragraph}")
    yield from select_substring(driver, "\n".join(lines), lines[paragraph - 1], paragraph)
    yield from driver.key("Delete")
    yield from driver.key("BackSpace")
    del lines[paragraph - 1]
    yield from driver.end_text_edit()
    yield from _await_text(driver, slide, shape, "\n".join(lines))


def _edit_entire_text(driver: Driver, slide: int, shape: str, text: str) -> Steps[None]:
    """Replace a text; retry if a part of the old text remains.

    Texts that start with empty lines must be opened with F2. "Select All" then sometimes selects
    only a part.
    """
    for retries_left in reversed(range(_MAX_EDITS)):
        yield from open_text(driver, slide, shape)
        yield from replace_open_text(driver, text, lambda: find_node(driver, slide, shape))
        yield from driver.end_text_edit()
        try:
            yield from _await_text(driver, slide, shape, text)
            return
        except MacroError:
            if not retries_left:
                raise


def _await_text(driver: Driver, slide: int, shape: str, text: str) -> Steps[None]:
    def is_shown(screen: Screen) -> bool:
        # The tree truncates long texts, so compare only the visible prefix.
        return any(
            normalize(shown_text) == normalize(text)
            or (len(shown_text) > 1000 and normalize(text).startswith(normalize(shown_text)))
            for shown_text in map(screen.text, screen.shapes())
        )

    yield from driver.wait_for(is_shown, f"{shape!r} of slide {slide} to read {text[:60]!r}")


def open_text(driver: Driver, slide: int, shape: str, paragraph: int = 1) -> Steps[NodeJson]:
    """Open the text of a shape for editing and return its node.

    A click into the text is tried first: if F2 opens a text for the second time in LibreOffice
    25.2, keys that move the cursor select from the end instead.

    Args:
        driver: The driver.
        slide: Its slide.
        shape: The shape.
        paragraph: The paragraph to click, 1-based.
    """
    yield from show_slide(driver, slide)
    node = find_node(driver, slide, shape)
    lines = [
        paragraph_node
        for paragraph_node in driver.screen.paragraphs(node)
        if paragraph_node["text"].strip()
    ]
    is_clickable = bool(lines) and not _has_hyperlink(driver, slide, shape)
    line = lines[min(paragraph, len(lines)) - 1] if is_clickable else None
    if line is not None:
        yield from driver.click(line)
        if _is_open(driver, find_node(driver, slide, shape)):
            return find_node(driver, slide, shape)
        if not driver.screen.editing:
            yield from driver.click(line, "double_click")
            if _is_open(driver, find_node(driver, slide, shape)):
                return find_node(driver, slide, shape)
    yield from select_shape(driver, slide, shape)
    for _ in range(_MAX_TRIES):
        yield from driver.key("F2")
        if driver.screen.editing:
            if line is not None:  # a handle covered the line before; the click clears the selection
                yield from driver.click(line)
            return find_node(driver, slide, shape)
    raise MacroError(f"expected the text of {shape!r} on slide {slide} to open with F2")


def _has_hyperlink(driver: Driver, slide: int, shape: str) -> bool:
    """Return whether a shape contains a hyperlink, which a click would follow."""
    origin = driver.slide_tracker.origin(slide)
    deck_shape = None if origin is None else find_shape(driver.deck.slides[origin], shape)
    paragraphs = () if deck_shape is None else deck_shape.paragraphs
    return any(run.link is not None for paragraph in paragraphs for run in paragraph.runs)


def _is_open(driver: Driver, node: NodeJson) -> bool:
    """Return whether the cursor is in a shape."""
    lines = driver.screen.paragraphs(node)
    return driver.screen.editing and any("focused" in line["states"] for line in lines)


def select_substring(
    driver: Driver, text: str, substring: str, paragraph: int | None = None, occurrence: int = 1
) -> Steps[None]:
    """Select a part of the open text, and verify the selection through the clipboard.

    Args:
        driver: The driver.
        text: The entire text, one paragraph per line.
        substring: The part to select.
        paragraph: Its paragraph, 1-based; None for the entire text.
        occurrence: Its occurrence in the paragraph or text, 1-based.

    Raises:
        MacroError: If the substring is missing, or cannot be selected.
    """
    lines = text.split("\n")
    search_start = 0 if paragraph is None else sum(len(line) + 1 for line in lines[: paragraph - 1])
    start = text.find(substring, search_start)
    for _ in range(occurrence - 1):
        start = start if start < 0 else text.find(substring, start + 1)
    if start < 0:
        raise MacroError(f"expected {substring!r} in {text[:80]!r}")
    if normalize(driver.screen.clipboard) == normalize(substring):
        # Clear the clipboard, because a copy of the same text would prove nothing.
        yield from driver.act(actions.copy_text("."))
    presses_before, presses_after = start, start + len(substring)
    for _ in range(_MAX_TRIES):
        yield from driver.key("ctrl+Home")
        yield from driver.key("Right", presses_before)
        yield from driver.key("shift+Right", presses_after - presses_before)
        if not substring:
            return
        yield from driver.key("ctrl+c")
        if normalize(driver.screen.clipboard) == normalize(substring):
            return
        presses_before = yield from _count_presses(driver, start)
        presses_after = yield from _count_presses(driver, start + len(substring))
    raise MacroError(f"expected {substring!r} to be selected, got {driver.screen.clipboard[:80]!r}")


def _count_presses(driver: Driver, characters: int) -> Steps[int]:
    """Return the presses of Right that select a number of characters; one press skips a link."""
    presses = characters
    for _ in range(_MAX_TRIES):
        if presses <= 0:
            return 0
        yield from driver.key("ctrl+Home")
        yield from driver.key("shift+Right", presses)
        yield from driver.key("ctrl+c")
        selected = len(driver.screen.clipboard)
        if selected == characters:
            break
        presses += characters - selected
    return presses


def replace_open_text(
    driver: Driver, text: str, get_node: Callable[[], NodeJson | None], *, in_cell: bool = False
) -> Steps[None]:
    """Replace the open text, and undo the capitalization of its first letter by autocorrection.

    Args:
        driver: The driver.
        text: The new text.
        get_node: Returns the node that shows the text.
        in_cell: Whether the text is in a table cell; there, ctrl+Home moves to the first cell.
    """
    yield from driver.key("ctrl+a")
    if not text:
        yield from driver.key("Delete")
        return
    yield from driver.type(text)
    node = get_node()
    shown_text = driver.screen.text(node) if node is not None else ""
    if text[:1].islower() and shown_text.startswith(text[:1].upper()):
        if in_cell:
            yield from driver.key("Left", len(shown_text))
        else:
            yield from driver.key("ctrl+Home")
        yield from driver.key("shift+Right")
        yield from driver.type(text[:1])


def notes(driver: Driver, slide: Position, text: str) -> Steps[None]:
    """Replace the speaker notes of a slide."""
    yield from show_slide(driver, slide)
    yield from choose_menu(driver, "View", "Notes")
    page = yield from driver.wait_for(_notes_shape, "the page of the notes")
    lines = driver.screen.paragraphs(page)
    yield from driver.click(lines[0] if lines else page)
    if not driver.screen.editing:
        yield from driver.key("F2")
    if not driver.screen.editing:
        raise MacroError("expected the notes to open for editing")
    yield from replace_open_text(driver, text, lambda: _notes_shape(driver.screen))
    yield from driver.end_text_edit()

    def is_shown(screen: Screen) -> bool:
        node = _notes_shape(screen)
        return node is not None and normalize(screen.text(node))[:900] == normalize(text)[:900]

    yield from driver.wait_for(is_shown, f"the notes of slide {slide} to read {text[:60]!r}")
    yield from choose_menu(driver, "View", "Normal")
    yield from driver.wait_for(lambda screen: screen.thumbnails(), "the normal view")


def _notes_shape(screen: Screen) -> NodeJson | None:
    page = screen.page
    if page is None or not page["name"].endswith("(Notes)"):
        return None
    text_shapes = [
        node for node in screen.shapes() if node["role"] in ("panel", "text", "text frame")
    ]
    notes_shapes = [node for node in text_shapes if "notes" in normalize(node["name"])]
    return next(iter(notes_shapes or text_shapes[1:]), None)


def link(driver: Driver, slide: Position, shape: Shape, words: Text, url: Text) -> Steps[None]:
    """Add a hyperlink to a part of a text."""
    node = yield from open_text(driver, slide, shape)
    yield from select_substring(driver, driver.screen.text(node), words)
    yield from driver.key("ctrl+k")
    yield from await_dialog(driver, _LINK_DIALOG)
    yield from fill(driver, _LINK_DIALOG, "Hyperlink Settings", "URL", url)
    yield from press(driver, _LINK_DIALOG)


def find_replace(driver: Driver, find: Text, replace: str) -> Steps[None]:
    """Replace a text on all slides."""
    yield from driver.end_text_edit()
    yield from driver.key("ctrl+h")
    yield from await_dialog(driver, _FIND_DIALOG)
    for panel, text in (("Search For", find), ("Replace With", replace)):
        field = yield from driver.wait_for(_find_field(panel), f"the field {panel!r}")
        yield from driver.click(field, "triple_click")
        yield from driver.key("ctrl+a")
        if text:
            yield from driver.act(actions.type_text(text))
        else:
            yield from driver.key("Delete")
    yield from press(driver, _FIND_DIALOG, "Replace All", closes=False)
    yield from press(driver, _FIND_DIALOG, "Close")


def _find_field(panel: str) -> Callable[[Screen], NodeJson | None]:
    def find(screen: Screen) -> NodeJson | None:
        dialog = screen.dialog(_FIND_DIALOG)
        panel_node = None if dialog is None else screen.first("panel", panel, dialog)
        return None if panel_node is None else screen.first("text", within=panel_node)

    return find
