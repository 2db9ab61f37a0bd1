"""What the commands share: where output goes, and progress bars."""

import json
import sys
from functools import cache
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
)

__all__ = ["new_progress", "print_json", "stderr", "stdout"]

WIDTH_WITHOUT_TERMINAL = 110


@cache
def stdout() -> Console:
    """Return the console for results."""
    # A file or a pipe has no width; 80 columns would break tables that need a few more.
    return Console() if sys.stdout.isatty() else Console(width=WIDTH_WITHOUT_TERMINAL)


@cache
def stderr() -> Console:
    """Return the console for progress and messages."""
    if sys.stderr.isatty():
        return Console(stderr=True)
    return Console(stderr=True, width=WIDTH_WITHOUT_TERMINAL)


def print_json(value: Any) -> None:
    """Print one JSON value on standard output."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=1) + "\n")


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
