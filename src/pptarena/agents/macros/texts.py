"""Macros that write text: in shapes, cells and notes, and by search and replace."""

from collections.abc import Callable

from pptarena.agents.macros.arguments import Position, Shape, Text
from pptarena.agents.macros.desk import Desk, Play
from pptarena.agents.macros.find_shape import find_node
from pptarena.agents.macros.menus import await_dialog, choose, fill, press
from pptarena.agents.macros.screen import NodeJson, Screen, plain
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
    "take_words",
]

_TRIES = 3
_WHOLE_TRIES = 2
_LINK = "Hyperlink"
_FIND = "Find and Replace"


def edit_text(
    desk: Desk, slide: Position, shape: Shape, text: str, paragraph: Position | None = None
) -> Play[None]:
    """Replace the text of a shape, or of one of its paragraphs."""
    if paragraph is None:
        yield from _edit_whole(desk, slide, shape, text)
        return
    node = yield from open_text(desk, slide, shape, paragraph)
    lines = [each["text"] for each in desk.screen.paragraphs(node)]
    if not 1 <= paragraph <= len(lines):
        raise MacroError(f"expected a paragraph from 1 to {len(lines)}, got {paragraph}")
    yield from take_words(desk, "\n".join(lines), lines[paragraph - 1], paragraph)
    yield from desk.type(text)
    wanted = "\n".join([*lines[: paragraph - 1], text, *lines[paragraph:]])
    yield from desk.put_down()
    yield from _await_text(desk, slide, shape, wanted)


def delete_paragraph(desk: Desk, slide: Position, shape: Shape, paragraph: Position) -> Play[None]:
    """Delete a paragraph other than the first, with the break before it."""
    node = yield from open_text(desk, slide, shape, paragraph)
    lines = [each["text"] for each in desk.screen.paragraphs(node)]
    if not 2 <= paragraph <= len(lines):
        raise MacroError(f"expected a paragraph from 2 to {len(lines)}, got {paragraph}")
    yield from take_words(desk, "\n".join(lines), lines[paragraph - 1], paragraph)
    yield from desk.key("Delete")
    yield from desk.key("BackSpace")
    del lines[paragraph - 1]
    yield from desk.put_down()
    yield from _await_text(desk, slide, shape, "\n".join(lines))


def _edit_whole(desk: Desk, slide: int, shape: str, text: str) -> Play[None]:
    """Replace a text; retry if a part of the old one remains.

    This happens if the text was opened with F2, as required for texts that start with empty lines:
    "Select All" then sometimes selects only a part.
    """
    for left in reversed(range(_WHOLE_TRIES)):
        yield from open_text(desk, slide, shape)
        yield from replace_open_text(desk, text, lambda: find_node(desk, slide, shape))
        yield from desk.put_down()
        try:
            yield from _await_text(desk, slide, shape, text)
            return
        except MacroError:
            if not left:
                raise


def _await_text(desk: Desk, slide: int, shape: str, text: str) -> Play[None]:
    def reads(screen: Screen) -> bool:
        # The tree truncates long texts; what it contains must be a prefix of the new text.
        return any(
            plain(shown) == plain(text)
            or (len(shown) > 1000 and plain(text).startswith(plain(shown)))
            for shown in map(screen.text, screen.shapes())
        )

    yield from desk.await_(reads, f"{shape!r} of slide {slide} to read {text[:60]!r}")


def open_text(desk: Desk, slide: int, shape: str, paragraph: int = 1) -> Play[NodeJson]:
    """Open the text of a shape for editing and return its node.

    A click into the text is tried first: if F2 opens a text for the second time in LibreOffice
    25.2, keys that move the cursor select from the end instead.

    Args:
        desk: The desk.
        slide: Its slide.
        shape: The shape.
        paragraph: The paragraph to click, 1-based.
    """
    yield from show_slide(desk, slide)
    node = find_node(desk, slide, shape)
    lines = [each for each in desk.screen.paragraphs(node) if each["text"].strip()]
    is_clickable = bool(lines) and not _leads_on(desk, slide, shape)
    line = lines[min(paragraph, len(lines)) - 1] if is_clickable else None
    if line is not None:
        yield from desk.click(line)
        if _is_open(desk, find_node(desk, slide, shape)):
            return find_node(desk, slide, shape)
        if not desk.screen.editing:
            yield from desk.click(line, "double_click")
            if _is_open(desk, find_node(desk, slide, shape)):
                return find_node(desk, slide, shape)
    yield from select_shape(desk, slide, shape)
    for _ in range(_TRIES):
        yield from desk.key("F2")
        if desk.screen.editing:
            if line is not None:  # a handle covered it before; a click ends such a selection
                yield from desk.click(line)
            return find_node(desk, slide, shape)
    raise MacroError(f"expected the text of {shape!r} on slide {slide} to open with F2")


def _leads_on(desk: Desk, slide: int, shape: str) -> bool:
    """Return whether a shape contains a hyperlink, which a click would follow."""
    origin = desk.roll.origin(slide)
    found = None if origin is None else find_shape(desk.deck.slides[origin], shape)
    lines = () if found is None else found.paragraphs
    return any(run.link is not None for line in lines for run in line.runs)


def _is_open(desk: Desk, node: NodeJson) -> bool:
    """Return whether the cursor is in a shape."""
    lines = desk.screen.paragraphs(node)
    return desk.screen.editing and any("focused" in line["states"] for line in lines)


