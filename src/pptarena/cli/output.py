r"""Output of the commands: consoles, progress bars, JSON and confirmations.

Output works on every console: `prepare_streams` makes standard output and standard error write
``\u4e2d`` for a character that the console's encoding lacks, and plain ASCII for decoration such
as bullets and bars.
"""

import codecs
import io
import json
import logging
import shlex
import sys
import threading
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.segment import Segment
from rich.text import Text

from pptarena.errors import ConfigError
from pptarena.untrusted import escape_invisible

__all__ = [
    "VisibleFormatter",
    "confirm",
    "disk_usage",
    "new_progress",
    "prepare_streams",
    "print_json",
    "print_line",
    "print_note",
    "quoted",
    "stderr",
    "stdout",
]

WIDTH_WITHOUT_TERMINAL = 110

_FIRST_LINE_SEC, _LINES_EVERY_SEC = 2.0, 10.0
_PLAIN_ERRORS = "pptarena.plain"
_PLAIN = {
    **{"•": "*", "✓": "+", "✗": "x", "◐": "~", "…": "...", "→": "->"},
    **dict(zip("▁▂▃▄▅▆▇█", ".:-=+*#@", strict=True)),  # histograms
    **dict.fromkeys("─━═╌╍╴╶╸╺", "-"),  # rules and progress bars
    **dict.fromkeys("│┃║", "|"),
    **dict.fromkeys("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", "-"),  # the spinner of `rich`
}
_BOXES = ("\u2500", "\u257f")


def _replace_unencodable(error: UnicodeError) -> tuple[str, int]:
    """Write decoration as ASCII and everything else as an escape; see `codecs.register_error`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    characters = error.object[error.start : error.end]
    return "".join(_PLAIN.get(char) or _escape(char) for char in characters), error.end


def _escape(char: str) -> str:
    return (
        "+" if _BOXES[0] <= char <= _BOXES[1] else char.encode("ascii", "backslashreplace").decode()
    )


codecs.register_error(_PLAIN_ERRORS, _replace_unencodable)


def prepare_streams() -> None:
    """Make standard output and standard error accept any text, whatever their encoding."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_PLAIN_ERRORS)


class _VisibleConsole(Console):
    """Applies `escape_invisible` to texts, and escapes characters that its encoding lacks."""

    def render_str(self, text: str, **options: Any) -> Text:
        """Return a printable text; escapes before measuring to keep the column widths right."""
        return super().render_str(self._printable(text), **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        """Yield printable segments; the console's own control codes are kept."""
        for segment in super().render(renderable, options):
            text = segment.text if segment.control else self._printable(segment.text)
            yield segment._replace(text=text)

    def _printable(self, text: str) -> str:
        return escape_invisible(text).encode(self.encoding, _PLAIN_ERRORS).decode(self.encoding)


class VisibleFormatter(logging.Formatter):
    """Formats log messages, tracebacks included, as `escape_invisible` writes them."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a log record as text."""
        return escape_invisible(super().format(record))


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
    # ASCII works in every console and pipe encoding, and escapes control characters.
    sys.stdout.write(json.dumps(value, indent=1) + "\n")


def quoted(path: object) -> str:
    """Return a path as it is typed into a shell."""
    return shlex.quote(str(path))


def print_line(*lines: str) -> None:
    """Print lines on standard output as they are, without markup, colors or line breaks."""
    for line in lines:
        stdout().print(line, markup=False, highlight=False, soft_wrap=True)


def print_note(*lines: str, style: str | None = None) -> None:
    """Print lines on standard error as they are, without markup or line breaks."""
    for line in lines:
        stderr().print(line, markup=False, highlight=False, soft_wrap=True, style=style)


class _Progress(Progress):
    """A progress bar, or lines of text if standard error is no terminal."""

    def __init__(self, *columns: ProgressColumn, console: Console) -> None:
        super().__init__(*columns, console=console)
        self._ended = threading.Event()
        self._lines = threading.Thread(target=self._print_lines, daemon=True)

    def start(self) -> None:
        """Show the progress."""
        super().start()
        if not self.console.is_terminal and not self._lines.is_alive():
            self._lines.start()

    def stop(self) -> None:
        """Show the last state."""
        self._ended.set()
        if self._lines.is_alive():
            self._lines.join()
        super().stop()

    def _print_lines(self) -> None:
        pause_sec = _FIRST_LINE_SEC
        while not self._ended.wait(pause_sec):
            pause_sec = _LINES_EVERY_SEC
            for task in self.tasks:
                if not task.finished:
                    total = "?" if task.total is None else f"{task.total:g}"
                    seconds = f"{task.elapsed or 0:.0f} s"
                    count = f"{task.completed:g}/{total}"
                    parts = (task.description, count, seconds, str(task.fields.get("note", "")))
                    print_note(" ".join(filter(None, parts)))


def new_progress() -> Progress:
    """Return a progress bar on standard error, used as a context manager.

    Without a terminal, the bar is a line of text after two seconds and then every ten seconds.
    """
    return _Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[note]}", markup=False),
        console=stderr(),
    )


def confirm(noun: str, paths: Sequence[Path]) -> None:
    """List folders with their sizes and ask whether to remove them.

    Args:
        noun: A plural noun for the folders, such as ``images``.
        paths: The folders; at least one.

    Raises:
        ConfigError: If standard input is not a terminal; the message suggests ``--yes``.
        typer.Abort: If the user declines.
    """
    for path in paths:
        print_note(f"{disk_usage(path) / 2**20:8.1f} MB  {path}")
    if not sys.stdin.isatty():
        raise ConfigError(
            f"add --yes to remove these {noun}, because standard input is not a terminal"
        )
    typer.confirm(f"Remove these {noun}?", abort=True, err=True)


def disk_usage(folder: Path) -> int:
    """Return the disk space that a folder uses, in bytes."""
    from pptarena.envs.machines.snapshots.store import disk_bytes

    return disk_bytes(folder)
