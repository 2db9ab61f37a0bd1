"""An open text edit of the fake machine: its text, its cursor and what is selected."""

from dataclasses import dataclass

__all__ = ["TextEdit"]


@dataclass(slots=True)
class TextEdit:
    """An open text edit; the document gets its text when it ends or is formatted.

    Attributes:
        shape_id: The shape whose text is edited.
        text: The text as typed so far, paragraphs separated by newlines.
        all_selected: Whether the next character replaces all of the text.
        line: The paragraph of the cursor, which is at its end; None for the last one.
        line_selected: Whether the next character replaces that paragraph.
    """

    shape_id: int
    text: str
    all_selected: bool = False
    line: int | None = None
    line_selected: bool = False

    def select_all(self) -> None:
        """Select all of the text."""
        self.all_selected, self.line, self.line_selected = True, None, False

    def select_line(self, line: int) -> None:
        """Select a paragraph, counted from 0."""
        self.all_selected, self.line, self.line_selected = False, line, True

    def move_to(self, line: int) -> None:
        """Put the cursor at the end of a paragraph, counted from 0."""
        self.all_selected, self.line, self.line_selected = False, line, False

    def insert(self, text: str) -> None:
        """Type a text; it replaces what is selected."""
        lines = [""] if self.all_selected else self.text.split("\n")
        line = self._index(lines)
        lines[line] = text if self.line_selected else lines[line] + text
        self._set(lines, line + text.count("\n"))

    def erase(self) -> None:
        """Take back what is selected, or the character before the cursor."""
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
