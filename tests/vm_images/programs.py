"""Stand-ins for the programs that builds run, and what tests of builds do with them."""

import subprocess
import sys
from pathlib import Path


class Programs:
    """Shell scripts that come before the real programs, and a record of their runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir(parents=True)

    def write(self, name: str, body: str) -> None:
        """Make a shell script; every run of it is counted."""
        program = self.bin / name
        program.write_text(f'#!/bin/sh\necho run >> "$FAKES/{name}.runs"\n{body}\n')
        program.chmod(0o755)

    def runs(self, name: str = "mmdebstrap") -> int:
        """Return how often a program ran."""
        record = self.folder / f"{name}.runs"
        return len(record.read_text().splitlines()) if record.exists() else 0


def ignore(stage: str) -> None:
    pass


def names(folder: Path) -> set[str]:
    """Return the names in a folder, without the lock."""
    return {entry.name for entry in folder.iterdir()} - {".lock"}


# A test run that a shell started in the background ignores SIGINT, and so would its children.
INTERRUPTIBLE = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"


def python(code: str) -> "subprocess.Popen[str]":
    """Start Python code in a process of its own, which SIGINT ends."""
    command = [sys.executable, "-c", INTERRUPTIBLE + code]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
