"""What the commands share: where output goes, and progress bars."""

import json
import logging
import re
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
)
from rich.segment import Segment
from rich.text import Text

__all__ = ["VisibleFormatter", "new_progress", "print_json", "stderr", "stdout", "visible"]

WIDTH_WITHOUT_TERMINAL = 110


# What a terminal could take for a command, what turns the direction of reading about, and halves of
# surrogate pairs, which cannot be written.
_UNPRINTABLE = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff]"
)


def visible(text: str) -> str:
    r"""Return a text with its control characters written out, ``\u001b`` for an escape.

    Names, reasons and errors hold words of decks, agents and records; none may steer a terminal.
    """
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class _VisibleConsole(Console):
    """Prints control characters of texts as `visible` writes them."""

    def render_str(self, text: str, **options: Any) -> Text:
        """Return a text to be printed; before its width is measured, so that no column cuts it."""
        return super().render_str(visible(text), **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        """Yield what is printed; the console's own control codes are no text."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text))


class VisibleFormatter(logging.Formatter):
    """Formats log messages, tracebacks included, as `visible` writes them."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a message."""
        return visible(super().format(record))


@cache
def stdout() -> Console:
    """Return the console for results."""
    # A file or a pipe has no width; 80 columns would break tables that need a few more.
    return _VisibleConsole(width=None if sys.stdout.isatty() else WIDTH_WITHOUT_TERMINAL)


@cache
def stderr() -> Console:
    """Return the console for progress and messages."""
    width = None if sys.stderr.isatty() else WIDTH_WITHOUT_TERMINAL
    return _VisibleConsole(stderr=True, width=width)


def print_json(value: Any) -> None:
    """Print one JSON value on standard output."""
    # Such characters stand only in texts, where JSON knows the same way of writing them out.
    sys.stdout.write(visible(json.dumps(value, ensure_ascii=False, indent=1)) + "\n")


def new_progress() -> Progress:
    """Return a progress bar on standard error, to be used in a ``with`` statement."""
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[note]}", markup=False),
        console=stderr(),
    )
