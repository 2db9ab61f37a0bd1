"""The document of the fake machine: a real .pptx and a small set of edits."""

from collections.abc import Callable
from copy import copy
from hashlib import sha256
from typing import Any, Self
from zipfile import BadZipFile
from zlib import error as ZlibError

from lxml.etree import LxmlError
from pptx import Presentation
from pptx.enum.text import PP_ALIGN
from pptx.exc import PythonPptxError

from pptarena.decks.presentation import open_presentation, save_presentation
from pptarena.edits.slide_list import add_slide, clone_slide, drop_slide, move_slide
from pptarena.edits.text_frames import (
    align,
    paragraphs_of,
    read_text,
    runs_of,
    set_size,
    toggle_format,
    write_text,
)
from pptarena.envs.machines.fake.text_edit import TextEdit
from pptarena.errors import DeckError

__all__ = ["FORMATS", "FakeDocument", "box_of"]

FORMATS = ("bold", "italic", "underline")
UNDO_DEPTH = 30


class FakeDocument:
    """A presentation with its selection, open text edit and undo history.

    Attributes:
        revision: Incremented by every committed change.
        current: 0-based index of the current slide; -1 if there are no slides.
        selected: Id of the selected shape; 0 for none.
        panel_focused: Whether the slide panel has the focus instead of the slide.
        open_menu: Path of the open menu from the menu bar; empty for none.
        edit: The open text edit; None for none.
        open: Whether the deck is open; a closed deck shows no slides.
        disk: The file as last opened or saved.
    """

    def __init__(self, data: bytes) -> None:
        """Open a deck.

        Raises:
            DeckError: If `data` is not a readable .pptx file.
        """
        self._presentation = _open(data)
        self._saved: bytes | None = None
        self._titles: dict[int, str] = {}  # by index, valid until the next change
        self.disk = data
        self.open = True
        self._undo: list[tuple[bytes, int]] = []
        self._redo: list[tuple[bytes, int]] = []
        self.revision = 1
        self.current = 0 if self.slide_count else -1
        self.selected = 0
        self.panel_focused = False
        self.edit: TextEdit | None = None
        self.open_menu: tuple[str, ...] = ()
        self._copied_slide = ""  # relationship id of the copied or cut slide

    def copy(self) -> Self:
        """Return an independent copy, including undo history and open edit."""
        document = type(self)(self.save())
        document._saved = self._saved
        document.disk = self.disk
        if not self.open:
            document.close()
        document._undo, document._redo = list(self._undo), list(self._redo)
        document.revision, document.current = self.revision, self.current
        document.selected, document.panel_focused = self.selected, self.panel_focused
        document.edit = copy(self.edit)
        document.open_menu, document._copied_slide = self.open_menu, self._copied_slide
        return document

    @property
    def slide_count(self) -> int:
        """Number of slides."""
        return len(self._presentation.slides)

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to undo."""
        return bool(self._undo)

    @property
    def can_redo(self) -> bool:
        """Whether there is a change to redo."""
        return bool(self._redo)

    @property
    def slide_size(self) -> tuple[int, int]:
        """Width and height of a slide in EMU."""
        width, height = self._presentation.slide_width, self._presentation.slide_height
        return int(width or 12192000), int(height or 6858000)

    def shapes(self, index: int | None = None) -> list[Any]:
        """Return the shapes of a slide (the current one by default), backmost first."""
        index = self.current if index is None else index
        return list(self._presentation.slides[index].shapes) if index >= 0 else []

    def title(self, index: int) -> str:
        """Return the title of a slide, ``""`` if it has none."""
        if index not in self._titles:
            title = self._presentation.slides[index].shapes.title
            self._titles[index] = "" if title is None else str(title.text_frame.text)
        return self._titles[index]

    def shape_text(self, shape: Any) -> str:
        """Return the text of a shape, including an open edit."""
        if self.edit and self.edit.shape_id == shape.shape_id:
            return self.edit.text
        return read_text(shape)

    def selected_shape(self) -> Any | None:
        """Return the selected shape, None for none."""
        return next((s for s in self.shapes() if s.shape_id == self.selected), None)

    def has_format(self, name: str) -> bool:
        """Return whether all text to be formatted is already bold, italic or underlined."""
        runs = runs_of(self._target_paragraphs())
        return bool(runs) and all(bool(getattr(run.font, name)) for run in runs)

    def go_to(self, index: int) -> None:
        """Go to a slide; the index is clamped to the first and last."""
        self.end_edit()
        self.selected = 0
        self.current = min(max(index, 0), self.slide_count - 1)

    def select(self, shape_id: int) -> None:
        """Select a shape, 0 for none; an open edit of another shape is committed."""
        if self.edit and self.edit.shape_id != shape_id:
            self.end_edit()
        self.selected = shape_id
        self.panel_focused = False

    def begin_edit(self, shape_id: int) -> None:
        """Open the text edit of a shape if it can hold text."""
        self.select(shape_id)
        shape = self.selected_shape()
        if self.edit is None and shape is not None and shape.has_text_frame:
            self.edit = TextEdit(shape_id, read_text(shape))

    def type_text(self, text: str) -> None:
        """Type into the open edit; if none is open, open that of the selected shape first."""
        if self.edit is None and self.selected and not self.panel_focused:
            self.begin_edit(self.selected)
        if self.edit is not None:
            self.edit.insert(text)

    def end_edit(self) -> None:
        """Commit the open edit: write its text into the document and close it."""
        self._write_edit()
        self.edit = None

    def _write_edit(self) -> None:
        """Write the text of the open edit into the document and keep it open."""
        edit = self.edit
        if edit is None:
            return
        shape = next((s for s in self.shapes() if s.shape_id == edit.shape_id), None)
        if shape is not None and read_text(shape) != edit.text:
            self._change(lambda: write_text(shape, edit.text))

    def _target_paragraphs(self) -> list[Any]:
        """Return the paragraphs to format: the selected one, or all of the selected shape."""
        paragraphs = paragraphs_of(self.selected_shape())
        line = self.edit.line if self.edit and self.edit.line_selected else None
        return paragraphs if line is None else paragraphs[line : line + 1]

    def toggle(self, name: str) -> None:
        """Toggle bold, italic or underline on the selected text."""
        self._write_edit()
        paragraphs = self._target_paragraphs()
        self._change_if(runs_of(paragraphs), lambda: toggle_format(paragraphs, name))

    def resize_text(self, step_pt: int) -> None:
        """Change the size of the selected text."""
        self._write_edit()
        paragraphs = self._target_paragraphs()
        self._change_if(runs_of(paragraphs), lambda: set_size(paragraphs, step_pt))

    def align(self, to: PP_ALIGN) -> None:
        """Align the selected paragraphs."""
        self._write_edit()
        paragraphs = self._target_paragraphs()
        self._change_if(paragraphs, lambda: align(paragraphs, to))

    def delete_shape(self) -> None:
        """Delete the selected shape."""
        if shape := self.selected_shape():
            self.edit = None
            self._change(lambda: shape._element.getparent().remove(shape._element))
            self.selected = 0

    def move_shape(self, dx_emu: int, dy_emu: int) -> None:
        """Move the selected shape."""
        shape = self.selected_shape()
        if shape is not None and (dx_emu or dy_emu):
            self.end_edit()
            left, top = int(shape.left or 0) + dx_emu, int(shape.top or 0) + dy_emu
            width, height = shape.width, shape.height

            def place() -> None:
                # A placeholder that inherits its position needs all four values.
                shape.left, shape.top, shape.width, shape.height = left, top, width, height

            self._change(place)

    def new_slide(self) -> None:
        """Insert an empty slide with the current layout after the current one and go to it."""
        slides = self._presentation.slides

        def add() -> None:
            source = slides[self.current] if self.current >= 0 else None
            layout = source.slide_layout if source else self._presentation.slide_layouts[0]
            add_slide(self._presentation, layout, self.current + 1)

        self._change_slides(add, self.current + 1)

    def duplicate_slide(self) -> None:
        """Insert a copy of the current slide after it and go to it."""
        if self.current >= 0:
            self._change_slides(
                lambda: clone_slide(self._presentation, self.current), self.current + 1
            )

    def delete_slide(self) -> None:
        """Delete the current slide unless it is the only one."""
        if self.slide_count > 1:
            self._change_slides(lambda: drop_slide(self._presentation, self.current), self.current)

    def is_hidden(self, index: int) -> bool:
        """Return whether a slide is hidden."""
        return self._presentation.slides[index]._element.get("show") in ("0", "false")

    def hide_slide(self, *, hidden: bool) -> None:
        """Hide or show the current slide."""
        if self.current >= 0 and self.is_hidden(self.current) != hidden:
            element = self._presentation.slides[self.current]._element
            self._change(lambda: element.set("show", "0" if hidden else "1"))

    def move_slide(self, to: int) -> None:
        """Move the current slide to another index and keep it current."""
        if self.current >= 0 and 0 <= to < self.slide_count and to != self.current:
            start = self.current
            self._change_slides(lambda: move_slide(self._presentation, start, to), to)

    def copy_slide(self) -> None:
        """Copy the current slide for `paste_slide`."""
        if self.current >= 0:
            self._copied_slide = self._presentation.slides._sldIdLst[self.current].rId

    def cut_slide(self) -> None:
        """Cut the current slide for `paste_slide`, unless it is the only one."""
        if self.slide_count > 1:
            self.copy_slide()
            entries = self._presentation.slides._sldIdLst
            # The presentation keeps its relationship to the part until it is pasted.
            self._change_slides(lambda: entries.remove(entries[self.current]), self.current)

    def paste_slide(self) -> None:
        """Insert the copied or cut slide after the current one and go to it."""
        entries, part = self._presentation.slides._sldIdLst, self._presentation.part
        if self._copied_slide not in part.rels:
            return  # nothing was copied, or it was deleted since
        relationship_ids = [entry.rId for entry in entries]

        def paste() -> None:
            if self._copied_slide in relationship_ids:
                source = relationship_ids.index(self._copied_slide)
                clone_slide(self._presentation, source)
                move_slide(self._presentation, source + 1, self.current + 1)
            else:
                entries.add_sldId(self._copied_slide)
                move_slide(self._presentation, len(relationship_ids), self.current + 1)

        self._change_slides(paste, self.current + 1)

    def undo(self) -> None:
        """Undo the last change."""
        self._move_in_history(self._undo, self._redo)

    def redo(self) -> None:
        """Redo the last undone change."""
        self._move_in_history(self._redo, self._undo)

    def store(self) -> None:
        """Save the document to disk, as Ctrl+S does."""
        self.end_edit()
        if self.open:
            self.disk = self.save()

    def close(self) -> None:
        """Close the deck without saving it."""
        self._set_presentation(Presentation(), is_open=False)

    def reload(self) -> None:
        """Reopen the file on disk; unsaved changes are lost."""
        self._set_presentation(_open(self.disk), is_open=True)

    def _set_presentation(self, presentation: Any, *, is_open: bool) -> None:
        self._presentation, self.open, self.edit = presentation, is_open, None
        self._undo, self._redo = [], []
        self.current = 0 if self.slide_count else -1
        self.selected, self.panel_focused, self.open_menu = 0, False, ()
        self._copied_slide = ""
        self._mark_changed()

    def save(self) -> bytes:
        """Return the document as .pptx without the open edit; if closed, the file on disk."""
        if not self.open:
            return self.disk
        if self._saved is None:
            self._saved = save_presentation(self._presentation)
        return self._saved

    def _change(self, change: Callable[[], None]) -> None:
        self._undo = [*self._undo[1 - UNDO_DEPTH :], (self.save(), self.current)]
        self._redo.clear()
        change()
        self._mark_changed()

    def _change_if(self, condition: object, change: Callable[[], None]) -> None:
        if condition:
            self._change(change)

    def _change_slides(self, change: Callable[[], None], show: int) -> None:
        self.end_edit()
        self._change(change)
        self.go_to(show)

    def _move_in_history(
        self, source: list[tuple[bytes, int]], target: list[tuple[bytes, int]]
    ) -> None:
        self.end_edit()
        if source:
            target.append((self.save(), self.current))
            data, current = source.pop()
            self._presentation = _open(data)
            self._mark_changed()
            self.go_to(current)

    def _mark_changed(self) -> None:
        self._saved = None
        self._titles.clear()
        self.revision += 1


_validated: set[bytes] = set()
"""Digests of fully validated decks; validation takes longer than opening them."""


def _open(data: bytes) -> Any:
    digest = sha256(data).digest()
    try:
        presentation = open_presentation(data)
        if digest not in _validated:
            _read_all_content(presentation)
            _validated.add(digest)
        return presentation
    except (PythonPptxError, BadZipFile, ZlibError, LxmlError, OSError) as error:
        raise DeckError(f"the deck is not a readable .pptx file: {error}") from error
    except (KeyError, ValueError, AttributeError, TypeError, RuntimeError) as error:
        raise DeckError(f"the deck is not a readable .pptx file: {error!r}") from error


def _read_all_content(presentation: Any) -> None:
    """Read everything that is shown of all slides, so that errors surface now."""
    presentation.slide_width, presentation.slide_height  # noqa: B018
    for slide in presentation.slides:
        slide.slide_layout.slide_master.name, slide.shapes.title  # noqa: B018
        for shape in slide.shapes:
            shape.shape_id, shape.name  # noqa: B018
            shape.is_placeholder and shape.placeholder_format.type  # noqa: B018
            box_of(shape)
            read_text(shape)


def box_of(shape: Any) -> tuple[Any, Any, Any, Any]:
    """Return left, top, width and height of a shape in EMU; None if they are not specified.

    python-pptx searches the layout and the master of a placeholder once for each of the four.
    """
    while shape is not None:
        element = shape._element
        box = element.x, element.y, element.cx, element.cy
        if None not in box:
            return box
        if any(value is not None for value in box) or not hasattr(type(shape), "_base_placeholder"):
            return shape.left, shape.top, shape.width, shape.height
        shape = shape._base_placeholder
    return None, None, None, None
