"""An open text edit of the fake machine: text, cursor and selection."""

from dataclasses import dataclass

__all__ = ["TextEdit"]


@dataclass(slots=True)
class TextEdit:
    """An open text edit; its text is written to the document on commit or formatting.

    Attributes:
        shape_id: The shape being edited.
        text: The current text, paragraphs separated by newlines.
        all_selected: Whether the entire text is selected.
        line: The paragraph of the cursor, which is at its end; None for the last one.
        line_selected: Whether that paragraph is selected.
    """

    shape_id: int
    text: str
    all_selected: bool = False
    line: int | None = None
    line_selected: bool = False

    def select_all(self) -> None:
        """Select the entire text."""
        self.all_selected, self.line, self.line_selected = True, None, False

    def select_line(self, line: int) -> None:
        """Select a paragraph, counted from 0."""
        self.all_selected, self.line, self.line_selected = False, line, True

    def move_to(self, line: int) -> None:
        """Put the cursor at the end of a paragraph, counted from 0."""
        self.all_selected, self.line, self.line_selected = False, line, False

    def insert(self, text: str) -> None:
        """Insert a text in place of the selection."""
        lines = [""] if self.all_selected else self.text.split("\n")
        line = self._index(lines)
        lines[line] = text if self.line_selected else lines[line] + text
        self._set(lines, line + text.count("\n"))

    def erase(self) -> None:
        """Delete the selection, or the character before the cursor."""
        lines = self.text.split("\n")
        line = self._index(lines)
        if self.all_selected:
            lines, line = [""], 0
        elif self.line_selected:
            lines[line] = ""
        elif lines[line]:
            lines[line] = lines[line][:-1]
        elif line:
            del lines[line]
            line -= 1
        self._set(lines, line)

    def _index(self, lines: list[str]) -> int:
        last = len(lines) - 1
        return last if self.line is None else min(self.line, last)

    def _set(self, lines: list[str], line: int) -> None:
        self.text, self.all_selected, self.line_selected = "\n".join(lines), False, False
        self.line = None if line == len(lines) - 1 else line