def take_words(
    desk: Desk, text: str, words: str, paragraph: int | None = None, occurrence: int = 1
) -> Play[None]:
    """Select a part of the open text, and verify the selection through the clipboard.

    Args:
        desk: The desk.
        text: The entire text, one paragraph per line.
        words: The part to select.
        paragraph: Its paragraph, 1-based; None for the entire text.
        occurrence: Which occurrence there, 1-based.

    Raises:
        MacroError: If the words are missing, or cannot be selected.
    """
    lines = text.split("\n")
    before = 0 if paragraph is None else sum(len(line) + 1 for line in lines[: paragraph - 1])
    start = text.find(words, before)
    for _ in range(occurrence - 1):
        start = start if start < 0 else text.find(words, start + 1)
    if start < 0:
        raise MacroError(f"expected the words {words!r} in {text[:80]!r}")
    if plain(desk.screen.clipboard) == plain(words):  # an earlier copy proves nothing
        yield from desk.act(actions.copy_text("."))
    first, last = start, start + len(words)
    for _ in range(_TRIES):
        yield from desk.key("ctrl+Home")
        yield from desk.key("Right", first)
        yield from desk.key("shift+Right", last - first)
        if not words:
            return
        yield from desk.key("ctrl+c")
        if plain(desk.screen.clipboard) == plain(words):
            return
        first = yield from _presses(desk, start)
        last = yield from _presses(desk, start + len(words))
    raise MacroError(f"expected {words!r} to be selected, got {desk.screen.clipboard[:80]!r}")


def _presses(desk: Desk, letters: int) -> Play[int]:
    """Return the Right presses that select `letters` characters; one press skips an entire link."""
    times = letters
    for _ in range(_TRIES):
        if times <= 0:
            return 0
        yield from desk.key("ctrl+Home")
        yield from desk.key("shift+Right", times)
        yield from desk.key("ctrl+c")
        got = len(desk.screen.clipboard)
        if got == letters:
            break
        times += letters - got
    return times


def replace_open_text(
    desk: Desk, text: str, place: Callable[[], NodeJson | None], *, in_cell: bool = False
) -> Play[None]:
    """Replace the open text, and undo the capitalization of its first letter by autocorrection.

    Args:
        desk: The desk.
        text: The new text.
        place: Finds the node that shows it.
        in_cell: Whether the text is in a table cell, where ctrl+Home moves to the first cell.
    """
    yield from desk.key("ctrl+a")
    if not text:
        yield from desk.key("Delete")
        return
    yield from desk.type(text)
    node = place()
    shown = desk.screen.text(node) if node is not None else ""
    if text[:1].islower() and shown.startswith(text[:1].upper()):
        if in_cell:
            yield from desk.key("Left", len(shown))
        else:
            yield from desk.key("ctrl+Home")
        yield from desk.key("shift+Right")
        yield from desk.type(text[:1])


def notes(desk: Desk, slide: Position, text: str) -> Play[None]:
    """Replace the speaker notes of a slide."""
    yield from show_slide(desk, slide)
    yield from choose(desk, "View", "Notes")
    page = yield from desk.await_(_notes, "the page of the notes")
    lines = desk.screen.paragraphs(page)
    yield from desk.click(lines[0] if lines else page)
    if not desk.screen.editing:
        yield from desk.key("F2")
    if not desk.screen.editing:
        raise MacroError("expected the notes to open for editing")
    yield from replace_open_text(desk, text, lambda: _notes(desk.screen))
    yield from desk.put_down()

    def reads(screen: Screen) -> bool:
        node = _notes(screen)
        return node is not None and plain(screen.text(node))[:900] == plain(text)[:900]

    yield from desk.await_(reads, f"the notes of slide {slide} to read {text[:60]!r}")
    yield from choose(desk, "View", "Normal")
    yield from desk.await_(lambda screen: screen.thumbnails(), "the normal view")


def _notes(screen: Screen) -> NodeJson | None:
    page = screen.page
    if page is None or not page["name"].endswith("(Notes)"):
        return None
    found = [node for node in screen.shapes() if node["role"] in ("panel", "text", "text frame")]
    named = [node for node in found if "notes" in plain(node["name"])]
    return next(iter(named or found[1:]), None)


def link(desk: Desk, slide: Position, shape: Shape, words: Text, url: Text) -> Play[None]:
    """Add a hyperlink to a part of a text."""
    node = yield from open_text(desk, slide, shape)
    yield from take_words(desk, desk.screen.text(node), words)
    yield from desk.key("ctrl+k")
    yield from await_dialog(desk, _LINK)
    yield from fill(desk, _LINK, "Hyperlink Settings", "URL", url)
    yield from press(desk, _LINK)


def find_replace(desk: Desk, find: Text, replace: str) -> Play[None]:
    """Replace a text on all slides."""
    yield from desk.put_down()
    yield from desk.key("ctrl+h")
    yield from await_dialog(desk, _FIND)
    for panel, text in (("Search For", find), ("Replace With", replace)):
        node = yield from desk.await_(_field(panel), f"the field {panel!r}")
        yield from desk.click(node, "triple_click")
        yield from desk.key("ctrl+a")
        if text:
            yield from desk.act(actions.type_text(text))
        else:
            yield from desk.key("Delete")
    yield from press(desk, _FIND, "Replace All", closes=False)
    yield from press(desk, _FIND, "Close")


def _field(panel: str) -> Callable[[Screen], NodeJson | None]:
    def look(screen: Screen) -> NodeJson | None:
        dialog = screen.dialog(_FIND)
        place = None if dialog is None else screen.first("panel", panel, dialog)
        return None if place is None else screen.first("text", within=place)

    return look
